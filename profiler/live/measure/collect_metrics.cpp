// SPDX-License-Identifier: MIT
#include "profiler/live/measure/collect_metrics.h"

#include "core/base/try.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/work/cache_flush.h"
#include "profiler/live/work/memory_snapshot.h"
#include "profiler/live/work/nvtx_phase.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr double kPassSeconds = 10 * kHangSeconds; // a counted launch is slower than a plain one

/// One pass over several works: of each, the launches before its longest, a flush, the longest. All of them are ranges of the collection.
class Passes {
public:
    Passes(CUstream stream, CacheFlush* flush) : stream_(stream), flush_(flush) {}

    Status add(BuiltWork& work)
    {
        if (!work.untouched())
            KL_TRY(work.reset());
        KL_ASSIGN(MemorySnapshot snapshot, MemorySnapshot::take(work.memory(), stream_));
        items_.push_back({&work, longestLaunch(work.facts()), std::move(snapshot)});
        return {};
    }

    CountedWork makeCountedWork()
    {
        CountedWork work{0, {}, [this] { return issue(); }, [this] { return restore(); }};
        for (const Item& item : items_) {
            work.launches += item.target + (flush_ ? CacheFlush::kLaunches : 0);
            work.wanted.push_back(work.launches++);
        }
        return work;
    }

    /// The work whose launch failed.
    std::optional<std::size_t> findFailed() const { return failed_; }

private:
    struct Item {
        BuiltWork* work;
        std::size_t target;
        MemorySnapshot snapshot;
    };

    Status restore()
    {
        for (const Item& item : items_)
            KL_TRY(item.snapshot.restore(stream_));
        return waitFor(stream_, kPassSeconds);
    }
    Status issue()
    {
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (Status status = issue(items_[i]); !status) {
                failed_ = i;
                return status;
            }
        return {};
    }
    Status issue(const Item& item)
    {
        for (std::size_t before = 0; before < item.target; ++before)
            KL_TRY(item.work->issueLaunch(before));
        if (flush_)
            KL_TRY(flush_->issue(stream_));
        KL_TRY(item.work->issueLaunch(item.target));
        return waitFor(stream_, kPassSeconds);
    }

    CUstream stream_;
    CacheFlush* flush_;
    std::vector<Item> items_;
    std::optional<std::size_t> failed_;
};

/// CUPTI's own replay of the launch, the launches before it counted along and dropped.
CountedWork makeCuptiReplay(CUstream stream, BuiltWork& work)
{
    const std::size_t target = longestLaunch(work.facts());
    return {target + 1,
            {target},
            [&work, target, stream]() -> Status {
                for (std::size_t launch = 0; launch <= target; ++launch)
                    KL_TRY(work.issueLaunch(launch));
                return waitFor(stream, kPassSeconds);
            },
            {}};
}

/// The session's profiler, with its plan reported as the job's phase while this lives.
struct Planned {
    RangeProfiler* profiler = nullptr;
    std::unique_ptr<Phase> phase;
};

Result<Planned> plan(GpuSession& session, const MetricRequest& wanted, const Job& job)
{
    KL_ASSIGN(auto* profiler, session.counters());
    KL_ASSIGN(const PassPlan passes, profiler->plan(wanted));
    auto phase = std::make_unique<Phase>(job, fmt::format("counters: {} {}", passes.passes, passes.passes == 1 ? "pass" : "passes"));
    return Planned{profiler, std::move(phase)};
}

} // namespace

std::size_t longestLaunch(const std::vector<LaunchFacts>& launches)
{
    const auto longest = std::ranges::max_element(launches, {}, [](const LaunchFacts& launch) { return launch.gpuNs.value_or(0); });
    return static_cast<std::size_t>(longest - launches.begin());
}

Result<std::vector<MetricSet>> collectTogether(GpuSession& session, std::span<BuiltWork* const> works, const MetricRequest& wanted,
                                               bool flush, const Job& job, std::optional<std::size_t>& failed)
{
    KL_ASSIGN(const Planned planned, plan(session, wanted, job));
    KL_ASSIGN(auto* emptier, flush ? session.cacheFlush() : Result<CacheFlush*>(nullptr));
    Passes passes(session.bench().stream(), emptier);
    for (BuiltWork* work : works)
        KL_TRY(passes.add(*work));
    Result<std::vector<MetricSet>> sets = planned.profiler->collect(wanted, passes.makeCountedWork());
    failed = passes.findFailed();
    if (!sets)
        return sets.error();
    for (std::size_t i = 0; i < sets->size(); ++i) {
        (*sets)[i].launch = works[i]->facts()[longestLaunch(works[i]->facts())].entry;
        (*sets)[i].cacheControl = flush ? "flushed before every pass" : "none";
    }
    return sets;
}

Result<MetricSet> collectMetrics(GpuSession& session, BuiltWork& work, const ProfileRequest& request, const Job& job)
{
    const MetricRequest wanted{request.tier, request.metrics, request.maxPasses};
    const bool flush = request.cacheControl.value_or("flush") == "flush";
    std::optional<std::size_t> failed;
    BuiltWork* const works[] = {&work};
    Result<std::vector<MetricSet>> together = collectTogether(session, works, wanted, flush, job, failed);
    if (together)
        return std::move(together->front());
    if (!isDeviceLimit(together.error()) || failed)
        return together.error();
    // No room for a second copy of the buffers: CUPTI saves memory to the host.
    KL_ASSIGN(const Planned planned, plan(session, wanted, job));
    KL_TRY(work.reset());
    KL_ASSIGN(std::vector<MetricSet> sets, planned.profiler->collect(wanted, makeCuptiReplay(session.bench().stream(), work)));
    MetricSet set = std::move(sets.front());
    set.launch = work.facts()[longestLaunch(work.facts())].entry;
    set.cacheControl = flush ? "none: not enough memory left to flush" : "none";
    return set;
}

} // namespace kl::inline live
