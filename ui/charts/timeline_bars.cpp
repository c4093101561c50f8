// SPDX-License-Identifier: MIT
#include "ui/charts/timeline_bars.h"

#include "core/base/format.h"
#include "ui/charts/geometry/zoom.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace kl::ui {

namespace {

constexpr double kRoleRow = 34;
constexpr double kRoleBar = 22;
constexpr double kWaitLine = 3; ///< height of a wait
constexpr double kRoleNames = 128;
constexpr double kCycleAxis = 22;
constexpr double kWheelFactor = 0.8; ///< of the range, per notch of the wheel
constexpr double kPanStep = 0.1;     ///< of the range, per arrow key
constexpr int kCycleTicks = 6;
constexpr int kNotch = 120;
constexpr int kMostLabels = kSeriesCount - 1; ///< the last color is that of own copies and products

QString formatSegmentPlace(const Segment& segment)
{
    return segment.line > 0 ? TimelineBars::tr("%1, line %2").arg(q(segment.label)).arg(segment.line) : q(segment.label);
}

QString kindWord(SegmentKind kind)
{
    return kind == SegmentKind::work   ? TimelineBars::tr("working")
           : kind == SegmentKind::wait ? TimelineBars::tr("waiting")
                                       : TimelineBars::tr("own copies, MMAs");
}

QString cycles(std::int64_t count)
{
    return TimelineBars::tr("%1 cycles").arg(q(formatCount(static_cast<double>(count))));
}

} // namespace

TimelineBars::TimelineBars(QWidget* parent) : PaintedChart(parent)
{
    setFocusPolicy(Qt::ClickFocus);
}

void TimelineBars::setReport(TimelineReport report)
{
    report_ = std::move(report);
    labels_.clear();
    for (const RoleRow& role : report_.roles)
        for (const Segment& segment : role.segments)
            if (segment.kind == SegmentKind::work && !labels_.contains(q(segment.label)) && labels_.size() < kMostLabels)
                labels_ << q(segment.label);
    range_ = whole();
    updateGeometry();
    update();
    emit changed();
}

AxisRange TimelineBars::whole() const
{
    return {0, static_cast<double>(std::max<std::int64_t>(report_.spanCycles, 1))};
}

void TimelineBars::setRange(const AxisRange& range)
{
    range_ = range;
    update();
    emit changed();
}

bool TimelineBars::isZoomed() const
{
    const AxisRange all = whole();
    return range_.low > all.low || range_.high < all.high;
}

void TimelineBars::resetZoom()
{
    setRange(whole());
}

QString TimelineBars::emptyReason() const
{
    return report_.roles.empty() ? tr("No warp recorded a mark.") : QString();
}

QSize TimelineBars::sizeHint() const
{
    return {520, static_cast<int>(kRoleRow * std::max<double>(1, static_cast<double>(report_.roles.size())) + kCycleAxis)};
}

Token TimelineBars::chooseSegmentToken(const Segment& segment) const
{
    if (segment.kind == SegmentKind::wait)
        return Token::muted;
    if (segment.kind == SegmentKind::async)
        return seriesToken(kSeriesCount - 1);
    return seriesToken(static_cast<int>(std::max<qsizetype>(labels_.indexOf(q(segment.label)), 0)));
}

void TimelineBars::paint(QPainter& painter, const QSizeF& size)
{
    double y = 0;
    for (const RoleRow& role : report_.roles) {
        text(painter, {0, y, kRoleNames - kGapInside, kRoleRow}, Qt::AlignLeft | Qt::AlignVCenter, q(role.name));
        paintRow(painter, role, {kRoleNames, y, size.width() - kRoleNames, kRoleRow});
        y += kRoleRow;
    }
    paintAxis(painter, {kRoleNames, y, size.width() - kRoleNames, kCycleAxis});
}

/// Segments that are narrower than a pixel are drawn as what the pixel mostly shows.
void TimelineBars::paintRow(QPainter& painter, const RoleRow& role, const QRectF& row)
{
    painter.save();
    painter.setClipRect(row);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto place = [&](std::int64_t cycle) {
        return row.left() + axisPosition(static_cast<double>(cycle), range_, row.width(), false);
    };
    for (const Segment& segment : role.segments) {
        if (static_cast<double>(segment.end) < range_.low || static_cast<double>(segment.begin) > range_.high)
            continue;
        const double left = std::max(place(segment.begin), row.left() - 1);
        const double right = std::min(place(segment.end), row.right() + 1);
        const double height = segment.kind == SegmentKind::wait ? kWaitLine : kRoleBar;
        const QRectF box(left, row.center().y() - height / 2, std::max(right - left, 0.5), height);
        painter.fillRect(box, color(chooseSegmentToken(segment)));
        addHit({left, row.top(), std::max(right - left, 2.0), row.height()},
               QStringLiteral("%1: %2%3\n%4")
                   .arg(q(role.name), kindWord(segment.kind),
                        segment.label.empty() ? QString() : QStringLiteral(", ") + formatSegmentPlace(segment),
                        cycles(segment.end - segment.begin)),
               -1);
    }
    painter.restore();
}

void TimelineBars::paintAxis(QPainter& painter, const QRectF& area)
{
    for (const double tick : niceTicks(range_.low, range_.high, kCycleTicks)) {
        const double x = area.left() + axisPosition(tick, range_, area.width(), false);
        painter.setPen(color(Token::border));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.top() + kGapTight));
        text(painter, {x - 60, area.top() + kGapTight, 120, area.height() - kGapTight}, Qt::AlignHCenter | Qt::AlignTop,
             q(formatCount(tick)), Token::muted);
    }
}

void TimelineBars::wheelEvent(QWheelEvent* event)
{
    const double plot = width() - kRoleNames;
    if ((!hasFocus() && !event->modifiers().testFlag(Qt::ControlModifier)) || plot <= 0)
        return PaintedChart::wheelEvent(event); // scrolls the page
    if (emptyReason().isEmpty()) {
        const double at = std::clamp((event->position().x() - kRoleNames) / plot, 0.0, 1.0);
        setRange(zoomRange(range_, at, std::pow(kWheelFactor, static_cast<double>(event->angleDelta().y()) / kNotch), false, whole()));
    }
    event->accept();
}

void TimelineBars::mousePressEvent(QMouseEvent* event)
{
    draggedAt_ = event->position().x();
}

void TimelineBars::mouseMoveEvent(QMouseEvent* event)
{
    const double plot = width() - kRoleNames;
    if (!(event->buttons() & Qt::LeftButton) || plot <= 0)
        return;
    const double moved = event->position().x() - draggedAt_;
    draggedAt_ = event->position().x();
    setRange(panRange(range_, -moved / plot, false, whole()));
}

void TimelineBars::mouseDoubleClickEvent(QMouseEvent*)
{
    resetZoom();
}

void TimelineBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: return setRange(zoomRange(range_, 0.5, kWheelFactor, false, whole()));
    case Qt::Key_Minus: return setRange(zoomRange(range_, 0.5, 1 / kWheelFactor, false, whole()));
    case Qt::Key_0: return resetZoom();
    case Qt::Key_Left: return setRange(panRange(range_, -kPanStep, false, whole()));
    case Qt::Key_Right: return setRange(panRange(range_, kPanStep, false, whole()));
    default: return PaintedChart::keyPressEvent(event);
    }
}

ChartTable TimelineBars::table() const
{
    ChartTable table{{tr("Role"), tr("Kind"), tr("Segment"), tr("Begin, cycles"), tr("End, cycles"), tr("Cycles")}, {}};
    for (const RoleRow& role : report_.roles)
        for (const Segment& segment : role.segments)
            table.rows.push_back({q(role.name), kindWord(segment.kind), formatSegmentPlace(segment), QString::number(segment.begin),
                                  QString::number(segment.end), QString::number(segment.end - segment.begin)});
    return table;
}

std::vector<LegendItem> TimelineBars::legend() const
{
    std::vector<LegendItem> items;
    bool async = false;
    bool waits = false;
    for (const RoleRow& role : report_.roles)
        for (const Segment& segment : role.segments) {
            async = async || segment.kind == SegmentKind::async;
            waits = waits || segment.kind == SegmentKind::wait;
        }
    for (qsizetype i = 0; i < labels_.size(); ++i)
        items.push_back({labels_[i].isEmpty() ? kindWord(SegmentKind::work) : labels_[i], seriesToken(static_cast<int>(i))});
    if (async)
        items.push_back({kindWord(SegmentKind::async), seriesToken(kSeriesCount - 1)});
    if (waits)
        items.push_back({kindWord(SegmentKind::wait), Token::muted, Swatch::line});
    return items;
}

} // namespace kl::ui
