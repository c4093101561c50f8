// SPDX-License-Identifier: MIT
#include "profiler/live/work/source_profile.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/cupti/pc_sampling.h"
#include "profiler/live/cupti/sass_counts.h"
#include "profiler/live/work/built_work.h"
#include "profiler/live/work/nvtx_phase.h"
#include "profiler/live/work/source_join.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kSamplesWanted = 20000;
constexpr int kSamplesOfAnSm = 8; // in each launch
constexpr double kMostSeconds = 0.3;
constexpr double kNsPerSecond = 1e9;
constexpr double kUnknownNs = 10'000; // taken for a launch that was not timed
constexpr double kIssueNs = 5'000;    // of host time that a launch costs at least
constexpr int kLaunchesAtOnce = 16;   // between two looks at a cancel

std::string formatReason(const Error& error)
{
    return error.hint.empty() ? error.message : error.message + ' ' + error.hint;
}

/// Issues the sequence `count` times and waits.
Status issueTimes(BuiltWork& work, CUstream stream, int count, const Job& job)
{
    for (int done = 0; done < count;) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        for (const int end = std::min(count, done + kLaunchesAtOnce); done < end; ++done)
            KL_TRY(work.issueEachOnce());
        KL_TRY(waitFor(stream, kHangSeconds));
    }
    return {};
}

/// `why` receives what CUPTI refused; then the samples are empty.
Result<PcSamples> sampleLaunches(const SourceTarget& target, const SamplingPlan& plan, const Job& job, std::string& why)
{
    Timed open("sampling: set up");
    Result<std::unique_ptr<PcSampler>> sampler = PcSampler::open(target.context, plan.periodLog2);
    if (!sampler) {
        why = formatReason(sampler.error());
        return PcSamples{};
    }
    open.end();
    KL_ASSIGN(const std::unique_ptr<BuiltWork> work, target.rebuild());
    Timed launches(fmt::format("sampling: {} launches", plan.launches));
    if (const Status started = (*sampler)->start(); !started) {
        why = formatReason(started.error());
        return PcSamples{};
    }
    KL_TRY(issueTimes(*work, target.stream, plan.launches, job));
    launches.end();
    Timed stop("sampling: read");
    Result<PcSamples> samples = (*sampler)->stop();
    stop.end();
    target.keepLoaded(work->module());
    if (samples)
        return samples;
    why = formatReason(samples.error());
    return PcSamples{};
}

/// As sampleLaunches, over the sequence once.
Result<std::vector<SassCount>> countInstructions(BuiltWork& work, const SourceTarget& target, const Job& job, std::string& why)
{
    if (!target.counter) {
        why = target.noCounter;
        return std::vector<SassCount>{};
    }
    const Timed time("instruction counter: count");
    KL_TRY(work.reset());
    if (const Status started = target.counter->start(target.context); !started) {
        why = formatReason(started.error());
        return std::vector<SassCount>{};
    }
    const Status issued = issueTimes(work, target.stream, 1, job);
    Result<std::vector<SassCount>> counts = target.counter->stop();
    KL_TRY(issued);
    if (counts)
        return counts;
    why = formatReason(counts.error());
    return std::vector<SassCount>{};
}

/// Names of the sequence's other kernels.
std::vector<std::string> otherEntries(BuiltWork& work, const std::string& entry)
{
    std::vector<std::string> others;
    for (const LaunchFacts& facts : work.facts())
        if (facts.entry != entry)
            others.push_back(facts.entry);
    return others;
}

} // namespace

SamplingPlan planSampling(double launchNs, double sequenceNs, std::int64_t gridBlocks, const DeviceInfo& device, int samples)
{
    const double cycles = std::max(1.0, (launchNs > 0 ? launchNs : kUnknownNs) * device.clockMhz / 1000);
    const double busySms = static_cast<double>(std::clamp<std::int64_t>(gridBlocks, 1, std::max(device.smCount, 1)));
    SamplingPlan plan;
    plan.periodLog2 = std::clamp(static_cast<int>(std::log2(std::max(1.0, cycles / kSamplesOfAnSm))), 5, 16);
    const double aLaunch = std::max(1.0, busySms * cycles / static_cast<double>(1 << plan.periodLog2));
    const double most = std::max(1.0, kMostSeconds * kNsPerSecond / (std::max(launchNs, sequenceNs) + kIssueNs));
    plan.launches = static_cast<int>(std::clamp(std::ceil(samples / aLaunch), 1.0, most));
    return plan;
}

Result<SourceProfile> profileSource(BuiltWork& work, const SourceTarget& target, const Job& job)
{
    const Phase phase(job, "sampling program counters");
    const LaunchFacts& facts = work.facts()[target.launch];
    double sequenceNs = 0;
    for (const LaunchFacts& launch : work.facts())
        sequenceNs += launch.gpuNs.value_or(0);
    const SamplingPlan plan = planSampling(facts.gpuNs.value_or(0), sequenceNs, facts.gridBlocks, target.device, kSamplesWanted);
    std::string noSamples;
    KL_ASSIGN(const PcSamples samples, sampleLaunches(target, plan, job, noSamples));
    std::string noCounts;
    KL_ASSIGN(const std::vector<SassCount> counts, countInstructions(work, target, job, noCounts));
    const Timed time("source lines: join");
    SourceProfile profile = joinSource(samples, counts, target.cubin, facts.entry, otherEntries(work, facts.entry));
    profile.unavailable = noSamples;
    profile.countsUnavailable = noCounts;
    if (profile.samples == 0 && noSamples.empty())
        profile.unavailable = fmt::format("No sample is in the kernel ({} were taken, {} of them in kernels unknown to CUPTI).",
                                          samples.total, samples.foreign);
    return profile;
}

} // namespace kl::inline live
