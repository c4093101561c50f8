// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/charts/geometry/ticks.h"

#include <QPointF>

#include <optional>

class QAbstractAxis;
class QChart;
class QXYSeries;

namespace kl::ui {

struct XYPoint {
    double x = 0;
    double y = 0;
    std::optional<double> low; ///< interval of y, drawn as a whisker
    std::optional<double> high;
    QString tip;                ///< exact value, n and interval
    QString id;                 ///< of what the point stands for; empty: nothing that can be opened
    std::optional<double> area; ///< of its marker, against 1 for the largest; unset: as large as all
};

struct XYSeries {
    QString name;
    Token token = Token::series1;
    bool line = true;
    bool dashed = false;
    Marker marker = Marker::circle;
    std::vector<XYPoint> points;
    QString emptyReason; ///< shown in the legend when nothing of it can be drawn
};

struct XYAxis {
    QString title; ///< with unit
    bool log = false;
    bool withZero = true;
    std::optional<double> min;
    std::optional<double> max;
    QStringList categories; ///< names of x = 0, 1, 2 … instead of numbers
    int ticks = 5;          ///< approximate number of labels on a linear axis
};

/// A horizontal line with a label: "baseline, 1.0×".
struct XYReference {
    double y = 0;
    QString label;
    Token token = Token::neutral;
};

/// A label at a point of the plot, e.g. the name of a roof on its line.
struct XYNote {
    QPointF at;
    QString text;
    Token token = Token::muted;
    bool alongLine = false; ///< of a horizontal line: can be anywhere along it
};

struct XYSpec {
    XYAxis x;
    XYAxis y;
    std::vector<XYSeries> series;
    std::vector<XYReference> references;
    std::vector<XYNote> notes;
    QString emptyReason; ///< when no series has a point: "No session has a measured speedup yet"
};

/// Lines and points over two axes, drawn by Qt Charts. Points that an axis cannot show (NaN, 0 on a log axis) are left out of the
/// drawing, never of the table. Ctrl and the wheel zoom around the pointer, and so does the wheel alone once the chart was clicked: until
/// then it scrolls the page. Dragging moves, a double click shows all; with the keyboard + − 0 and the arrows. The point under the pointer
/// is highlighted in every chart that has one with its id (LinkedHover).
class XYChart : public ChartBody {
    Q_OBJECT
public:
    explicit XYChart(QWidget* parent = nullptr);
    void setSpec(XYSpec spec);
    const XYSpec& spec() const { return spec_; }

    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    void draw(QPainter& painter, const QRectF& area) override;
    QString emptyReason() const override;
    QSize sizeHint() const override { return hint_; }
    /// Smaller size hint for pages with little room; the chart still grows by stretch.
    void setHint(const QSize& hint) { hint_ = hint; }
    QSize minimumSizeHint() const override { return {240, 104}; }
    /// Number of points that are drawn.
    int drawnPoints() const { return drawn_; }

    bool isZoomed() const override { return zoomX_ || zoomY_; }
    void resetZoom() override;
    AxisRange rangeX() const; ///< that is shown
    AxisRange rangeY() const;
    /// Enlarges (factor below 1) around a place in the plot: shares of its width and height, from the lower left.
    void zoom(const QPointF& at, double factor);
    /// Moves what is shown by shares of the plot's width and height.
    void pan(const QPointF& by);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QSize hint_{420, 180};
    class View;
    void rebuild();
    void addSeries(const XYSeries& series, int index);
    void addLine(const std::vector<QPointF>& points, const QColor& ink, Qt::PenStyle style, double width);
    void attach(QXYSeries* series, const QList<QPointF>& points);
    QAbstractAxis* makeAxis(const XYAxis& axis, bool horizontal);
    void addDots(const XYSeries& series, int index, const std::vector<XYPoint>& points, double size);
    void showRanges();
    void highlight();

    XYSpec spec_;
    View* view_;
    std::optional<AxisRange> zoomX_; ///< unset: all
    std::optional<AxisRange> zoomY_;
    std::optional<QPointF> dragged_; ///< where the pointer was, in the view
    bool moved_ = false;             ///< by this press of the button: its end is not a click
    QAbstractAxis* xAxis_ = nullptr;
    QAbstractAxis* yAxis_ = nullptr;
    int drawn_ = 0;
    std::optional<int> laidOut_; ///< the width, once it is known
    int nameStep_ = 1;           ///< of so many names along the category axis one is shown
};

} // namespace kl::ui
