// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#ifndef Q_MOC_RUN
#include "core/model/search_record.h"
#include "ui/charts/geometry/parallel_axes.h"
#endif

#include <set>
#include <string>

namespace kl::ui {

/// Parallel coordinates of measured points: an axis per tunable, one for the time, a line per point. Clicking a value keeps only points
/// with it (again: all); dragging along an axis keeps those between. Points that are left out stay visible, faintly.
class ParallelChart : public PaintedChart {
    Q_OBJECT
public:
    explicit ParallelChart(QWidget* parent = nullptr);

    /// The first `trials` points; a brush is kept where its axis still has the value.
    void setTrials(const SearchRecord& record, std::size_t trials);
    /// Keeps the points with one of these values on this axis; an empty set: all. Precondition: there are so many axes.
    void brush(std::size_t axis, std::set<std::size_t> places);
    void clearBrushes();
    bool isBrushed() const;
    std::size_t axisCount() const { return axes_.size(); }
    std::size_t pointCount() const { return lines_.size(); }
    /// That pass every brush.
    std::size_t countKept() const;

    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {360, 170}; }

signals:
    void brushed();

protected:
    void paint(QPainter& painter, const QSizeF& size) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Axis {
        QString name;
        std::vector<QString> values;
        std::set<std::size_t> kept; ///< places; empty: all
    };
    struct Line {
        std::vector<std::size_t> places; ///< by axis, the last being the time
        double ns = 0;
        std::string point;
    };
    bool isKept(const Line& line) const;
    void paintLines(QPainter& painter) const;
    void paintAxes(QPainter& painter);
    void toggle(int index);

    std::vector<Axis> axes_;
    std::vector<Line> lines_; ///< slowest first, so that fast ones are on top
    ParallelAxes geometry_;
    QPointF pressed_;
};

} // namespace kl::ui
