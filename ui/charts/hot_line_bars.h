// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

namespace kl::ui {

/// One hot line of a source.
struct HotLineRow {
    QString place; ///< "line 22"
    QString text;  ///< the source line; may be empty
    QString note;  ///< "waits for line 12", if it waits for another line; may be empty
    double share = 0;
    std::vector<double> parts; ///< share by stall, in the order of the part names; together `share`
    QString tip;
};

/// Hot lines, hottest first: each with its text and its samples by stall, scaled to the hottest. picked() gives the row that was clicked.
class HotLineBars : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;
    void setRows(QStringList partNames, std::vector<HotLineRow> rows, const QString& emptyReason);
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override { return rows_.empty() ? emptyReason_ : QString(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {220, sizeHint().height()}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    QStringList parts_;
    std::vector<HotLineRow> rows_;
    QString emptyReason_;
};

} // namespace kl::ui
