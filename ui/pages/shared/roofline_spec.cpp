// SPDX-License-Identifier: MIT
#include "ui/pages/shared/roofline_spec.h"

#include "core/base/format.h"
#include "ui/import/opened_runs.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace kl::ui {
namespace {

constexpr double kTera = 1e-12;     ///< FLOP/s to TFLOP/s
constexpr double kElsewhere = 0.01; ///< relative difference in work below which two points are one

struct Place {
    const RunRecord* run = nullptr;
    RooflinePoint point;
};

QString levelName(MemoryLevel level)
{
    return q(titleFor(level));
}

std::string_view nameLevel(MemoryLevel level)
{
    return roofKind(level).id;
}

QString kindName(std::string_view id)
{
    return q(roofKind(id).title);
}

XYPoint pointAt(double x, double flops, const QString& tip = {}, const QString& id = {})
{
    return {x, flops * kTera, {}, {}, tip, id};
}

XYSeries roofSeries(const QString& name, bool measured, bool own)
{
    XYSeries series;
    series.name = name;
    series.token = own ? Token::neutral : Token::border;
    series.dashed = measured;
    series.marker = Marker::none;
    return series;
}

/// "measured: DRAM 4.51 TB/s, FP32 63.8 TFLOP/s": of the roofs that the run is under.
QString describeMeasuredRoofs(const Roofline& roofline, MemoryLevel level)
{
    QStringList words;
    for (const std::string_view id : {nameLevel(level), std::string_view(roofline.compute)})
        if (const Roof* roof = findRoof(roofline, id, true))
            words << kindName(id) + u' ' + q(roof->slanted ? formatBandwidth(roof->value) : formatFlops(roof->value));
    return QStringLiteral("measured: ") + words.join(QStringLiteral(", "));
}

/// The memory roof up to the highest compute roof, and every compute roof from where the memory roof crosses it.
void addRoofs(XYSpec& spec, const Roofline& roofline, MemoryLevel level, bool measured, double lowX, double highX)
{
    const Roof* memory = findRoof(roofline, nameLevel(level), measured);
    double top = 0;
    for (const Roof& roof : roofline.roofs)
        if (!roof.slanted && roof.measured == measured)
            top = std::max(top, roof.value);
    bool named = false;
    const auto add = [&](const Roof& roof, std::vector<XYPoint> points, QPointF at, bool flat) {
        const bool own = !flat || roof.id == roofline.compute;
        XYSeries series = roofSeries(named      ? QString()
                                     : measured ? describeMeasuredRoofs(roofline, level)
                                                : QStringLiteral("roofs"),
                                     measured, own);
        named = true;
        series.points = std::move(points);
        spec.series.push_back(std::move(series));
        if (!measured) // the legend has the values of the dashed ones
            spec.notes.push_back({at, q(roof.label), own ? Token::text : Token::muted, flat});
    };
    if (memory) {
        const double to = top > 0 ? top / memory->value : highX;
        add(*memory, {pointAt(lowX, lowX * memory->value, q(memory->label)), pointAt(to, to * memory->value, q(memory->label))},
            {lowX, lowX * memory->value * kTera}, false);
    }
    for (const Roof& roof : roofline.roofs) {
        if (roof.slanted || roof.measured != measured || (measured && roof.id != roofline.compute))
            continue;
        const double from = memory ? roof.value / memory->value : lowX;
        add(roof, {pointAt(from, roof.value, q(roof.label)), pointAt(std::max(highX, from * 10), roof.value, q(roof.label))},
            {std::max(highX, from * 10), roof.value * kTera}, true);
    }
}

XYPoint makePoint(const Place& place)
{
    const RooflinePoint& point = place.point;
    const QString bytes = point.measured ? QString() : QStringLiteral(", calculated bytes");
    return pointAt(point.intensity, point.flopsPerSecond,
                   QStringLiteral("%1\n%2, %3%4")
                       .arg(q(displayKernel(*place.run)), q(formatFlops(point.flopsPerSecond)), q(formatIntensity(point.intensity)), bytes),
                   q(place.run->id.text));
}

/// What the run executed, if that differs from what it had to compute.
std::optional<Place> findExecutedPlace(const RunRecord& run, const Roofline& roofline, const RooflinePoint& main)
{
    for (const RooflinePoint& point : roofline.points)
        if (point.kind == "executed" && point.level == main.level && main.kind == "useful" &&
            std::abs(point.flopsPerSecond - main.flopsPerSecond) > kElsewhere * main.flopsPerSecond)
            return Place{&run, point};
    return {};
}

/// The x range of the points and the ridge of the run's own roofs, plus a decade on each side.
std::pair<double, double> fitRange(const std::vector<Place>& places, const Roofline& roofline, MemoryLevel level)
{
    double low = places.front().point.intensity, high = low;
    for (const Place& place : places) {
        low = std::min(low, place.point.intensity);
        high = std::max(high, place.point.intensity);
    }
    const Roof* memory = findRoof(roofline, nameLevel(level));
    const Roof* compute = findRoof(roofline, roofline.compute);
    if (memory && compute) {
        low = std::min(low, compute->value / memory->value);
        high = std::max(high, compute->value / memory->value);
    }
    return {low / 10, high * 10};
}

/// The axis ends where the roofs do.
void fitToRoofs(XYSpec& spec, double low)
{
    double high = low;
    for (const XYSeries& roof : spec.series)
        for (const XYPoint& end : roof.points)
            high = std::max(high, end.x);
    spec.x.min = low;
    spec.x.max = high > low ? std::optional(high) : std::nullopt;
}

} // namespace

XYSpec rooflineSpec(const std::vector<const RunRecord*>& runs, MemoryLevel level, bool arrows)
{
    XYSpec spec;
    spec.x = {QStringLiteral("FLOP per %1 byte").arg(levelName(level)), true, false, {}, {}, {}};
    spec.y = {QStringLiteral("TFLOP/s"), true, false, {}, {}, {}};
    spec.emptyReason = QStringLiteral("None of these runs has both floating-point work and known %1 traffic.").arg(levelName(level));
    std::vector<Place> places;
    std::optional<Roofline> first;
    for (const RunRecord* run : runs) {
        Roofline roofline = computeRoofline(*run);
        if (const RooflinePoint* point = mainPoint(roofline, level)) {
            places.push_back({run, *point});
            if (!first)
                first = std::move(roofline);
        }
    }
    if (places.empty() && !runs.empty()) {
        const Roofline roofline = computeRoofline(*runs.front());
        for (const std::string& missing : roofline.missing)
            if (missing.starts_with(titleFor(level)))
                spec.emptyReason += u' ' + q(missing) + u'.';
    }
    if (places.empty())
        return spec;
    const std::optional<Place> executed = arrows ? std::nullopt : findExecutedPlace(*places.front().run, *first, places.front().point);
    std::vector<Place> drawn = places;
    if (executed)
        drawn.push_back(*executed);
    const auto [low, high] = fitRange(drawn, *first, level);
    addRoofs(spec, *first, level, false, low, high);
    addRoofs(spec, *first, level, true, low, high);
    fitToRoofs(spec, low);
    if (arrows && places.size() > 1) {
        XYSeries way{QStringLiteral("run order"), Token::muted, true, true, Marker::none, {}, {}};
        for (const Place& place : places)
            way.points.push_back(makePoint(place));
        spec.series.push_back(std::move(way));
    }
    constexpr Marker kMarkers[] = {Marker::circle, Marker::square, Marker::triangle, Marker::diamond};
    std::set<std::pair<Token, Marker>> used; // colors repeat
    std::size_t at = 0;
    const auto nextMarker = [&](Token token) {
        for (std::size_t tries = 0; tries < std::size(kMarkers); ++tries)
            if (const Marker marker = kMarkers[at++ % std::size(kMarkers)]; used.insert({token, marker}).second)
                return marker;
        return kMarkers[at++ % std::size(kMarkers)];
    };
    if (executed) {
        used.insert({seriesToken(assignSeries(executed->point.label)), Marker::diamond});
        spec.series.push_back({q(displayKernel(*executed->run)) + QStringLiteral(", as executed"),
                               seriesToken(assignSeries(executed->point.label)),
                               false,
                               false,
                               Marker::diamond,
                               {makePoint(*executed)},
                               {}});
    }
    for (const Place& place : places)
        spec.series.push_back({q(displayKernel(*place.run)) + (place.point.measured ? QString() : QStringLiteral(", calculated bytes")),
                               seriesToken(assignSeries(place.point.label)),
                               false,
                               false,
                               nextMarker(seriesToken(assignSeries(place.point.label))),
                               {makePoint(place)},
                               {}});
    return spec;
}

XYSpec kernelsRooflineSpec(const std::vector<KernelRow>& kernels, const RunRecord& device, MemoryLevel level)
{
    constexpr std::size_t kNamed = 5;
    XYSpec spec;
    spec.x = {QStringLiteral("FLOP per %1 byte").arg(levelName(level)), true, false, {}, {}, {}};
    spec.y = {QStringLiteral("TFLOP/s"), true, false, {}, {}, {}};
    spec.emptyReason = QStringLiteral("None of these kernels has both floating-point work and known %1 traffic.").arg(levelName(level));
    std::vector<const KernelRow*> placed;
    double most = 0, low = 0, high = 0;
    for (const KernelRow& row : kernels)
        if (const auto& point = row.points[static_cast<std::size_t>(level)]; point && point->intensity > 0 && point->flops > 0) {
            placed.push_back(&row);
            most = std::max(most, row.totalNs.value_or(0));
            low = low == 0 ? point->intensity : std::min(low, point->intensity);
            high = std::max(high, point->intensity);
        }
    if (placed.empty())
        return spec;
    const Roofline roofline = computeRoofline(device);
    const Roof* memory = findRoof(roofline, nameLevel(level));
    for (const Roof& roof : roofline.roofs)
        if (memory && !roof.slanted && !roof.measured)
            high = std::max(high, roof.value / memory->value);
    addRoofs(spec, roofline, level, false, low / 3, high * 2);
    fitToRoofs(spec, low / 3);
    spec.x.max = std::max(spec.x.max.value_or(0), high * 2);
    std::ranges::sort(placed, std::greater(), [](const KernelRow* row) { return row->totalNs.value_or(0); });
    XYSeries all{QStringLiteral("kernels, by time"), Token::series1, false, false, Marker::circle, {}, {}};
    for (const KernelRow* row : placed) {
        const KernelPoint& at = *row->points[static_cast<std::size_t>(level)];
        XYPoint point =
            pointAt(at.intensity, at.flops,
                    QStringLiteral("%1\n%2, %3, %4")
                        .arg(row->shortName, q(formatTime(row->totalNs)), q(formatFlops(at.flops)), q(formatIntensity(at.intensity))),
                    q(row->id.text));
        point.area = most > 0 ? row->totalNs.value_or(0) / most : 1;
        if (all.points.size() < kNamed)
            spec.notes.push_back({QPointF(point.x, point.y), row->shortName, Token::text, false});
        all.points.push_back(std::move(point));
    }
    spec.series.push_back(std::move(all));
    return spec;
}

QString rooflineTitle(const RunRecord& run, MemoryLevel level)
{
    const Roofline roofline = computeRoofline(run);
    const RooflinePoint* point = mainPoint(roofline, level);
    const Roof* compute = findRoof(roofline, roofline.compute);
    const Roof* memory = findRoof(roofline, nameLevel(level));
    if (!point || !compute)
        return {};
    QString title = QStringLiteral("Runs at %1 of the %2 roof")
                        .arg(q(formatPercent(point->flopsPerSecond / compute->value * 100)), kindName(roofline.compute));
    if (memory)
        title += QStringLiteral(" and %1 of %2's")
                     .arg(q(formatPercent(point->flopsPerSecond / point->intensity / memory->value * 100)), levelName(level));
    return title;
}

QString describeAmplification(const RunRecord& run)
{
    const Roofline roofline = computeRoofline(run);
    const auto words = [](const std::optional<double>& ratio) {
        return ratio ? q(formatRatio(*ratio)) + QStringLiteral(" the required amount") : QStringLiteral("unknown");
    };
    if (!roofline.trafficAmplification && !roofline.flopAmplification)
        return {}; // a report: what the kernel has to move and compute has no formula, though both were measured
    const QString text =
        QStringLiteral("DRAM traffic %1 · FLOPs %2").arg(words(roofline.trafficAmplification), words(roofline.flopAmplification));
    const std::string note = amplificationNote(roofline);
    return note.empty() ? text : text + QStringLiteral(". ") + q(note);
}

QString explainMissingRoofline(const RunRecord& run)
{
    const Roofline roofline = computeRoofline(run);
    if (!roofline.points.empty())
        return {};
    if (roofline.executedFlops && *roofline.executedFlops <= 0)
        return QStringLiteral("No roofline: the kernel executes no floating-point instructions.");
    if (roofline.flops || roofline.executedFlops)
        return QStringLiteral("No roofline: memory traffic was not measured.");
    if (run.imported)
        return QStringLiteral("No roofline: the report has no floating-point counts; ncu --section "
                              "SpeedOfLight_RooflineChart collects them.");
    return run.metrics ? QStringLiteral("No roofline: floating-point work was not counted and has no formula.")
                       : QStringLiteral("No roofline: floating-point work has no formula and was not counted.");
}

} // namespace kl::ui
