// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/geometry/labels.h"
#include "ui/charts/xy_chart.h"

#include <QLineF>
#include <QPixmap>
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
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    /// Whether drawing it takes so long that it is kept as a picture until something in it changes.
    bool isDense() const;
    /// Line segments and marker positions in pixels, which labels should avoid.
    std::vector<QLineF> computeDrawnLines() const;

    void paintHighlighted(QPainter& painter, const QRectF& plot) const;
    /// placeLabels, again only where something moved: it compares every label with every line.
    const std::vector<QRectF>& place(std::vector<LabelWish> wishes, const QRectF& plot);

    struct Placed {
        std::vector<LabelWish> wishes;
        std::vector<QLineF> lines;
        QRectF plot;
        std::vector<QRectF> boxes;
    };
    Placed placed_;
    std::vector<XYNote> notes_;
    std::vector<QPointF> highlighted_;
    QString emptyReason_;
    QPixmap picture_; ///< of a dense chart; null where it is not drawn yet
};

} // namespace kl::ui
