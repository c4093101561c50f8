// SPDX-License-Identifier: MIT
#include "app/kloop/render/render_show.h"

#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/roofline.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kl::cli {
namespace {

constexpr double kLeastStall = 0.5; ///< percent

std::string formatShown(const std::optional<double>& value, std::string_view unit)
{
    return value ? formatWithUnit(*value, unit) : std::string(kNoValue);
}

std::string formatShareOfRoof(std::optional<double> part, const Roof* whole)
{
    return part && whole && whole->value > 0 ? formatPercent(100 * *part / whole->value) : std::string(kNoValue);
}

std::string rateText(std::optional<double> rate, bool slanted)
{
    return !rate ? std::string(kNoValue) : slanted ? formatBandwidth(*rate) : formatFlops(*rate);
}

std::string factor(const std::optional<double>& ratio)
{
    return ratio ? formatRatio(*ratio) : "unknown";
}

const MemoryFigure* find(const std::vector<MemoryFigure>& figures, std::string_view name)
{
    const auto found = std::ranges::find(figures, name, &MemoryFigure::name);
    return found == figures.end() ? nullptr : &*found;
}

std::string cell(const std::vector<MemoryFigure>& figures, std::string_view name)
{
    const MemoryFigure* figure = find(figures, name);
    return !figure ? std::string() : formatShown(figure->value, figure->unit);
}

/// What is not one of the table's own columns: "4 sectors per request, 100 % useful bytes".
std::string rest(const std::vector<MemoryFigure>& figures, const std::set<std::string>& columns)
{
    std::string text;
    for (const MemoryFigure& figure : figures)
        if (!columns.contains(figure.name) && figure.value)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", formatShown(figure.value, figure.unit), figure.name);
    return text;
}

std::string titleFor(const MemoryChart& chart, const std::string& id)
{
    const auto found = std::ranges::find(chart.units, id, &MemoryUnit::id);
    return found == chart.units.end() ? id : found->title;
}

} // namespace

std::string renderRoofline(const RunRecord& run)
{
    const Roofline line = computeRoofline(run);
    std::string text = applyTone(line.clockMhz > 0 ? fmt::format("Roofline at {} ({})", formatClock(line.clockMhz), line.clockFrom)
                                                   : std::string("Roofline (clock unknown)"),
                                 Tone::strong) +
                       '\n';
    const bool computes = line.flops || line.executedFlops.value_or(0) > 0;
    Table roofs({"Roof", "Nominal>", "Measured>", "This kernel>", "Of nominal>", "Of measured>", ""});
    for (const RoofKind& kind : roofKinds()) {
        const bool slanted = kind.level.has_value();
        const Roof* nominal = findRoof(line, kind.id);
        const Roof* measured = findRoof(line, kind.id, true);
        const auto reached = line.reached.find(std::string(kind.id));
        const std::optional<double> rate = reached == line.reached.end() ? std::nullopt : std::optional(reached->second);
        if (!nominal && !measured && !rate)
            continue;
        roofs.add({std::string(kind.title), rateText(nominal ? std::optional(nominal->value) : std::nullopt, slanted),
                   rateText(measured ? std::optional(measured->value) : std::nullopt, slanted), rateText(rate, slanted),
                   formatShareOfRoof(rate, nominal), formatShareOfRoof(rate, measured),
                   computes && line.compute == kind.id ? "its arithmetic" : ""});
    }
    text += roofs.text("  ");
    for (const Roof& roof : line.roofs)
        if (roof.reachedHere)
            text += fmt::format("  {}: above the {} roof of this GPU, which is raised to it here\n", roof.label,
                                roof.measured ? "measured" : "nominal");
    Table points({"Point", "Intensity>", "Rate>", "Roof>", "Of roof>"});
    const Roof* compute = findRoof(line, line.compute);
    for (const RooflinePoint& point : line.points) {
        const Roof* memory = findRoof(line, roofKind(point.level).id);
        std::optional<double> top;
        if (memory && compute)
            top = std::min(memory->value * point.intensity, compute->value);
        points.add({fmt::format("{}, {} bytes{}", point.kind, kl::titleFor(point.level), point.measured ? "" : " by formula"),
                    formatIntensity(point.intensity), formatFlops(point.flopsPerSecond), top ? formatFlops(*top) : std::string(kNoValue),
                    top ? formatPercent(100 * point.flopsPerSecond / *top) : std::string(kNoValue)});
    }
    if (!points.empty())
        text += '\n' + points.text("  ");
    text += fmt::format("\n  traffic amplification {}, FLOP amplification {}\n", factor(line.trafficAmplification),
                        factor(line.flopAmplification));
    if (const std::string note = amplificationNote(line); !note.empty())
        text += fmt::format("  {}\n", note);
    for (const std::string& missing : line.missing)
        text += applyTone(fmt::format("  not drawn: {}\n", missing), Tone::faint);
    return text;
}

std::string renderMemoryChart(const RunRecord& run)
{
    const MemoryChart chart = memoryChart(run);
    std::string text = applyTone(fmt::format("Memory chart{}{}", chart.launch.empty() ? "" : " of " + chart.launch,
                                             chart.ns ? ", " + formatTime(*chart.ns) : std::string()),
                                 Tone::strong) +
                       '\n';
    const std::set<std::string> unitColumns{"hit rate", "busy", "bytes"};
    Table units({"Unit", "Busy>", "Hit rate>", "Bytes>", "More"});
    for (const MemoryUnit& unit : chart.units) {
        units.add({unit.title, cell(unit.figures, "busy"), cell(unit.figures, "hit rate"), cell(unit.figures, "bytes"),
                   rest(unit.figures, unitColumns)});
    }
    const std::set<std::string> flowColumns{"requests", "bytes", "rate", "of peak"};
    Table flows({"From", "To", "What", "Requests>", "Bytes>", "Rate>", "Of peak>", "More"});
    for (const MemoryFlow& flow : chart.flows) {
        const std::string from = titleFor(chart, flow.from), to = titleFor(chart, flow.to);
        flows.add({from, to, flow.what, cell(flow.figures, "requests"), cell(flow.figures, "bytes"), cell(flow.figures, "rate"),
                   cell(flow.figures, "of peak"), rest(flow.figures, flowColumns)});
    }
    text += units.text("  ") + '\n' + flows.text("  ");
    for (const auto& [why, what] : listMissing(chart))
        text += applyTone(fmt::format("  not measured ({}): {}\n", why, fmt::join(what, "; ")), Tone::faint);
    return text;
}

std::string renderStalls(const RunRecord& run)
{
    std::string text = applyTone("Where warps spend their time", Tone::strong) + '\n';
    const std::vector<StallShare> shares = stallShares(RunFacts(run));
    if (shares.empty())
        return text + (!run.metrics   ? "  Stall reasons need hardware counters, and the run has none.\n"
                       : run.imported ? "  The report has no stall reasons; ncu --set full collects them.\n"
                                      : "  Stall reasons were not collected; they are part of tier 2.\n");
    Table table({"Waits for", "Time>", "Meaning"});
    for (const StallShare& share : shares)
        if (share.percent >= kLeastStall)
            for (const StallReason& reason : stallReasons())
                if (reason.id == share.id)
                    table.add({std::string(reason.title), formatPercent(share.percent), std::string(reason.help)});
    return text + table.text("  ");
}

std::string renderOccupancyWhatIf(const RunRecord& run)
{
    std::string text = applyTone("Occupancy", Tone::strong) + '\n';
    const std::optional<OccupancyWhatIf> found = occupancyWhatIf(run);
    if (!found)
        return text + "  The launch's registers and block size, or the GPU's limits, are unknown.\n";
    text += fmt::format(
        "  {} threads per block, {} registers per thread, {} of shared memory per block: {} blocks per SM, {}, limited by {}{}\n",
        found->needs.threads, found->needs.registersPerThread, formatBytes(static_cast<double>(found->needs.smem)), found->now.blocksPerSm,
        formatPercent(found->now.percent), found->now.limiter,
        found->achieved ? fmt::format("; achieved {}", formatPercent(*found->achieved)) : "");
    text += fmt::format("  block limits per SM: registers {}, shared memory {}, warps {}, blocks {}\n", found->terms.byRegisters,
                        found->terms.bySharedMemory, found->terms.byWarps, found->terms.byBlocks);
    if (found->halvedTakes)
        text += fmt::format("  measured: with half the blocks per SM the kernel takes {} as long\n", formatRatio(*found->halvedTakes));
    Table levers({"Change", "From>", "To>", "Occupancy>", "Then limited by"});
    const auto amount = [](OccupancyInput input, std::int64_t value) {
        return input == OccupancyInput::sharedMemory ? formatBytes(static_cast<double>(value)) : std::to_string(value);
    };
    for (const OccupancyLever& lever : found->levers)
        levers.add({toWord(lever.input), amount(lever.input, lever.from), amount(lever.input, lever.to), formatPercent(lever.gives.percent),
                    lever.gives.limiter});
    if (!levers.empty())
        return text + levers.text("  ");
    return text + (found->now.percent >= 100 ? "  Occupancy is at its maximum.\n" : "  No single change would raise it.\n");
}

std::string renderExperiments(const RunRecord& run)
{
    if (run.experiments.empty())
        return {};
    Table table({"Experiment", "Time>", "n>", "Change"});
    for (const Experiment& one : run.experiments)
        table.add({one.id, one.ratio ? formatRatio(*one.ratio) : std::string(kNoValue), one.ratio ? std::to_string(one.n) : "",
                   one.unavailable.empty() ? one.change : "not run: " + one.unavailable});
    return '\n' + applyTone("Launch shape experiments", Tone::strong) + '\n' + table.text("  ");
}

} // namespace kl::cli
