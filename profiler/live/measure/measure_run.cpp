// SPDX-License-Identifier: MIT
#include "profiler/live/measure/measure_run.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/measure/proven_work.h"
#include "profiler/live/session/gpu_session.h"
#include "profiler/live/work/nvtx_phase.h"
#include "profiler/live/work/placed_memory.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kHostSamples = 20;
constexpr int kHotBlocks = kPlaces;
constexpr int kHotBlock = 4;
constexpr int kBaselineBlock = 10;
constexpr std::chrono::milliseconds kWarmUp{10};
constexpr std::chrono::milliseconds kTrialWarmUp{2}; ///< the trial before it has kept the GPU at work

std::vector<double> collectClocks(const std::vector<Sample>& samples)
{
    std::vector<double> clocks;
    for (const Sample& sample : samples)
        if (sample.clockMhz)
            clocks.push_back(*sample.clockMhz);
    return clocks;
}

/// Median time of each launch of the specification, over samples and repeats.
void fillLaunchTimes(BuiltWork& work, const std::vector<Sample>& samples)
{
    std::vector<std::vector<double>> times(work.facts().size());
    for (const Sample& sample : samples)
        for (std::size_t i = 0; i < sample.partsNs.size() && i < work.order().size(); ++i)
            times[work.order()[i]].push_back(sample.partsNs[i]);
    for (std::size_t i = 0; i < times.size(); ++i)
        if (!times[i].empty())
            work.facts()[i].gpuNs = computeMedian(times[i]);
}

void warnAboutSamples(const Series& series, const ActivityRecorder& recorder, std::vector<Warning>& warnings)
{
    if (!series.discarded.empty())
        warnings.push_back(
            {"samples-discarded",
             fmt::format("{} samples were discarded: the SM clock was below 75 % of its default{}.", series.discarded.size(),
                         series.waitedSeconds > 0 ? fmt::format("; waited {:.1f} s for it", series.waitedSeconds) : std::string())});
    if (!series.kept.empty() && series.kept.front().throttled)
        warnings.push_back({"throttled", "The SM clock stayed below 75 % of its default: these times are of a throttled GPU."});
    if (recorder.dropped() > 0)
        warnings.push_back({"records-dropped", fmt::format("CUPTI dropped {} activity records.", recorder.dropped())});
}

Result<Series> coldSeries(BuiltWork& work, ProvenWork& proven, Baselines* baselines, Bench& bench, ActivityRecorder& recorder,
                          const StopRule& rule, const Job& job)
{
    const Timed time("cold passes");
    const auto begin = std::chrono::steady_clock::now();
    SeriesPorts ports;
    ports.block = [&](int count) {
        return bench.measurePasses(
            recorder, [&] { return proven.next(true); }, work.order().size(), count, true);
    };
    ports.between = [&]() -> Status {
        KL_TRY(work.moveMemory());
        return baselines ? baselines->blocks(recorder, kBaselineBlock) : Status{};
    };
    ports.now = [begin] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    ports.wait = [&](double seconds) { waitForCooling(seconds, job); };
    ports.report = [&](double elapsed) { job.report("timing", elapsed, rule.maxSeconds); };
    ports.stop = job.stop;
    return measureSeries(ports, rule);
}

/// The cold series' figures into the timing.
void fillCold(const Series& series, Bench& bench, Timing& timing)
{
    timing.samples = series.spans();
    timing.gpu = summarize(timing.samples);
    timing.discarded = static_cast<int>(series.discarded.size());
    timing.stoppedBy = series.stoppedBy;
    for (const Sample& sample : series.kept)
        timing.clocks.push_back(sample.clockMhz);
    if (const std::vector<double> clocks = collectClocks(series.kept); !clocks.empty())
        timing.clockMhz = computeMedian(clocks);
    GpuState state = bench.takeState();
    timing.temperatureC = state.temperatureC;
    timing.powerW = state.powerW;
    timing.throttleReasons = std::move(state.throttleReasons);
}

Status measureHost(ProvenWork& proven, std::size_t set, Baselines* baselines, Bench& bench, Timing& timing)
{
    const Timed part("host times");
    KL_ASSIGN(std::vector<double> host, bench.measureHostTimes(proven.on(set, false), kHostSamples));
    timing.hostSamples = std::move(host);
    timing.host = computeMedian(timing.hostSamples);
    return baselines ? baselines->hostBlocks(kHostSamples) : Status{};
}

/// L2 hot, and issued back to back.
Status measureHot(BuiltWork& work, ProvenWork& proven, std::size_t set, Bench& bench, ActivityRecorder& recorder, Timing& timing)
{
    for (int block = 0; block < kHotBlocks; ++block) {
        KL_ASSIGN(const std::vector<Sample> hot,
                  bench.measurePasses(
                      recorder, [&] { return proven.on(set, false); }, work.order().size(), kHotBlock, false));
        for (const Sample& sample : hot)
            if (!sample.throttled)
                timing.hotSamples.push_back(sample.spanNs);
        KL_TRY(work.moveMemory());
    }
    if (!timing.hotSamples.empty())
        timing.gpuHot = computeMedian(timing.hotSamples);
    const Result<double> busy = bench.busyFraction(
        recorder, [&] { return proven.issue(set); }, work.order().size());
    if (busy)
        timing.busyFraction = *busy;
    else if (contextLost())
        return busy.error();
    return {};
}

} // namespace

Status measureRun(GpuSession& session, BuiltWork& work, ProvenWork& proven, Baselines* baselines, const StopRule& rule, bool trial,
                  const Job& job, RunAnswer& answer)
{
    const Phase phase(job, "timing");
    Bench& bench = session.bench();
    const std::size_t set = proven.draw(); // of what is to be found where the previous launch left it
    Timed warmUp("warm-up");
    KL_TRY(bench.warmUp([&] { return proven.issue(set); }, trial ? kTrialWarmUp : kWarmUp));
    warmUp.end();
    bench.takeState(); // throttling before this run is not this run's
    Timing timing;
    if (!trial)
        KL_TRY(measureHost(proven, set, baselines, bench, timing));

    std::unique_ptr<ActivityRecorder> own;
    if (!trial) {
        KL_ASSIGN(own, ActivityRecorder::start());
    }
    ActivityRecorder* recorder = own.get();
    if (trial) {
        KL_ASSIGN(recorder, session.trialRecorder());
        KL_ASSIGN([[maybe_unused]] const auto earlier, recorder->drain()); // of a trial that failed between two passes
    }
    KL_ASSIGN(const Series series, coldSeries(work, proven, baselines, bench, *recorder, rule, job));
    if (series.kept.empty())
        return Error{.code = ErrorCode::environment,
                     .message = "No activity record of the kernel arrived from CUPTI.",
                     .hint = "Another profiler may be using CUPTI; stop it, or see the worker's environment check."};
    fillCold(series, bench, timing);
    fillLaunchTimes(work, series.kept);
    if (!trial) {
        Timed fresh("passes in freshly loaded code");
        KL_TRY(proven.compareWithFresh(*recorder, timing.gpu.median));
        fresh.end();
        const Timed hot("hot passes and busy time");
        KL_TRY(measureHot(work, proven, set, bench, *recorder, timing));
    }
    warnAboutSamples(series, *recorder, answer.warnings);
    answer.timing = std::move(timing);
    if (baselines)
        baselines->fill(answer);
    return {};
}

} // namespace kl::inline live
