// SPDX-License-Identifier: MIT
#include "profiler/live/work/collect_metrics.h"

#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/work/cache_flush.h"
#include "profiler/live/work/correctness.h"
#include "profiler/live/work/memory_snapshot.h"
#include "profiler/live/work/nvtx_phase.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr double kPassSeconds = 10 * kHangSeconds; // a counted launch is slower than a plain one

/// The sequence up to one launch, repeated for each pass.
class Passes {
public:
    Passes(GpuSession& session, BuiltWork& work, std::size_t target) : stream_(session.bench().stream()), work_(work), target_(target) {}

    Status prepare(const DeviceInfo& device, bool flush)
    {
        KL_TRY(work_.reset());
        if (flush) {
            Result<std::unique_ptr<CacheFlush>> made = CacheFlush::make(device);
            if (!made)
                return made.error();
            flush_ = std::move(*made);
        }
        Result<MemorySnapshot> taken = MemorySnapshot::take(work_.memory(), stream_);
        if (!taken)
            return taken.error();
        snapshot_ = std::move(*taken);
        return {};
    }

    CountedWork counted()
    {
        return {1, {0}, [this] { return issue(); }, [this] { return restore(); }};
    }

private:
    Status restore()
    {
        KL_TRY(snapshot_.restore(stream_));
        for (std::size_t before = 0; before < target_; ++before)
            KL_TRY(work_.issueLaunch(before));
        if (flush_)
            KL_TRY(flush_->issue(stream_));
        return waitFor(stream_, kPassSeconds);
    }
    Status issue()
    {
        KL_TRY(work_.issueLaunch(target_));
        return waitFor(stream_, kPassSeconds);
    }

    CUstream stream_;
    BuiltWork& work_;
    std::size_t target_;
    std::unique_ptr<CacheFlush> flush_;
    MemorySnapshot snapshot_;
};

/// CUPTI's own replay of the launch, the launches before it counted along and dropped.
CountedWork replayedByCupti(GpuSession& session, BuiltWork& work, std::size_t target)
{
    const CUstream stream = session.bench().stream();
    return {target + 1,
            {target},
            [&work, target, stream]() -> Status {
                for (std::size_t launch = 0; launch <= target; ++launch)
                    KL_TRY(work.issueLaunch(launch));
                return waitFor(stream, kPassSeconds);
            },
            {}};
}

} // namespace

std::size_t longestLaunch(const std::vector<LaunchFacts>& launches)
{
    const auto longest = std::ranges::max_element(launches, {}, [](const LaunchFacts& launch) { return launch.gpuNs.value_or(0); });
    return static_cast<std::size_t>(longest - launches.begin());
}

Result<MetricSet> collectMetrics(GpuSession& session, BuiltWork& work, const ProfileRequest& request, const Job& job)
{
    const MetricRequest wanted{request.tier, request.metrics, request.maxPasses};
    Result<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::open(session.context(), session.index());
    if (!profiler)
        return profiler.error();
    const Result<PassPlan> plan = (*profiler)->plan(wanted);
    if (!plan)
        return plan.error();
    const Phase phase(job, fmt::format("counters: {} {}", plan->passes, plan->passes == 1 ? "pass" : "passes"));
    const std::size_t target = longestLaunch(work.facts());
    const bool flush = request.cacheControl.value_or("flush") == "flush";
    Passes passes(session, work, target);
    const Status prepared = passes.prepare(session.device(), flush);
    if (!prepared && !isDeviceLimit(prepared.error()))
        return prepared.error();
    Result<std::vector<MetricSet>> sets =
        (*profiler)->collect(wanted, prepared ? passes.counted() : replayedByCupti(session, work, target));
    if (!sets)
        return sets.error();
    MetricSet set = std::move(sets->front());
    set.launch = work.facts()[target].entry;
    set.cacheControl = !flush ? "none" : prepared ? "flushed before every pass" : "none: no memory left to flush with";
    return set;
}

} // namespace kl
