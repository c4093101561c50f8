// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <optional>

namespace kl::ui {

/// One GPU: a value on the common scale of the chart, its own limit if there is one, and the result as text.
struct LimitBar {
    QString name;
    double value = 0;
    std::optional<double> limit;
    bool good = true;
    QString words; ///< on the right: "✓ fits, 41 %"
    QString help;  ///< tooltip
};

/// One bar per GPU on a common scale, with a tick at each limit, in the color of pass or fail (also given as text).
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

} // namespace kl::ui
