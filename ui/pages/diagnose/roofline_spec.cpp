// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/roofline_spec.h"

#include "core/base/format.h"
#include "core/device/peaks.h"
#include "core/diagnosis/run_facts.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace kl {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kTera = 1e-12; ///< FLOP/s to TFLOP/s

struct Place {
    const RunRecord* run = nullptr;
    double intensity = 0; ///< FLOP per byte
    double rate = 0;      ///< FLOP/s
};

std::optional<Place> placeOf(const RunRecord& run, MemoryLevel level)
{
    const std::optional<double> bytes = bytesAt(run, level);
    const RunFacts facts(run);
    const std::optional<double> ns = facts.launchNs();
    if (!bytes || *bytes <= 0 || !ns || *ns <= 0 || run.flops <= 0)
        return {};
    return Place{&run, run.flops / *bytes, run.flops / *ns * 1e9};
}

QString levelName(MemoryLevel level)
{
    return level == MemoryLevel::dram ? QStringLiteral("DRAM") : level == MemoryLevel::l2 ? QStringLiteral("L2") : QStringLiteral("L1");
}

/// The compute roof that the run's instructions run under.
std::pair<QString, std::optional<double>> computeRoof(const RunRecord& run, const Peaks& peaks)
{
    const RunFacts facts(run);
    if (facts.metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed").value_or(0) > 1)
        return {QStringLiteral("tensor FP16"), peaks.tensorFp16};
    if (facts.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active").value_or(0) > 5)
        return {QStringLiteral("FP64"), peaks.fp64};
    return {QStringLiteral("FP32"), peaks.fp32};
}

void addRoofs(XYSpec& spec, const RunRecord& run, MemoryLevel level, double lowX, double highX)
{
    const Peaks peaks = peaksOf(run.device, run.metrics ? run.metrics->clockMhz : std::nullopt);
    const auto [name, compute] = computeRoof(run, peaks);
    const std::optional<double> memory = level == MemoryLevel::dram ? peaks.dram : std::nullopt;
    XYSeries roof;
    roof.name = QStringLiteral("roof");
    roof.token = Token::neutral;
    roof.marker = Marker::none;
    const auto point = [](double x, double y) { return XYPoint{x, y * kTera, {}, {}, {}}; };
    if (memory && compute) {
        const double ridge = *compute / *memory;
        lowX = std::min(lowX, ridge / 10);
        highX = std::max(highX, ridge * 10);
        roof.points = {point(lowX, lowX * *memory), point(ridge, *compute), point(highX, *compute)};
    } else if (compute) {
        roof.points = {point(lowX, *compute), point(highX, *compute)};
    }
    if (memory)
        spec.notes.push_back(
            {QPointF(lowX, lowX * *memory * kTera), QStringLiteral("%1 %2").arg(levelName(level), q(formatBandwidth(*memory)))});
    if (compute)
        spec.notes.push_back({QPointF(highX, *compute * kTera),
                              QStringLiteral("%1 %2 at %3").arg(name, q(formatFlops(*compute)), q(formatClock(peaks.clockMhz)))});
    if (!roof.points.empty())
        spec.series.push_back(std::move(roof));
}

XYPoint pointOf(const Place& place)
{
    return {
        place.intensity,
        place.rate * kTera,
        {},
        {},
        QStringLiteral("%1\n%2, %3").arg(q(toText(place.run->kernel)), q(formatFlops(place.rate)), q(formatIntensity(place.intensity)))};
}

} // namespace

std::optional<double> bytesAt(const RunRecord& run, MemoryLevel level)
{
    const RunFacts facts(run);
    switch (level) {
    case MemoryLevel::dram: return sumOf({facts.metric("dram__bytes_read.sum"), facts.metric("dram__bytes_write.sum")});
    case MemoryLevel::l2: return facts.metric("lts__t_bytes.sum");
    case MemoryLevel::l1: return times(facts.metric("l1tex__t_sectors.sum"), kSectorBytes);
    }
    return {};
}

XYSpec rooflineSpec(const std::vector<const RunRecord*>& runs, MemoryLevel level, bool arrows)
{
    XYSpec spec;
    spec.x = {QStringLiteral("arithmetic intensity, FLOP per %1 byte").arg(levelName(level)), true, false, {}, {}, {}};
    spec.y = {QStringLiteral("TFLOP/s"), true, false, {}, {}, {}};
    spec.emptyReason = QStringLiteral("No run here has both floating-point work and measured %1 traffic.").arg(levelName(level));
    std::vector<Place> places;
    for (const RunRecord* run : runs)
        if (const auto place = placeOf(*run, level))
            places.push_back(*place);
    if (places.empty())
        return spec;
    const auto [low, high] =
        std::minmax_element(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.intensity < b.intensity; });
    addRoofs(spec, *places.front().run, level, low->intensity / 10, high->intensity * 10);
    if (arrows && places.size() > 1) {
        XYSeries way{QStringLiteral("in this order"), Token::muted, true, true, Marker::none, {}, {}};
        for (const Place& place : places)
            way.points.push_back(pointOf(place));
        spec.series.push_back(std::move(way));
    }
    constexpr Marker kMarkers[] = {Marker::circle, Marker::square, Marker::triangle, Marker::diamond};
    int at = 0;
    for (const Place& place : places) {
        const std::string name = toText(place.run->kernel);
        spec.series.push_back({q(name), seriesToken(seriesIndexOf(name)), false, false, kMarkers[at++ % 4], {pointOf(place)}, {}});
    }
    return spec;
}

QString rooflineTitle(const RunRecord& run)
{
    const auto place = placeOf(run, MemoryLevel::dram);
    if (!place)
        return {};
    const Peaks peaks = peaksOf(run.device, run.metrics ? run.metrics->clockMhz : std::nullopt);
    const auto [name, compute] = computeRoof(run, peaks);
    if (!compute || !peaks.dram)
        return {};
    return QStringLiteral("Runs at %1 of the %2 roof and %3 of DRAM's")
        .arg(q(formatPercent(place->rate / *compute * 100)), name, q(formatPercent(place->rate / place->intensity / *peaks.dram * 100)));
}

} // namespace kl
