// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/charts/delta.h"

namespace kl::ui {

/// One bar of parts: the stall reasons of a run.
struct StackedRow {
    QString name;
    std::vector<double> parts;    ///< in the order of the part names; absent ones 0
    std::vector<Deltas> deltas{}; ///< of each part; empty: not compared
};

/// Rows of stacked parts, each row normalized to 100 %. A part has the same color in all rows.
class StackedBar : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;
    /// unit: unit of the values ("warps per issue"), for tooltip and table.
    void setRows(QStringList partNames, std::vector<StackedRow> rows, const QString& unit, const QString& emptyReason);
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override { return rows_.empty() ? emptyReason_ : QString(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {220, sizeHint().height()}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    QStringList parts_;
    std::vector<StackedRow> rows_;
    QString unit_;
    QString emptyReason_;
};

} // namespace kl::ui
