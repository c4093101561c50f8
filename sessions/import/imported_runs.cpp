// SPDX-License-Identifier: MIT
#include "sessions/import/imported_runs.h"

#include "core/base/ids.h"
#include "core/base/parallel.h"
#include "core/device/launch_occupancy.h"
#include "core/device/metric_name.h"
#include "core/device/occupancy.h"
#include "profiler/import/device_facts.h"
#include "sessions/import/derived_metrics.h"
#include "sessions/program/program_profile.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace kl::inline imports {
namespace {

std::optional<double> lookUpFigure(const ImportedResult& result, MetricName metric)
{
    const auto found = result.values.find(std::string(metric));
    return found == result.values.end() ? std::nullopt : found->second;
}

std::int64_t findCount(const ImportedResult& result, MetricName metric)
{
    const auto figure = lookUpFigure(result, metric);
    return figure ? std::max<std::int64_t>(wholeNumber(*figure).value_or(0), 0) : 0;
}

int findSmallCount(const ImportedResult& result, MetricName metric)
{
    return static_cast<int>(std::min<std::int64_t>(findCount(result, metric), std::numeric_limits<int>::max()));
}

/// Elapsed cycles over the time: 1000 × cycles / ns is MHz.
std::optional<double> computeClock(const ImportedResult& result)
{
    const auto cycles = lookUpFigure(result, "gpc__cycles_elapsed.max");
    const auto ns = lookUpFigure(result, "gpu__time_duration.sum");
    if (cycles && ns && *ns > 0)
        return 1000 * *cycles / *ns;
    const auto hertz = lookUpFigure(result, "gpc__cycles_elapsed.avg.per_second");
    return hertz ? std::optional(*hertz / 1e6) : std::nullopt;
}

/// Blocks per SM by each of the report's own limits, for GPUs that the occupancy table does not know.
void takeReportedOccupancy(const ImportedResult& result, LaunchFacts& facts)
{
    struct Limit {
        MetricName metric;
        const char* word;
    };
    static constexpr std::array<Limit, 5> kLimits{{{"launch__occupancy_limit_registers", "registers"},
                                                   {"launch__occupancy_limit_shared_mem", "shared memory"},
                                                   {"launch__occupancy_limit_warps", "warps"},
                                                   {"launch__occupancy_limit_blocks", "blocks"},
                                                   {"launch__occupancy_limit_barriers", "barriers"}}};
    for (const auto& [metric, word] : kLimits)
        if (const int blocks = findSmallCount(result, metric); blocks > 0 && (facts.blocksPerSm == 0 || blocks < facts.blocksPerSm)) {
            facts.blocksPerSm = blocks;
            facts.occupancyLimiter = word;
        }
    facts.theoreticalOccupancy = lookUpFigure(result, "sm__maximum_warps_per_active_cycle_pct").value_or(0);
}

LaunchFacts collectLaunchFacts(const ImportedResult& result)
{
    LaunchFacts facts;
    facts.entry = result.facts.kernel;
    const std::vector<int>& grid = result.facts.grid;
    const std::vector<int>& block = result.facts.block;
    facts.gridBlocks = findCount(result, "launch__grid_size");
    facts.blockThreads = findSmallCount(result, "launch__block_size");
    if (facts.gridBlocks == 0 && grid.size() == 3) // at most 2^31 − 1 by 2^16 − 1 by 2^16 − 1 in a sound file
        facts.gridBlocks = wholeNumber(static_cast<double>(grid[0]) * grid[1] * grid[2]).value_or(0);
    if (facts.blockThreads == 0 && block.size() == 3)
        facts.blockThreads = static_cast<int>(std::clamp(static_cast<double>(block[0]) * block[1] * block[2], 0.0, 1024.0));
    facts.registers = findSmallCount(result, "launch__registers_per_thread");
    facts.staticSmem = findCount(result, "launch__shared_mem_per_block_static");
    facts.dynamicSmem = findCount(result, "launch__shared_mem_per_block_dynamic");
    facts.gpuNs = lookUpFigure(result, "gpu__time_duration.sum");
    if (!addOccupancy(facts, result.device))
        takeReportedOccupancy(result, facts);
    const auto waves = lookUpFigure(result, "launch__waves_per_multiprocessor");
    facts.waves = waves ? *waves : computeWaves(facts.gridBlocks, facts.blocksPerSm, result.device.smCount);
    return facts;
}

/// Takes the result's figures away.
MetricSet takeMetricSet(ImportedResult& result)
{
    MetricSet metrics;
    metrics.launch = result.facts.kernel;
    metrics.plan.passes = metrics.plan.ran = findSmallCount(result, "profiler__replayer_passes");
    metrics.rangeMode = result.facts.kind == "kernel" ? "a launch" : "a " + result.facts.kind;
    metrics.replayMode = result.replayMode.empty() ? "not reported" : result.replayMode;
    metrics.cacheControl = result.cacheControl.empty() ? "not reported" : result.cacheControl;
    metrics.clockMhz = computeClock(result);
    metrics.values = std::move(result.values);
    metrics.missing = std::move(result.missing);
    addDerivedMetrics(metrics);
    for (const auto& entry : result.facts.texts) { // requested as numbers, but texts here
        metrics.values.erase(entry.first);
        metrics.missing.erase(entry.first);
        metrics.spelled.erase(entry.first);
    }
    return metrics;
}

/// One launch: a median without a spread.
std::optional<Timing> readTiming(const ImportedResult& result)
{
    const auto ns = lookUpFigure(result, "gpu__time_duration.sum");
    if (!ns || *ns <= 0)
        return {};
    Timing timing;
    timing.gpu = {*ns, *ns, *ns, 1};
    timing.samples = {*ns};
    timing.clocks = {computeClock(result)};
    timing.clockMhz = computeClock(result);
    timing.stoppedBy = "one profiled launch";
    return timing;
}

std::string sizeText(const std::vector<int>& size)
{
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

Params makeProblem(const ImportFacts& facts)
{
    if (facts.grid.size() != 3 || facts.block.size() != 3)
        return {};
    return {{"BLOCK", sizeText(facts.block)}, {"GRID", sizeText(facts.grid)}};
}

std::string makeLaunchSlug(const ImportFacts& facts)
{
    const std::string& name = facts.mangled.empty() ? facts.kernel : facts.mangled;
    return name.empty() ? fmt::format("{}-{}", facts.kind.substr(0, facts.kind.find(' ')), facts.index + 1) : kernelSlug(name);
}

RunRecord makeImportedRun(ImportedResult result, const ImportedOrigin& origin, const DiagnosisTree& tree)
{
    RunRecord run;
    run.id.text = makeUuidFromName(fmt::format("import {} {}", origin.hash, result.facts.index));
    run.kernel = {"program", makeLaunchSlug(result.facts), {}};
    run.problem = makeProblem(result.facts);
    run.device = result.device;
    if (run.device.name.empty())
        run.device.name =
            run.device.ccMajor > 0 ? fmt::format("GPU of compute capability {}", computeCapability(run.device)) : "unknown GPU";
    run.source = Source::import;
    run.startedAt = result.startedAt.empty() ? origin.date : result.startedAt;
    run.correctness.reason = "the kernel belongs to another program, which has no reference";
    run.timing = readTiming(result);
    if (result.facts.kind == "kernel")
        run.launches = {collectLaunchFacts(result)};
    run.metrics = takeMetricSet(result);
    run.warnings = std::move(result.warnings);
    run.sourceProfile = std::move(result.source);
    run.pmSampling = std::move(result.series);
    if (result.startedAt.empty())
        run.warnings.push_back({"date-of-file", "The file does not say when it was measured; the date of the file is used instead."});
    if (result.facts.kind != "kernel")
        run.warnings.push_back(
            {"several-launches", fmt::format("It counts all launches of a {} together: what applies to a single launch only, such as "
                                             "its grid and its occupancy, is left out.",
                                             result.facts.kind)});
    else if (run.timing)
        run.warnings.push_back(
            {"one-launch", "Its time is that of one launch under the profiler: it has no spread and cannot be compared."});
    run.imported = std::move(result.facts);
    run.imported->file = origin.file;
    run.imported->fileHash = origin.hash;
    run.diagnosis = tree.diagnose(run, {});
    return run;
}

} // namespace

std::vector<RunRecord> makeImportedRuns(ImportedFile file, const ImportedOrigin& origin, const DiagnosisTree& tree)
{
    std::vector<RunRecord> runs(file.results.size());
    inParallel(runs.size(), [&](std::size_t i) { runs[i] = makeImportedRun(std::move(file.results[i]), origin, tree); });
    return runs;
}

} // namespace kl::inline imports
