// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/metric_name.h"
#include "core/diagnosis/estimate_text.h"
#include "sessions/measure/hot_lines.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::cli {
namespace {

constexpr std::size_t kKernels = 10;
constexpr std::size_t kRanges = 12;
constexpr std::size_t kName = 60;

std::string shortenName(std::string name)
{
    if (name.size() <= kName)
        return name;
    name.resize(kName - 1);
    return name + "…";
}

std::string formatEnding(const ProgramRun& program)
{
    return program.signal ? fmt::format("killed by signal {}", *program.signal) : fmt::format("exit {}", program.exitCode);
}

bool kernelsOverlap(const ProgramProfile& profile)
{
    return std::ranges::any_of(profile.runs, [&](const RunRecord& run) {
        const ShapeTotals* seen = shapeTotals(profile.totals, run);
        return seen && !seen->beside.empty();
    });
}

bool usesGraphs(const ProgramProfile& profile)
{
    return !profile.totals.graphs.empty();
}

std::string summary(const ProgramProfile& profile)
{
    const ProgramTotals& totals = profile.totals;
    std::string text = applyTone(fmt::format("{}", fmt::join(profile.program.command, " ")), Tone::strong);
    text += fmt::format("\n  {}, {}", formatEnding(profile.program), formatTime(profile.program.wallSeconds * 1e9));
    if (totals.launches > 0)
        text +=
            fmt::format("; {} launches of {} kernels, {} in kernels and {} in copies", formatCount(static_cast<double>(totals.launches)),
                        totals.kernels.size(), formatTime(totals.kernelNs), formatTime(totals.copyNs));
    if (totals.spanNs > 0)
        text += fmt::format("; GPU busy {} of {}", formatPercent(100 * totals.busyNs / totals.spanNs), formatTime(totals.spanNs));
    text += '\n';
    if (kernelsOverlap(profile))
        text += fmt::format("  kernels ran beside each other: {} of kernels in {}\n", formatTime(totals.kernelNs),
                            formatTime(totals.kernelUnionNs));
    if (profile.counted)
        text += fmt::format("  run again in {} for the counters of the launches that take the time\n",
                            formatTime(profile.counted->wallSeconds * 1e9));
    if (profile.finding) {
        text += '\n' + applyTone(profile.finding->title, Tone::strong) + fmt::format("\n  {}\n", estimateText(*profile.finding));
        for (const Fix& fix : profile.finding->fixes)
            text += fmt::format("  - {}: {}\n", fix.title, fix.why);
    }
    return text;
}

/// Time of a launch among others.
std::optional<double> findTogetherTime(const ProgramTotals& totals, const RunRecord& run)
{
    for (const KernelTotals& kernel : totals.kernels)
        if (kernel.name == run.program->kernel && kernel.device == run.device)
            return togetherNs(kernel, run);
    return {};
}

/// Of the time in which any kernel ran, that in which only this one did.
std::string exclusiveShare(const ProgramTotals& totals, const ShapeTotals* seen)
{
    return seen && totals.kernelUnionNs > 0 ? formatPercent(100 * seen->exclusiveNs / totals.kernelUnionNs) : std::string();
}

std::string besideText(const RunRecord& run, const ShapeTotals* seen)
{
    if (!seen || seen->beside.empty())
        return {};
    const std::string& most = seen->beside.front().name;
    return most == run.program->kernel ? "itself" : shortenName(shortKernelName(most));
}

std::string describeLauncher(const ShapeTotals* seen)
{
    if (!seen || seen->graphLaunches == 0)
        return {};
    return seen->graphLaunches < std::ranges::count(seen->times, false, &KernelTime::again) ? "graph, stream" : "graph";
}

std::string kernels(const ProgramProfile& profile)
{
    const bool overlap = kernelsOverlap(profile), graphs = usesGraphs(profile);
    std::vector<std::string> heads{"Share>", "Time>"};
    if (overlap)
        heads.insert(heads.end(), {"Exclusive>", "Runs beside"});
    heads.insert(heads.end(), {"Launches>", "Each>", "Together>", "Kernel", "Grid"});
    if (graphs)
        heads.emplace_back("By");
    heads.insert(heads.end(), {"Limited by", "Stored as"});
    Table table(heads);
    for (const RunRecord& run : profile.runs) {
        if (&run - profile.runs.data() >= static_cast<std::ptrdiff_t>(kKernels))
            break;
        const ProgramFacts& facts = *run.program;
        const ShapeTotals* seen = shapeTotals(profile.totals, run);
        std::vector<std::string> cells{formatPercent(100 * facts.share), formatTime(facts.totalNs)};
        if (overlap) {
            cells.push_back(exclusiveShare(profile.totals, seen));
            cells.push_back(besideText(run, seen));
        }
        cells.insert(cells.end(), {formatCount(static_cast<double>(facts.launches)),
                                   formatTime(run.timing ? std::optional(run.timing->gpu.median) : std::nullopt),
                                   formatTime(findTogetherTime(profile.totals, run)), shortenName(shortKernelName(facts.kernel)),
                                   std::get<std::string>(run.problem.at("GRID"))});
        if (graphs)
            cells.push_back(describeLauncher(seen));
        cells.insert(cells.end(), {run.diagnosis->finding.classId, "run:" + run.id.text.substr(0, 13)});
        table.add(cells);
    }
    if (table.empty())
        return {};
    std::string text = '\n' + table.text("  ");
    if (profile.runs.size() > kKernels)
        text += fmt::format("  and {} more rows; --json lists all\n", profile.runs.size() - kKernels);
    return text;
}

std::string ranges(const ProgramTotals& totals)
{
    Table table({"NVTX range", "Entered>", "On the host>", "Launches>", "On the GPU>"});
    for (const RangeTotals& range : totals.ranges) {
        if (&range - totals.ranges.data() >= static_cast<std::ptrdiff_t>(kRanges))
            break;
        table.add({std::string(2 * (range.stack.size() - 1), ' ') + shortenName(range.stack.back()),
                   formatCount(static_cast<double>(range.count)), formatTime(range.hostNs),
                   formatCount(static_cast<double>(range.launches)), formatTime(range.gpuNs)});
    }
    if (table.empty())
        return {};
    std::string text = '\n' + table.text("  ");
    if (totals.ranges.size() > kRanges)
        text += fmt::format("  and {} more ranges; --json lists all\n", totals.ranges.size() - kRanges);
    return text;
}

struct BusyUnit {
    MetricName share; ///< of its peak
    const char* name;
};

constexpr std::array<BusyUnit, 3> kBusyUnits{{{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM"},
                                              {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2"},
                                              {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "SM"}}};

/// "DRAM 41 %, SM 12 %": those of which a value is known.
template <class Values> std::string busyUnits(const Values& values)
{
    std::vector<std::string> figures;
    for (const BusyUnit& unit : kBusyUnits)
        if (const auto found = values.find(std::string(unit.share.text())); found != values.end())
            figures.push_back(fmt::format("{} {}", unit.name, formatPercent(found->second)));
    return fmt::format("{}", fmt::join(figures, ", "));
}

/// The chosen range as a whole.
std::string formatChosen(const ProgramProfile& profile)
{
    const ProgramTotals& totals = profile.totals;
    if (!totals.chosen)
        return {};
    const RangeTotals& range = *totals.chosen;
    std::string text =
        fmt::format("\n  {} as a whole: entered {} times, {} on the host; {} launches, {} in kernels, {} with overlaps counted once",
                    shortenName(range.stack.back()), formatCount(static_cast<double>(range.count)), formatTime(range.hostNs),
                    formatCount(static_cast<double>(range.launches)), formatTime(range.gpuNs), formatTime(range.unionNs));
    if (totals.busyNs > 0)
        text += fmt::format(", {} of the program's time on the GPU", formatPercent(100 * range.unionNs / totals.busyNs));
    if (range.spanNs > 0)
        text += fmt::format(";\n  GPU busy {} of {}, from the first start to the last end of each entry",
                            formatPercent(100 * range.busyNs / range.spanNs), formatTime(range.spanNs));
    text += '\n';
    if (!profile.range)
        return text;
    if (const std::optional<CountedRange>& whole = profile.range->whole; whole && !whole->failure.empty())
        text += fmt::format("  it was not counted as a whole: {}\n", whole->failure);
    else if (whole)
        text += fmt::format("  counted as a whole, over {} entries: {}\n", whole->entries, busyUnits(whole->metrics.values));
    if (profile.range->values.empty())
        return text;
    return text + fmt::format("  counters of kernels that take {} of it, weighted by time: {}\n",
                              formatPercent(100 * profile.range->covered), busyUnits(profile.range->values));
}

std::string graphs(const ProgramTotals& totals)
{
    Table table({"CUDA graph", "Process>", "Launches>", "Kernels each>", "In kernels>", "Each launch>", "Running>"});
    for (const GraphTotals& graph : totals.graphs) {
        if (&graph - totals.graphs.data() >= static_cast<std::ptrdiff_t>(kRanges))
            break;
        const auto launches = static_cast<double>(graph.launches);
        table.add({fmt::format("graph {}", graph.id), fmt::to_string(graph.pid), formatCount(launches),
                   formatCount(static_cast<double>(graph.kernelLaunches) / launches), formatTime(graph.kernelNs),
                   formatTime(graph.medianSpanNs), formatPercent(graph.spanNs > 0 ? 100 * graph.unionNs / graph.spanNs : 0)});
    }
    if (table.empty())
        return {};
    std::string text = '\n' + table.text("  ");
    if (totals.graphs.size() > kRanges)
        text += fmt::format("  and {} more graphs; --json lists all\n", totals.graphs.size() - kRanges);
    return text;
}

/// Ranks, or processes, of a program that has several, or several GPUs.
std::string ranks(const ProgramTotals& totals)
{
    if (totals.ranks.size() < 2)
        return {};
    const bool ranked = std::ranges::any_of(totals.ranks, [](const RankTotals& one) { return one.rank.has_value(); });
    Table table({ranked ? "Rank" : "Process", "GPU", "Launches>", "In kernels>", "Waiting for others>", "In copies>", "Busy>", "Of>"});
    RankTotals all;
    for (const RankTotals& one : totals.ranks) {
        const std::string who = one.rank ? fmt::format("rank {}", one.rank->rank) : fmt::format("process {}", fmt::join(one.pids, ", "));
        table.add({who, fmt::format("{}: {}", one.deviceIndex, one.device.name), formatCount(static_cast<double>(one.launches)),
                   formatTime(one.kernelNs), formatTime(one.waitingNs), formatTime(one.copyNs), formatTime(one.busyNs),
                   formatTime(one.spanNs)});
        all.launches += one.launches;
        for (const auto sum : {&RankTotals::kernelNs, &RankTotals::waitingNs, &RankTotals::copyNs})
            all.*sum += one.*sum;
    }
    table.add({"in total", "", formatCount(static_cast<double>(all.launches)), formatTime(all.kernelNs), formatTime(all.waitingNs),
               formatTime(all.copyNs), formatTime(totals.busyNs), formatTime(totals.spanNs)});
    return '\n' + table.text("  ");
}

} // namespace

std::string renderProgram(const ProgramProfile& profile, const Catalog& catalog, const DiagnosisTree* explain)
{
    std::string text = '\n' + summary(profile);
    for (const Warning& note : profile.notes)
        text += fmt::format("  note: {}\n", note.text);
    text += kernels(profile) + graphs(profile.totals) + ranges(profile.totals) + formatChosen(profile) + ranks(profile.totals);
    if (profile.runs.empty())
        return text;
    const RunRecord& most = profile.runs.front(); // the kernel that takes most
    text += '\n' + applyTone(most.program->kernel, Tone::faint) + '\n' + renderRun(most) +
            (explain ? renderExplanation(most, *explain) : std::string()) + renderHotLines(most, catalog);
    return text;
}

} // namespace kl::cli
