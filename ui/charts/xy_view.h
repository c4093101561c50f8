// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/xy_chart.h"

#include <QLineF>
#include <QtCharts/QChartView>

namespace kl::ui {

/// The view of an XYChart: a frameless chart with labels drawn over the plot.
class XYView : public QChartView {
public:
    explicit XYView(QWidget* parent = nullptr);
    /// Replaces the chart with an empty one: axes removed from a chart leave their labels behind.
    void startOver();
    void setNotes(std::vector<XYNote> notes);
    void setEmptyReason(const QString& reason);
    /// Draws a ring around these points.
    void setHighlighted(std::vector<QPointF> places);
    const std::vector<QPointF>& highlighted() const { return highlighted_; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    /// Line segments and marker positions in pixels, which labels should avoid.
    std::vector<QLineF> drawnLines() const;

    void paintHighlighted(QPainter& painter, const QRectF& plot) const;

    std::vector<XYNote> notes_;
    std::vector<QPointF> highlighted_;
    QString emptyReason_;
};

} // namespace kl::ui
