// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/xy_chart.h"

#include <QLineF>
#include <QtCharts/QChartView>

namespace kl {

/// The view of an XYChart: a frameless chart with words drawn over the plot.
class XYView : public QChartView {
public:
    explicit XYView(QWidget* parent = nullptr);
    /// An empty chart in the place of the old one: axes taken off a chart leave their labels behind.
    void startOver();
    void setNotes(std::vector<XYNote> notes);
    void setEmptyReason(const QString& reason);

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    /// Segments of the lines and the places of the markers, in pixels: what words should not lie on.
    std::vector<QLineF> drawnLines() const;

    std::vector<XYNote> notes_;
    QString emptyReason_;
};

} // namespace kl
