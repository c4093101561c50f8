// SPDX-License-Identifier: MIT
#include "profiler/live/work/measure_run.h"

#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "profiler/live/work/correctness.h"
#include "profiler/live/work/nvtx_phase.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr int kBlock = 10; // samples a block
constexpr int kHostSamples = 20;
constexpr double kStableWidth = 0.01; // the median's interval is this narrow: more samples would not change the verdict

double secondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool isStable(const std::vector<double>& samples)
{
    if (samples.size() < kBlock)
        return false;
    const Summary summary = summarise(samples);
    return summary.median > 0 && (summary.high - summary.low) / summary.median < kStableWidth;
}

/// The cold series of one run.
struct Series {
    std::vector<Sample> kept;
    std::vector<Sample> throttled;

    void add(std::vector<Sample> samples)
    {
        for (Sample& sample : samples)
            (sample.throttled ? throttled : kept).push_back(std::move(sample));
    }
    std::vector<double> spans() const
    {
        std::vector<double> values;
        for (const Sample& sample : kept)
            values.push_back(sample.spanNs);
        return values;
    }
};

std::vector<double> clocksOf(const std::vector<Sample>& samples)
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
            work.facts()[i].gpuNs = medianOf(times[i]);
}

void warnAboutSamples(const Series& series, const ActivityRecorder& recorder, Timing& timing, std::vector<Warning>& warnings)
{
    if (timing.discarded > 0)
        warnings.push_back({"samples-discarded",
                            fmt::format("{} samples were thrown away: the SM clock was below 75 % of its maximum.", timing.discarded)});
    if (!series.kept.empty() && series.kept.front().throttled)
        warnings.push_back({"throttled", "The SM clock stayed below 75 % of its maximum: these times are of a throttled GPU."});
    if (recorder.dropped() > 0)
        warnings.push_back({"records-dropped", fmt::format("CUPTI dropped {} activity records.", recorder.dropped())});
}

Result<Series> coldSeries(BuiltWork& work, BaselineRunner* baseline, Bench& bench, ActivityRecorder& recorder, const StopRule& rule,
                          const Job& job)
{
    const Sequence sequence = [&] { return work.issue(); };
    Series series;
    const auto begin = std::chrono::steady_clock::now();
    double ours = 0; // seconds on the kernel itself: a slow baseline must not cut its series short
    while (true) {
        if (job.stop.stop_requested())
            return cancelled();
        const auto blockBegin = std::chrono::steady_clock::now();
        Result<std::vector<Sample>> block = bench.measure(recorder, sequence, work.order().size(), kBlock, true);
        if (!block)
            return block.error();
        series.add(std::move(*block));
        ours += secondsSince(blockBegin);
        if (baseline)
            KL_TRY(baseline->block(recorder, kBlock));
        const bool enough = ours >= rule.minSeconds && isStable(series.spans());
        const bool full = static_cast<int>(series.kept.size()) >= rule.maxSamples;
        if (enough || full || secondsSince(begin) >= rule.maxSeconds)
            return series;
        job.report("timing", secondsSince(begin), rule.maxSeconds);
    }
}

} // namespace

Status measureRun(BuiltWork& work, BaselineRunner* baseline, Bench& bench, const StopRule& rule, const Job& job, RunAnswer& answer)
{
    const Phase phase(job, "timing");
    const Sequence sequence = [&] { return work.issue(); };
    for (int i = 0; i < 3; ++i) { // warm-up
        KL_TRY(sequence());
        KL_TRY(waitFor(bench.stream(), kHangSeconds));
    }
    Timing timing;
    const Result<std::vector<double>> host = bench.hostTimes(sequence, kHostSamples);
    if (!host)
        return host.error();
    timing.host = medianOf(*host);
    if (baseline)
        KL_TRY(baseline->hostBlock(kHostSamples));

    Result<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::start();
    if (!recorder)
        return recorder.error();
    Result<Series> series = coldSeries(work, baseline, bench, **recorder, rule, job);
    if (!series)
        return series.error();
    timing.discarded = static_cast<int>(series->throttled.size());
    if (series->kept.empty()) { // nothing but throttled samples: better a marked time than none
        series->kept = series->throttled;
        timing.discarded = 0;
    }
    if (series->kept.empty())
        return Error{ErrorCode::environment,
                     "No activity record of the kernel arrived from CUPTI.",
                     "Another profiler may hold CUPTI; end it, or see the worker's environment check.",
                     {},
                     {}};
    timing.samples = series->spans();
    timing.gpu = summarise(timing.samples);
    if (const std::vector<double> clocks = clocksOf(series->kept); !clocks.empty())
        timing.clockMhz = medianOf(clocks);
    fillLaunchTimes(work, series->kept);

    const Result<std::vector<Sample>> hot = bench.measure(**recorder, sequence, work.order().size(), 2 * kBlock, false);
    if (!hot)
        return hot.error();
    std::vector<double> hotTimes;
    for (const Sample& sample : *hot)
        hotTimes.push_back(sample.spanNs);
    if (!hotTimes.empty())
        timing.gpuHot = medianOf(hotTimes);
    const Result<double> busy = bench.busyFraction(**recorder, sequence, work.order().size());
    if (busy)
        timing.busyFraction = *busy;
    else if (contextLost())
        return busy.error();
    warnAboutSamples(*series, **recorder, timing, answer.warnings);
    answer.timing = std::move(timing);
    if (baseline)
        answer.baseline = baseline->result();
    return {};
}

} // namespace kl
