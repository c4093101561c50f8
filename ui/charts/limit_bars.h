// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <optional>

namespace kl {

/// One GPU: a value on the chart's common scale, its own limit where there is one, and what that means in words.
struct LimitBar {
    QString name;
    double value = 0;
    std::optional<double> limit;
    bool good = true;
    QString words; ///< at the right: "✓ fits, 41 %"
    QString help;  ///< tooltip
};

/// A bar a GPU, all on one scale, with a tick at each one's limit: in the color of pass or fail, which the words say too.
class LimitBars : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;

    /// `unit`: heading of the value and the limit in the table ("bytes", "%"). The scale runs from 0 to the largest value or limit.
    void setBars(std::vector<LimitBar> bars, const QString& unit, const QString& limitName);
    const std::vector<LimitBar>& bars() const { return bars_; }

    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    std::vector<LimitBar> bars_;
    QString unit_;
    QString limitName_;
};

} // namespace kl
