// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/fact_rows.h"

#include "core/base/format.h"
#include "core/device/metric_value.h"
#include "core/diagnosis/run_facts.h"
#include "core/model/model_words.h"
#include "core/stats/correctness_text.h"
#include "core/stats/timing_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace kl::ui {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// The parts that are known; without any, there is no row.
void addJoined(const char* name, std::vector<std::string> parts, Facts& facts)
{
    std::erase_if(parts, [](const std::string& part) { return part.empty(); });
    if (!parts.empty())
        facts.emplace_back(name, fmt::format("{}", fmt::join(parts, ", ")));
}

void addCorrectness(const RunRecord& run, Facts& facts)
{
    const Correctness& seen = run.correctness;
    if (isRefuted(seen.result))
        facts.emplace_back("Result", describeRefuted(seen));
    else if (seen.result == CorrectnessResult::notChecked)
        facts.emplace_back("Result", "not checked" + (seen.reason.empty() ? std::string() : ": " + seen.reason));
    else
        facts.emplace_back("Result", toWord(seen.result));
    if (seen.result != CorrectnessResult::notChecked)
        facts.emplace_back("Difference from the reference", differenceText(seen));
    if (seen.witness)
        if (std::string place = witnessPlace(*seen.witness); !place.empty())
            facts.emplace_back("First failure", std::move(place));
    if (seen.proof || (run.timing && !run.imported))
        facts.emplace_back("Checks", proofText(seen));
}

void addTiming(const RunRecord& run, Facts& facts)
{
    if (!run.timing) {
        facts.emplace_back("GPU time", "not measured");
        return;
    }
    const Timing& timing = *run.timing;
    const bool ours = !run.program && !run.imported; // other programs do not control L2
    facts.emplace_back(ours ? "GPU time, L2 cold" : "GPU time",
                       fmt::format("{} ({}, n {})", formatTime(timing.gpu.median), timeInterval(timing.gpu), timing.gpu.n));
    if (ours) {
        facts.emplace_back("GPU time, L2 hot", timing.gpuHot ? formatTime(*timing.gpuHot) : "not measured");
        facts.emplace_back("Host time", timing.host ? formatTime(*timing.host) : "not measured");
    }
    facts.emplace_back("Samples", samplesText(timing));
    const std::string state = gpuStateText(timing);
    facts.emplace_back("GPU state", state.empty() ? "not measured" : state);
    if (timing.energy)
        facts.emplace_back("Energy", energyText(*timing.energy));
}

void addProgram(const RunRecord& run, Facts& facts)
{
    if (!run.program)
        return;
    const ProgramFacts& program = *run.program;
    facts.emplace_back("Program", fmt::format("{}", fmt::join(program.command, " ")));
    facts.emplace_back("Kernel", program.kernel);
    facts.emplace_back("Calls",
                       fmt::format("{} launches, {} in total, {} of all kernel time", formatCount(static_cast<double>(program.launches)),
                                   formatTime(program.totalNs), formatPercent(100 * program.share)));
    if (!program.ranges.empty())
        facts.emplace_back("NVTX ranges", fmt::format("{}", fmt::join(program.ranges, " › ")));
    std::string profiled = program.profiledLaunch ? fmt::format("launch {}", *program.profiledLaunch + 1) : "none";
    if (run.metrics)
        if (const auto alone = metricValue(*run.metrics, "gpu__time_duration.sum"))
            profiled += fmt::format(", {} serialized", formatTime(*alone));
    facts.emplace_back("Profiled launch", profiled);
}

void addImport(const RunRecord& run, Facts& facts)
{
    if (!run.imported)
        return;
    const ImportFacts& imported = *run.imported;
    addJoined("File", {imported.file, imported.kind.empty() ? std::string() : fmt::format("{} {}", imported.kind, imported.index + 1)},
              facts);
    facts.emplace_back("Measured by", imported.tool.empty() ? "not reported" : imported.tool);
    facts.emplace_back("Kernel", imported.kernel.empty() ? "not reported" : imported.kernel);
    if (!imported.command.empty() || !imported.process.empty())
        facts.emplace_back("Program", imported.command.empty() ? imported.process : imported.command);
    if (!imported.ranges.empty())
        facts.emplace_back("NVTX ranges", fmt::format("{}", fmt::join(imported.ranges, " › ")));
}

void addBaseline(const RunRecord& run, Facts& facts)
{
    if (!run.baseline)
        return;
    const Baseline& baseline = *run.baseline;
    facts.emplace_back("Baseline", baseline.gpu ? fmt::format("{}, {}", baseline.name, formatTime(baseline.gpu->median))
                                                : fmt::format("{}: {}", baseline.name, baseline.unavailable));
    facts.emplace_back("Speedup", run.speedup ? formatRatio(*run.speedup) : "not measured");
    for (const Baseline& one : run.baselines)
        facts.emplace_back("vs. " + one.id, one.gpu ? fmt::format("{}, {}", one.name, formatTime(one.gpu->median)) : one.unavailable);
}

void addLaunch(const RunRecord& run, Facts& facts)
{
    const RunFacts known(run);
    if (!known.launch())
        return;
    const LaunchFacts& launch = *known.launch();
    if (run.launches.size() > 1) {
        facts.emplace_back("Launches", fmt::format("{} distinct", run.launches.size()));
        facts.emplace_back(known.hasCounters() ? "Profiled" : "Longest",
                           fmt::format("{}, {}", launch.entry, known.launchNs() ? formatTime(*known.launchNs()) : "not timed separately"));
    }
    facts.emplace_back("Launch", fmt::format("{} × {} threads, {:.2f} waves", formatCount(static_cast<double>(launch.gridBlocks)),
                                             formatCount(launch.blockThreads), launch.waves));
    facts.emplace_back(
        "Registers", fmt::format("{} per thread, {} local memory", launch.registers, formatBytes(static_cast<double>(launch.localBytes))));
    facts.emplace_back("Shared memory", formatBytes(static_cast<double>(launch.staticSmem + launch.dynamicSmem)) + " per block");
    facts.emplace_back("Occupancy",
                       fmt::format("{:.0f} % theoretical, limited by {}", launch.theoreticalOccupancy, launch.occupancyLimiter));
}

void addMetrics(const MetricSet& metrics, Facts& facts)
{
    const auto measured = std::ranges::count_if(metrics.values, [](const auto& metric) { return metric.second.has_value(); });
    std::map<std::string, std::vector<std::string>> whys; // each reason once, with the metrics that are missing because of it
    for (const auto& [name, why] : metrics.missing)
        whys[why].push_back(name);
    std::string text = formatCount(static_cast<double>(measured)) + " measured";
    for (const auto& [why, names] : whys)
        text += fmt::format("; missing {} ({})", names.size() == 1 ? names.front() : fmt::format("{}", names.size()), why);
    facts.emplace_back("Metrics", text);
    facts.emplace_back("Metric passes", metrics.plan.passes > 0 ? fmt::format("{} planned, {} run", metrics.plan.passes, metrics.plan.ran)
                                                                : std::string("not reported"));
}

} // namespace

std::vector<std::pair<std::string, std::string>> factRows(const RunRecord& run)
{
    Facts facts;
    const char* source = run.source == Source::live ? "live" : run.source == Source::sample ? "recorded" : "imported";
    const bool measured = run.source == Source::live && !run.host.empty();
    facts.emplace_back("Device", fmt::format("{}{} ({})", run.device.name, measured ? " of " + run.host : std::string(), source));
    addProgram(run, facts);
    addImport(run, facts);
    const std::string problem = toText(run.problem);
    facts.emplace_back(run.program || run.imported ? "Geometry" : "Problem", problem.empty() ? "several launches" : problem);
    addCorrectness(run, facts);
    addTiming(run, facts);
    addBaseline(run, facts);
    addLaunch(run, facts);
    if (run.metrics) {
        addMetrics(*run.metrics, facts);
        const std::string& cache = run.metrics->cacheControl;
        addJoined("Collection", {run.metrics->rangeMode, run.metrics->replayMode, cache.empty() ? cache : "cache: " + cache}, facts);
        facts.emplace_back("Clock during profiling", run.metrics->clockMhz ? formatClock(*run.metrics->clockMhz) : "not measured");
    }
    facts.emplace_back("Memory", run.memoryBytes ? memoryText(*run.memoryBytes, run.baseline) : "not measured");
    return facts;
}

} // namespace kl::ui
