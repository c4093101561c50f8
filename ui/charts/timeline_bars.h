// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/timeline_report.h"
#include "ui/charts/chart_body.h"
#include "ui/charts/geometry/ticks.h"

#include <QPointF>

namespace kl::ui {

/// A row of bars per warp role over the cycles of one block: work in the color of its segment, waits as thin lines. Zooms and moves as
/// other charts do: Ctrl and the wheel, or the wheel alone once it was clicked, dragging, +, -, 0 and the arrow keys. The tooltip of a
/// segment has its label and cycles.
class TimelineBars : public PaintedChart {
    Q_OBJECT
public:
    explicit TimelineBars(QWidget* parent = nullptr);

    void setReport(TimelineReport report);

    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    bool isZoomed() const override;
    void resetZoom() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

    /// The cycles that are shown.
    const AxisRange& range() const { return range_; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    AxisRange whole() const;
    void setRange(const AxisRange& range);
    Token chooseSegmentToken(const Segment& segment) const;
    void paintRow(QPainter& painter, const RoleRow& role, const QRectF& row);
    void paintAxis(QPainter& painter, const QRectF& area);

    TimelineReport report_;
    QStringList labels_; ///< of work, in the order of their colors
    AxisRange range_;
    double draggedAt_ = 0; ///< where the pointer was last, pixels
};

} // namespace kl::ui
