// SPDX-License-Identifier: MIT
#include "sessions/program/program_profile.h"

#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/device/launch_occupancy.h"
#include "core/device/metric_value.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/keep.h"
#include "sessions/program/program_finding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline program {
namespace {

constexpr double kShareWorthTelling = 0.01;
constexpr double kScatterWorthTelling = 0.5; ///< width of the median's interval over the median
constexpr std::size_t kSamplesKept = 10'000;
constexpr double kDifferenceWorthTelling = 0.01; ///< between the times alone and in the program
constexpr std::size_t kLaunchesForTime = 3;      ///< fewer launches are too few for a median
constexpr int kLaunchesForGaps = 5;              ///< fewer say nothing about a gap that is the rule

std::string text(const std::array<int, 3>& size)
{
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

/// Duration over duration and the idle time before it, in the middle of all launches for which it is known.
std::optional<double> busyFraction(const std::vector<KernelTime>& times)
{
    std::vector<double> fractions;
    for (const KernelTime& time : times)
        if (time.idleBeforeNs && time.ns + *time.idleBeforeNs > 0)
            fractions.push_back(time.ns / (time.ns + *time.idleBeforeNs));
    return fractions.size() < kLaunchesForGaps ? std::nullopt : std::optional(computeMedian(fractions));
}

/// Durations of the launches that were made alone, or of those that were not profiled.
std::vector<double> durations(const std::vector<KernelTime>& times, bool alone)
{
    std::vector<double> list;
    for (const KernelTime& time : times)
        if (time.alone == alone && !time.sampled)
            list.push_back(time.ns);
    return list;
}

bool allSampled(const std::vector<KernelTime>& times)
{
    return std::ranges::all_of(times, &KernelTime::sampled);
}

/// Of the launches made alone where there are enough, as Nsight Compute times them; else of all that were not sampled; else of these.
Timing computeTiming(const std::vector<KernelTime>& times)
{
    std::vector<double> samples = durations(times, true);
    if (samples.size() < kLaunchesForTime) {
        const std::vector<double> others = durations(times, false);
        samples.insert(samples.end(), others.begin(), others.end());
    }
    if (samples.empty())
        for (const KernelTime& time : times)
            samples.push_back(time.ns);
    Timing timing;
    timing.gpu = summarize(samples);
    timing.busyFraction = busyFraction(times);
    timing.stoppedBy = "end of the program";
    const std::size_t step = (samples.size() + kSamplesKept - 1) / kSamplesKept;
    for (std::size_t i = 0; i < samples.size(); i += step)
        timing.samples.push_back(samples[i]);
    return timing;
}

LaunchFacts collectFacts(const KernelTotals& kernel, const LaunchShape& shape, const ShapeTotals* seen, const ProfiledLaunch* profiled)
{
    LaunchFacts facts;
    if (profiled)
        facts = profiled->facts;
    facts.entry = kernel.name;
    facts.gridBlocks = static_cast<std::int64_t>(shape.grid[0]) * shape.grid[1] * shape.grid[2];
    facts.blockThreads = shape.block[0] * shape.block[1] * shape.block[2];
    facts.dynamicSmem = shape.dynamicSmem;
    if (seen) {
        facts.registers = seen->example.registers;
        facts.staticSmem = seen->example.staticSmem;
        facts.localBytes = std::max<std::int64_t>(facts.localBytes, seen->example.localBytes); // CUPTI 13.0 writes 0 into its record
        facts.gpuNs = computeTiming(seen->times).gpu.median;
    }
    addOccupancy(facts, kernel.device);
    return facts;
}

LaunchShape makeLaunchShape(const ProfiledLaunch& launch, const RangeChoice& ranges)
{
    return {launch.grid, launch.block, static_cast<int>(launch.facts.dynamicSmem), ranges.makeKey(launch.ranges)};
}

/// The profiled launch of a shape: one with counters, else one whose counters were tried.
const ProfiledLaunch* chooseLaunch(const KernelTotals& kernel, const LaunchShape& shape, const RangeChoice& ranges)
{
    const ProfiledLaunch* chosen = nullptr;
    for (const ProfiledLaunch& launch : kernel.profiled)
        if (makeLaunchShape(launch, ranges) == shape && (!chosen || (!chosen->failure.empty() && launch.failure.empty())))
            chosen = &launch;
    return chosen;
}

/// The launch of a shape whose instructions were to be counted: one whose were, else one that was tried, of which its code may be known.
const ProfiledLaunch* findExecutedLaunch(const KernelTotals& kernel, const LaunchShape& shape, const RangeChoice& ranges)
{
    const ProfiledLaunch* chosen = nullptr;
    for (const ProfiledLaunch& launch : kernel.executed)
        if (makeLaunchShape(launch, ranges) == shape && (!chosen || (!chosen->failure.empty() && launch.failure.empty())))
            chosen = &launch;
    return chosen;
}

bool isOf(const RunRecord& run, const LaunchShape& shape)
{
    return run.problem.at("GRID") == ParamValue(text(shape.grid)) && run.problem.at("BLOCK") == ParamValue(text(shape.block)) &&
           run.launches.front().dynamicSmem == shape.dynamicSmem &&
           (shape.range.empty() || std::ranges::find(run.program->ranges, shape.range) != run.program->ranges.end());
}

struct ShapeSum {
    std::int64_t launches = 0;
    double ns = 0;
};

/// Launches and GPU time by shape. Launches whose instructions were counted have no geometry: they count as of the shape that was profiled.
std::map<LaunchShape, ShapeSum> computeSums(const KernelTotals& kernel, const RangeChoice& ranges)
{
    std::map<LaunchShape, ShapeSum> sums;
    ShapeSum known;
    const auto add = [&](const LaunchShape& shape, std::int64_t launches, double ns) {
        for (ShapeSum* sum : {&sums[shape], &known}) {
            sum->launches += launches;
            sum->ns += ns;
        }
    };
    for (const auto& [shape, seen] : kernel.shapes)
        add(shape, std::ranges::count(seen.times, false, &KernelTime::again), seen.totalNs());
    for (const ProfiledLaunch& launch : kernel.executed)
        if (launch.failure.empty() && !kernel.countedAgain)
            add(makeLaunchShape(launch, ranges), 1, 0);
    for (const ProfiledLaunch& launch : kernel.profiled)
        if (launch.failure.empty() && !kernel.countedAgain)
            add(makeLaunchShape(launch, ranges), 1, metricValue(launch.metrics, "gpu__time_duration.sum").value_or(0));
    if (!kernel.profiled.empty() || sums.size() == 1)
        add(kernel.profiled.empty() ? sums.begin()->first : makeLaunchShape(kernel.profiled.front(), ranges),
            kernel.launches - known.launches, kernel.totalNs - known.ns);
    return sums;
}

/// The shapes that get a run each, most time first: those with counters, and those of at least a hundredth of the GPU time; of a kernel
/// that is reported anyway, at least the one that takes most.
std::vector<LaunchShape> chooseShapesToReport(const KernelTotals& kernel, double allNs, const RangeChoice& ranges)
{
    const std::map<LaunchShape, ShapeSum> sums = computeSums(kernel, ranges);
    std::vector<LaunchShape> shapes;
    for (const auto& [shape, sum] : sums)
        shapes.push_back(shape);
    if (shapes.empty()) // all its launches were sampled, and none recorded
        return {LaunchShape{}};
    std::ranges::stable_sort(shapes, std::greater{}, [&](const LaunchShape& shape) { return sums.at(shape).ns; });
    const auto rest = std::stable_partition(shapes.begin(), shapes.end(), [&](const LaunchShape& shape) {
        return chooseLaunch(kernel, shape, ranges) || findExecutedLaunch(kernel, shape, ranges) || !shape.range.empty() ||
               sums.at(shape).ns >= kShareWorthTelling * allNs;
    });
    shapes.erase(rest == shapes.begin() ? rest + 1 : rest, shapes.end()); // the longest in any case
    return shapes;
}

/// Whether launches of it are told apart by their ranges.
bool inRanges(const KernelTotals& kernel)
{
    return std::ranges::any_of(kernel.shapes, [](const auto& one) { return !one.first.range.empty(); });
}

/// `counting`: how the counters were to be read.
std::string whyNoCounters(const KernelTotals& kernel, const LaunchShape& shape, const ProfiledLaunch* profiled, const Counting& counting)
{
    if (counting.off)
        return "they were turned off";
    if (profiled)
        return profiled->failure;
    if (const std::string why = explainNotReplayed(kernel.mangled); !why.empty())
        return why;
    const bool sampled =
        kernel.launches == 1 || std::ranges::all_of(kernel.shapes, [](const auto& one) { return allSampled(one.second.times); });
    if (kernel.source && sampled)
        return "every launch of it was sampled for source lines; profile without source lines to collect its counters";
    if (const auto seen = kernel.shapes.find(shape);
        seen != kernel.shapes.end() && seen->second.graphLaunches == std::ssize(seen->second.times))
        return "it was launched from CUDA graphs, whose kernels cannot be replayed one by one";
    if (!counting.run)
        return "none of these launches was selected; name the kernel, or change how many launches are profiled or skipped";
    if (std::ranges::find(counting.wanted, WantedLaunch{kernel.mangled, shape}) != counting.wanted.end())
        return "the second run of the program, in which counters are read, did not launch it with this grid";
    return fmt::format("launches that take more time were selected, up to {} of the GPU time or the maximum number of launches; name the "
                       "kernel to select it",
                       formatPercent(100 * kShareWorthCounting));
}

/// How its launches were made: from CUDA graphs, beside other kernels.
void addLaunching(const KernelTotals& kernel, const ShapeTotals& seen, RunRecord& run)
{
    if (seen.graphLaunches > 0)
        run.warnings.push_back({"by-graph", fmt::format("{} of its {} launches were made by CUDA graphs.", seen.graphLaunches,
                                                        std::ranges::count(seen.times, false, &KernelTime::again))});
    if (seen.beside.empty() || !(seen.totalNs() > 0))
        return;
    const BesideKernel& most = seen.beside.front();
    run.warnings.push_back(
        {"runs-beside", fmt::format("It runs beside other kernels, most of all {}: for {} of its time it has the GPU to itself.",
                                    most.name == kernel.name ? "itself" : shortKernelName(most.name),
                                    formatPercent(100 * seen.exclusiveNs / seen.totalNs()))});
}

RunRecord makeShapeRun(const KernelTotals& kernel, const LaunchShape& shape, const ProgramRun& program, double allNs,
                       const DiagnosisTree& tree, const Counting& counting)
{
    const ProfiledLaunch* profiled = chooseLaunch(kernel, shape, counting.ranges);
    const auto found = kernel.shapes.find(shape);
    const ShapeTotals* seen = found == kernel.shapes.end() ? nullptr : &found->second;
    RunRecord run;
    run.id.text = newUuid();
    run.kernel = {"program", kernelSlug(kernel.mangled), {}};
    run.problem = {{"BLOCK", text(shape.block)}, {"GRID", text(shape.grid)}};
    const auto otherSmem = [&](const auto& other) {
        return other.first.grid == shape.grid && other.first.block == shape.block && other.first.dynamicSmem != shape.dynamicSmem;
    };
    if (std::ranges::any_of(kernel.shapes, otherSmem))
        run.problem["SMEM"] = std::int64_t{shape.dynamicSmem};
    run.device = kernel.device;
    run.host = program.host;
    run.startedAt = program.startedAt;
    run.correctness.reason = "the kernel belongs to another program, which has no reference";
    if (seen)
        run.timing = computeTiming(seen->times);
    const ProfiledLaunch* executed = findExecutedLaunch(kernel, shape, counting.ranges);
    run.launches = {collectFacts(kernel, shape, seen, profiled ? profiled : executed)};
    if (executed) {
        run.launches.front().warp = executed->facts.warp;
        run.launches.front().opcodes = executed->facts.opcodes;
        run.memoryBytes = executed->memoryBytes;
        if (!executed->failure.empty())
            run.warnings.push_back({"no-executions", fmt::format("What its instructions do was not counted: {}", executed->failure)});
    }
    const bool counted = profiled && profiled->failure.empty();
    const ShapeSum sum = computeSums(kernel, counting.ranges)[shape];
    ProgramFacts facts;
    facts.command = program.command;
    facts.kernel = kernel.name;
    facts.launches = sum.launches;
    facts.totalNs = sum.ns;
    facts.share = allNs > 0 ? sum.ns / allNs : 0;
    if (profiled || executed || seen)
        facts.ranges = profiled ? profiled->ranges : executed ? executed->ranges : seen->ranges;
    if (counted)
        facts.profiledLaunch = profiled->launch;
    run.program = std::move(facts);
    if (counted) {
        run.metrics = profiled->metrics;
        run.metrics->launch = kernel.name;
        run.workerSeconds = profiled->seconds;
    } else {
        run.warnings.push_back({"no-counters", fmt::format("No counters: {}.", whyNoCounters(kernel, shape, profiled, counting))});
    }
    if (run.timing && relativeNoise(run.timing->gpu) > kScatterWorthTelling)
        run.warnings.push_back(
            {"varied-times",
             fmt::format("Launches with the same grid take from {} to {}: they do different work, or share the GPU.",
                         formatTime(computeQuantile(run.timing->samples, 0)), formatTime(computeQuantile(run.timing->samples, 1)))});
    if (const std::optional<double> together = togetherNs(kernel, run);
        together && run.timing && std::abs(*together / run.timing->gpu.median - 1) > kDifferenceWorthTelling)
        run.warnings.push_back(
            {"faster-together", fmt::format("Within the program it takes {} (median), {:.1f} % {} than alone on an idle GPU, "
                                            "which is the time shown here and measured by Nsight Compute.",
                                            formatTime(*together), 100 * std::abs(*together / run.timing->gpu.median - 1),
                                            *together < run.timing->gpu.median ? "less" : "more")});
    if (!seen)
        run.warnings.push_back({"launched-once", kernel.launches == 1
                                                     ? "It was launched once, and that launch was profiled: the time includes profiling."
                                                     : "Every launch with this grid was profiled: the time includes profiling."});
    else if (allSampled(seen->times))
        run.warnings.push_back({"sampled-time", "Every launch with this grid was profiled: the time is that of launches whose program "
                                                "counters were sampled, which may slow them down."});
    const std::int64_t withShape = sum.launches;
    if (withShape < kernel.launches)
        run.warnings.push_back(
            {"other-shapes",
             fmt::format("{} of its {} launches had another grid, block or shared memory; the figures are those of the other {}.",
                         kernel.launches - withShape, kernel.launches, withShape)});
    if (seen)
        addLaunching(kernel, *seen, run);
    if (kernel.source) {
        run.sourceProfile = kernel.source;
        run.sourceProfile->launch = kernel.name;
    }
    run.diagnosis = tree.diagnose(run, {});
    return run;
}

/// What the second run of the program says about itself.
void addNotes(const ProgramRun& first, const Counting& counting, std::vector<Warning>& notes)
{
    for (const ProcessTrace& process : counting.processes)
        for (const Warning& note : process.notes)
            if (std::ranges::find(notes, note) == notes.end())
                notes.push_back(note);
    if (counting.run && (counting.run->exitCode != first.exitCode))
        notes.push_back({"second-run", fmt::format("The program was run again to read counters, and ended with exit code {} instead of {}.",
                                                   counting.run->exitCode, first.exitCode)});
}

/// Where kernels were launched and the expression matches none of them.
std::optional<Warning> noteNoMatch(const ProgramTotals& totals, const KernelPattern& pattern)
{
    std::set<std::string> names;
    for (const KernelTotals& kernel : totals.kernels) {
        if (pattern.matches(kernel.name))
            return {};
        names.insert(kernel.name);
    }
    if (names.empty())
        return {};
    return Warning{"no-kernel-matches",
                   fmt::format("The expression for kernels, which is case-sensitive, matches none that the program launched: {}.",
                               listKernelNames(names))};
}

std::vector<Warning> composeNotes(const ProgramProfile& profile, const Counting& counting)
{
    std::vector<Warning> notes;
    for (const ProcessTrace& process : profile.processes) {
        for (const Warning& note : process.notes)
            if (std::ranges::find(notes, note) == notes.end())
                notes.push_back(note);
        const std::string name = process.pid != 0 ? fmt::format("process {}", process.pid) : "a process";
        if (!process.damage.empty())
            notes.push_back({"damaged-trace", fmt::format("The trace of {} can be read only up to {}. Later launches are not counted.",
                                                          name, process.damage)});
        else if (process.cut) // lines are written whole, as long as the disk takes them
            notes.push_back(
                {"cut-short", fmt::format("The trace of {} ends in the middle of a line: it was killed, or the disk for temporary "
                                          "files is full (set TMPDIR to another). Later launches are not counted.",
                                          name)});
        else if (!process.ended)
            notes.push_back(
                {"cut-short",
                 fmt::format("The trace of {} was not closed (killed, or by _exit): its last half second may be missing.", name)});
    }
    if (profile.processes.empty())
        notes.push_back({"no-cuda", "The program never started CUDA: nothing was measured."});
    else if (profile.totals.launches == 0 && notes.empty())
        notes.push_back({"no-launches", "The program started CUDA but launched no kernel: nothing was measured."});
    addNotes(profile.program, counting, notes);
    return notes;
}

std::optional<RangeCounters> chooseCounters(const ProgramTotals& totals, const Counting& counting)
{
    if (!totals.chosen)
        return {};
    std::vector<CountedShape> counted;
    for (const KernelTotals& kernel : totals.kernels)
        for (const auto& [shape, seen] : kernel.shapes)
            if (const ProfiledLaunch* launch = chooseLaunch(kernel, shape, counting.ranges); launch && launch->failure.empty())
                counted.push_back({&launch->metrics, seen.chosenLaunches, seen.chosenNs});
    std::optional<RangeCounters> counters = countersTogether(counted, totals.chosen->gpuNs);
    for (const ProcessTrace& process : counting.processes)
        for (const CountedRange& range : process.countedRanges) {
            if (!counters)
                counters.emplace();
            if (!counters->whole || (!counters->whole->failure.empty() && range.failure.empty()))
                counters->whole = range; // of several processes, one that has values
        }
    return counters;
}

} // namespace

ProgramProfile makeProgramProfile(const ProgramRun& program, std::vector<ProcessTrace> processes, const KernelPattern& pattern,
                                  const DiagnosisTree& tree, const Counting& counting)
{
    ProgramProfile profile;
    profile.program = program;
    profile.totals = computeTotals(processes, counting.ranges);
    if (counting.run) {
        addCounted(profile.totals, computeTotals(counting.processes, counting.ranges));
        profile.counted = counting.run;
    }
    for (ProcessTrace& process : processes) {
        process.launches.clear();
        process.copies.clear();
        process.stackOf.clear();
    }
    profile.processes = std::move(processes);
    for (const KernelTotals& kernel : profile.totals.kernels)
        if (pattern.matches(kernel.name) && (!kernel.profiled.empty() || !kernel.executed.empty() || kernel.source || inRanges(kernel) ||
                                             kernel.totalNs >= kShareWorthTelling * profile.totals.kernelNs))
            for (const LaunchShape& shape : chooseShapesToReport(kernel, profile.totals.kernelNs, counting.ranges))
                profile.runs.push_back(makeShapeRun(kernel, shape, program, profile.totals.kernelNs, tree, counting));
    std::ranges::stable_sort(profile.runs, std::greater{}, [](const RunRecord& run) { return run.program->totalNs; });
    profile.range = chooseCounters(profile.totals, counting);
    profile.finding = programFinding(profile.totals);
    profile.notes = composeNotes(profile, counting);
    if (std::optional<Warning> note = noteNoMatch(profile.totals, pattern))
        profile.notes.push_back(std::move(*note));
    return profile;
}

void storeRuns(Store& store, ProgramProfile& profile, const Job& job)
{
    Unstored what;
    what.runs = profile.runs;
    if (std::optional<Warning> warning = keep(store, what, job))
        profile.notes.push_back(std::move(*warning));
}

void weighFixes(ProgramProfile& profile, const Result<std::shared_ptr<const FixModel>>& model, const DiagnosisTree& tree)
{
    for (RunRecord& run : profile.runs) {
        std::optional<Warning> note = weighBy(model, run, tree);
        if (note && std::ranges::find(profile.notes, *note) == profile.notes.end())
            profile.notes.push_back(std::move(*note));
    }
}

const ShapeTotals* shapeTotals(const ProgramTotals& totals, const RunRecord& run)
{
    for (const KernelTotals& kernel : totals.kernels)
        if (kernel.name == run.program->kernel && kernel.device == run.device)
            for (const auto& [shape, seen] : kernel.shapes)
                if (isOf(run, shape))
                    return &seen;
    return nullptr;
}

std::optional<double> togetherNs(const KernelTotals& kernel, const RunRecord& run)
{
    const auto found = std::ranges::find_if(kernel.shapes, [&](const auto& shape) { return isOf(run, shape.first); });
    if (found == kernel.shapes.end() || durations(found->second.times, true).size() < kLaunchesForTime)
        return {};
    const std::vector<double> others = durations(found->second.times, false);
    return others.size() < kLaunchesForTime ? std::nullopt : std::optional(computeMedian(others));
}

std::optional<double> aloneNs(const RunRecord& run)
{
    if (!run.metrics)
        return {};
    return metricValue(*run.metrics, "gpu__time_duration.sum");
}

} // namespace kl::inline program
