// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/widgets/mark_label.h"

namespace kl::ui {

/// Outcomes as a grid: columns are sessions, rows are gates; each cell its mark in the mark's color. picked(column) on a click.
class HeatStrip : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;
    /// cells[row][column].
    void setCells(QStringList rows, QStringList columns, std::vector<std::vector<Mark>> cells, const QString& emptyReason);
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override { return columns_.isEmpty() ? emptyReason_ : QString(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    QStringList rows_;
    QStringList columns_;
    std::vector<std::vector<Mark>> cells_;
    QString emptyReason_;
};

} // namespace kl::ui
