// SPDX-License-Identifier: MIT
#include "ui/pages/search/parallel_chart.h"

#include "core/base/format.h"
#include "core/model/params.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <map>

namespace kl::ui {
namespace {

constexpr double kSide = 46;
constexpr double kHeading = 20;
constexpr double kFoot = 14;
constexpr double kDragFrom = 6; ///< pixels: less is a click
constexpr int kPlacesPerAxis = 100'000;

/// Shares of the points, fastest first, that the axis of the time is divided into.
constexpr std::array kSlowest{1.0, 0.5, 0.2, 0.05};

std::string valueText(const ParamValue& value)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? std::to_string(*number) : std::get<std::string>(value);
}

/// Numbers by size, words as they come.
bool valueLess(const ParamValue& a, const ParamValue& b)
{
    return a < b;
}

} // namespace

ParallelChart::ParallelChart(QWidget* parent) : PaintedChart(parent)
{
    setPickable();
    setAccessibleName(tr("Parameters of the measured points"));
    connect(this, &ChartBody::picked, this, &ParallelChart::toggle);
}

void ParallelChart::setTrials(const SearchRecord& record, std::size_t trials)
{
    std::map<QString, std::set<QString>> keptBefore;
    for (const Axis& axis : axes_)
        for (const std::size_t place : axis.kept)
            keptBefore[axis.name].insert(axis.values[place]);
    std::vector<std::pair<Params, const SearchTrial*>> points;
    std::map<std::string, std::vector<ParamValue>> values;
    for (std::size_t i = 0; i < std::min(trials, record.trials.size()); ++i) {
        const Result<Params> tunables = parseParams(record.trials[i].tunables);
        if (!record.trials[i].ns || !record.trials[i].why.empty() || !tunables)
            continue;
        for (const auto& [name, value] : *tunables)
            if (std::ranges::find(values[name], value) == values[name].end())
                values[name].push_back(value);
        points.emplace_back(*tunables, &record.trials[i]);
    }
    std::ranges::stable_sort(points, std::ranges::greater(), [](const auto& point) { return *point.second->ns; });
    axes_.clear();
    lines_.assign(points.size(), {});
    for (auto& [name, list] : values) {
        if (list.size() < 2)
            continue;
        std::ranges::sort(list, valueLess);
        Axis axis{q(name), {}, {}};
        for (std::size_t place = 0; place < list.size(); ++place) {
            axis.values.push_back(q(valueText(list[place])));
            if (keptBefore[axis.name].contains(axis.values.back()))
                axis.kept.insert(place);
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto value = points[i].first.find(name);
            const auto found = value == points[i].first.end() ? list.begin() : std::ranges::find(list, value->second);
            lines_[i].places.push_back(static_cast<std::size_t>(found - list.begin()));
        }
        axes_.push_back(std::move(axis));
    }
    Axis time{tr("GPU time"), {}, {}};
    for (std::size_t bin = 0; bin < kSlowest.size(); ++bin) {
        const double share = kSlowest[bin];
        time.values.push_back(bin == 0 ? tr("slower half") : tr("fastest %1 %").arg(static_cast<int>(100 * share)));
        if (keptBefore[time.name].contains(time.values.back()))
            time.kept.insert(bin);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double rank = static_cast<double>(points.size() - 1 - i) / static_cast<double>(points.size()); // 0: the fastest
        std::size_t bin = 0;
        while (bin + 1 < kSlowest.size() && rank < kSlowest[bin + 1])
            ++bin;
        lines_[i].places.push_back(bin);
        lines_[i].ns = *points[i].second->ns;
        lines_[i].point = points[i].second->tunables;
    }
    axes_.push_back(std::move(time));
    update();
    emit changed();
    emit brushed();
}

void ParallelChart::brush(std::size_t axis, std::set<std::size_t> places)
{
    axes_[axis].kept = places.size() == axes_[axis].values.size() ? std::set<std::size_t>() : std::move(places);
    update();
    emit changed();
    emit brushed();
}

void ParallelChart::clearBrushes()
{
    for (Axis& axis : axes_)
        axis.kept.clear();
    update();
    emit changed();
    emit brushed();
}

bool ParallelChart::isBrushed() const
{
    return std::ranges::any_of(axes_, [](const Axis& axis) { return !axis.kept.empty(); });
}

bool ParallelChart::isKept(const Line& line) const
{
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        if (!axes_[axis].kept.empty() && !axes_[axis].kept.contains(line.places[axis]))
            return false;
    return true;
}

std::size_t ParallelChart::countKept() const
{
    return static_cast<std::size_t>(std::ranges::count_if(lines_, [this](const Line& line) { return isKept(line); }));
}

QString ParallelChart::emptyReason() const
{
    return lines_.empty() ? tr("No measured point yet") : QString();
}

void ParallelChart::paint(QPainter& painter, const QSizeF& size)
{
    geometry_ = {kSide, size.width() - 2 * kSide, kHeading + kFoot, size.height() - kFoot, axes_.size()};
    paintLines(painter);
    paintAxes(painter);
}

void ParallelChart::paintLines(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool kept : {false, true})
        for (const Line& line : lines_) {
            if (isKept(line) != kept)
                continue;
            const bool fast = line.places.back() + 1 == kSlowest.size();
            QColor ink = color(!kept ? Token::muted : fast ? Token::series2 : Token::series1);
            ink.setAlphaF(!kept ? 0.06 : fast ? 0.9 : 0.25);
            painter.setPen(QPen(ink, kept && fast ? 2 : 1));
            QPolygonF way;
            for (std::size_t axis = 0; axis < axes_.size(); ++axis)
                way << QPointF(geometry_.x(axis), geometry_.y(line.places[axis], axes_[axis].values.size()));
            painter.drawPolyline(way);
        }
}

void ParallelChart::paintAxes(QPainter& painter)
{
    const double step = axes_.size() > 1 ? geometry_.x(1) - geometry_.x(0) : 2 * kSide;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        const Axis& axis = axes_[i];
        const double x = geometry_.x(i);
        painter.setPen(QPen(color(Token::muted), 1));
        painter.drawLine(QPointF(x, geometry_.top), QPointF(x, geometry_.bottom));
        const bool last = i + 1 == axes_.size();
        text(painter, {x - step / 2, 0, last ? step / 2 + 2 * kSide : step, kHeading}, last ? Qt::AlignRight : Qt::AlignHCenter, axis.name,
             axis.kept.empty() ? Token::muted : Token::text);
        for (std::size_t place = 0; place < axis.values.size(); ++place) {
            const double y = geometry_.y(place, axis.values.size());
            const bool kept = axis.kept.empty() || axis.kept.contains(place);
            const double radius = axis.kept.contains(place) ? 5 : 3;
            painter.setPen(Qt::NoPen);
            painter.setBrush(color(kept ? Token::text : Token::muted));
            painter.drawEllipse(QPointF(x, y), radius, radius);
            painter.setBrush(Qt::NoBrush);
            const QRectF box(x + 7, y - 9, last ? 2 * kSide - 8 : step - 12, 18);
            text(painter, box, Qt::AlignLeft | Qt::AlignVCenter, axis.values[place], kept ? Token::text : Token::muted);
            addHit({x - 8, y - 9, std::min(step - 4, 60.0), 18},
                   axis.kept.contains(place) ? tr("%1 = %2. Click to keep all again.").arg(axis.name, axis.values[place])
                                             : tr("%1 = %2. Click to keep only these points.").arg(axis.name, axis.values[place]),
                   static_cast<int>(i) * kPlacesPerAxis + static_cast<int>(place));
        }
    }
}

void ParallelChart::toggle(int index)
{
    const auto axis = static_cast<std::size_t>(index / kPlacesPerAxis);
    const auto place = static_cast<std::size_t>(index % kPlacesPerAxis);
    if (axis >= axes_.size() || place >= axes_[axis].values.size())
        return;
    std::set<std::size_t> kept = axes_[axis].kept;
    if (!kept.erase(place))
        kept.insert(place);
    brush(axis, std::move(kept));
}

void ParallelChart::mousePressEvent(QMouseEvent* event)
{
    pressed_ = event->position();
    PaintedChart::mousePressEvent(event);
}

void ParallelChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (axes_.empty() || std::abs(event->position().y() - pressed_.y()) < kDragFrom)
        return PaintedChart::mouseReleaseEvent(event);
    const std::size_t axis = geometry_.axisAt(pressed_.x());
    const auto [first, last] = geometry_.placesBetween(pressed_.y(), event->position().y(), axes_[axis].values.size());
    std::set<std::size_t> kept;
    for (std::size_t place = first; place <= last; ++place)
        kept.insert(place);
    brush(axis, std::move(kept));
}

ChartTable ParallelChart::table() const
{
    ChartTable made;
    for (const Axis& axis : axes_)
        made.header << axis.name;
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
        if (!isKept(*line))
            continue;
        QStringList row;
        for (std::size_t axis = 0; axis + 1 < axes_.size(); ++axis)
            row << axes_[axis].values[line->places[axis]];
        made.rows.push_back(row << q(formatTime(line->ns)));
    }
    return made;
}

std::vector<LegendItem> ParallelChart::legend() const
{
    if (lines_.empty())
        return {};
    return {{tr("fastest 5 %"), Token::series2, Swatch::line, Marker::none}, {tr("others"), Token::series1, Swatch::line, Marker::none}};
}

} // namespace kl::ui
