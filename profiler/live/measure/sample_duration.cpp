// SPDX-License-Identifier: MIT
#include "profiler/live/measure/sample_duration.h"

#include "core/base/format.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/pm_sampler.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/work/cache_flush.h"
#include "profiler/live/work/nvtx_phase.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

std::string sentence(const Error& error)
{
    return error.hint.empty() ? error.message : error.message + ' ' + error.hint;
}

std::string whyTooShort(const LaunchFacts& launch)
{
    if (!launch.gpuNs)
        return "The launch was not timed.";
    if (*launch.gpuNs >= kLeastPmLaunchNs)
        return {};
    return fmt::format("The launch takes {}. Metrics are sampled every {} at most, which is too few samples below {}.",
                       formatTime(*launch.gpuNs), formatTime(kLeastPmIntervalNs), formatTime(kLeastPmLaunchNs));
}

/// One execution. `why` receives what CUPTI refused.
Result<PmPass> sampleOnce(GpuSession& session, BuiltWork& work, std::size_t target, PmSampler& sampler, const PmGroup& group,
                          std::string& why)
{
    const CUstream stream = session.bench().stream();
    KL_TRY(work.reset());
    for (std::size_t before = 0; before < target; ++before)
        KL_TRY(work.issueLaunch(before));
    KL_ASSIGN(auto* flush, session.cacheFlush());
    KL_TRY(flush->issue(stream));
    KL_TRY(waitFor(stream, kHangSeconds));
    if (const Status started = sampler.start(); !started) {
        why = sentence(started.error());
        return PmPass{};
    }
    Status ran = work.issueLaunch(target);
    if (ran)
        ran = waitFor(stream, kHangSeconds);
    const Result<std::vector<PmSample>> samples = sampler.stop();
    KL_TRY(ran);
    if (!samples) {
        why = sentence(samples.error());
        return PmPass{};
    }
    PmPass pass = makePass(*samples, group);
    if (pass.endNs.empty())
        why = fmt::format("None of {} samples is in the launch.", samples->size());
    return pass;
}

} // namespace

PmPass makePass(std::span<const PmSample> samples, const PmGroup& group)
{
    if (samples.empty())
        return {};
    samples = samples.subspan(1);
    PmPass pass;
    std::vector<double> active;
    for (const PmMetric& metric : group)
        pass.series.push_back({metric.name, {}});
    for (const PmSample& sample : samples) {
        pass.endNs.push_back(static_cast<double>(sample.endNs - samples.front().beginNs));
        active.push_back(sample.values.front());
        for (std::size_t i = 0; i < group.size(); ++i)
            pass.series[i].values.push_back(std::round(sample.values[i] * 1000) / 1000);
    }
    return trimToLaunch(std::move(pass), active);
}

Result<PmSampling> sampleDuration(GpuSession& session, BuiltWork& work, const Job& job)
{
    const std::size_t target = longestLaunch(work.facts());
    const LaunchFacts& launch = work.facts()[target];
    PmSampling sampling;
    sampling.launch = launch.entry;
    sampling.unavailable = whyTooShort(launch);
    if (!sampling.unavailable.empty())
        return sampling;
    const Phase phase(job, "sampling metrics over the launch");
    const Timed time("PM sampling");
    session.releaseCounters(); // a device has one user of its counters at a time
    const Result<std::unique_ptr<MetricHost>> host = openPmHost(session.index());
    const Result<std::vector<PmGroup>> groups = host ? planPmSampling(**host) : Result<std::vector<PmGroup>>(host.error());
    if (!groups) {
        sampling.unavailable = sentence(groups.error());
        return sampling;
    }
    const std::uint64_t interval = pmIntervalNs(*launch.gpuNs);
    sampling.intervalNs = static_cast<double>(interval);
    for (const PmGroup& group : *groups) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        PmSamplerSetup setup{session.index(), {}, interval, triggersBySystemClock((*host)->chip())};
        for (const PmMetric& metric : group)
            setup.metrics.push_back(metric.name);
        const Result<std::unique_ptr<PmSampler>> sampler = PmSampler::open(**host, std::move(setup));
        if (!sampler) {
            sampling.unavailable = sentence(sampler.error());
            break;
        }
        KL_ASSIGN(PmPass pass, sampleOnce(session, work, target, **sampler, group, sampling.unavailable));
        if (!sampling.unavailable.empty())
            break;
        sampling.passes.push_back(std::move(pass));
    }
    if (!sampling.passes.empty())
        sampling.unavailable.clear(); // one pass has what matters most
    return sampling;
}

} // namespace kl::inline live
