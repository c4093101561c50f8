// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/range_profiler.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/cupti/counter_host.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"
#include "profiler/live/cupti/metric_values.h"
#include "profiler/live/cupti/range_counter.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace kl::inline live {
namespace {

// One more than announced: CUPTI drops launches beyond its room without a word, and an incorrect count must show.
std::size_t roomFor(const CountedWork& work)
{
    return work.launches + 1;
}

/// Room for the next collection of the same metrics, which may have a launch more.
constexpr std::size_t kLeastRanges = 8;
/// Collections of one pass that one set-up makes: 48 in a row were seen to work on an H200, and this costs 10 ms each.
constexpr int kMostUses = 16;
constexpr std::chrono::milliseconds kBusyPause{250};
constexpr std::chrono::milliseconds kBusyPatience{3000};

/// Another worker that holds the counters lets go of them when it is idle or waits for us, which is waited for: repeats what found the
/// device busy. Which of CUPTI's calls is the one to find out differs.
template <class Attempt> auto patiently(Attempt attempt)
{
    for (auto waited = std::chrono::milliseconds(0);; waited += kBusyPause) {
        auto done = attempt();
        if (done || !countersBusy(done.error()) || waited >= kBusyPatience)
            return done;
        std::this_thread::sleep_for(kBusyPause);
    }
}

// Queries CUPTI's target API, which crashes before its initialization.
template <class T, class Ask> Result<T> queryInitialized(Ask ask)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, begin);
    KL_TRY(checkCupti(api->ProfilerInitialize(&begin), "cuptiProfilerInitialize"));
    Result<T> answer = ask(*api);
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end);
    (void)api->ProfilerDeInitialize(&end);
    return answer;
}

class CuptiRangeProfiler final : public RangeProfiler {
public:
    explicit CuptiRangeProfiler(const CuptiApi& api) : api_(api) {}

    ~CuptiRangeProfiler() override
    {
        counter_.reset();
        if (initialized_) {
            KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
            (void)api_.ProfilerDeInitialize(&params);
        }
    }

    Status open(CUcontext context, int deviceIndex, std::shared_ptr<CounterHost> known)
    {
        KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
        KL_TRY(checkCupti(api_.ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
        initialized_ = true;
        context_ = context;
        host_ = std::move(known);
        if (host_)
            return {};
        KL_ASSIGN(std::unique_ptr<MetricHost> host, patiently([&] { return MetricHost::openFor(context, deviceIndex); }));
        host_ = std::make_shared<CounterHost>(std::move(host));
        return patiently([this] { return provePermission(); });
    }

    std::shared_ptr<CounterHost> host() const override { return host_; }

    const std::string& chip() const noexcept override { return host_->metrics().chip(); }

    Result<PassPlan> plan(const MetricRequest& request) override
    {
        const Timed time("counters: plan");
        KL_ASSIGN(const MetricSelection selection, host_->select(request));
        return PassPlan{selection.passes, 0};
    }

    Result<std::vector<MetricSet>> collect(const MetricRequest& request, const CountedWork& work) override
    {
        KL_ASSIGN(const MetricSelection selection, host_->select(request));
        std::vector<MetricSet> sets(work.wanted.size(), makePlannedSet(selection, request.tier, !work.restore));
        if (selection.chipNames.empty())
            return sets;
        if (Status counted = count(selection, work, sets); !counted) {
            counter_.reset();
            return counted.error();
        }
        return sets;
    }

private:
    Status count(const MetricSelection& selection, const CountedWork& work, std::vector<MetricSet>& sets)
    {
        const Status done = countAll(selection, work, sets);
        if (selection.passes > 1)
            counter_.reset(); // used again for several passes, CUDA 13.0's CUPTI crashed after some ten collections
        return done;
    }

    Status countAll(const MetricSelection& selection, const CountedWork& work, std::vector<MetricSet>& sets)
    {
        KL_ASSIGN(const int ran, runPasses(selection, work));
        const Timed time("counters: evaluate");
        for (std::size_t i = 0; i < sets.size(); ++i) {
            KL_ASSIGN(const std::vector<double> values, counter_->values(host_->metrics(), work.wanted[i]));
            storeValues(selection, values, sets[i]);
            sets[i].plan.ran = ran;
        }
        return {};
    }

    /// Leaves a counter that does what is wanted: the one of the last time, or a new one.
    Status prepare(RangeSetup wanted)
    {
        if (counter_ && counter_->setup().metrics == wanted.metrics && counter_->setup().kernelReplay == wanted.kernelReplay &&
            counter_->setup().ranges >= wanted.ranges && ++uses_ < kMostUses)
            return counter_->clear();
        counter_.reset(); // two at a time are not allowed
        uses_ = 0;
        wanted.ranges = std::max(wanted.ranges, kLeastRanges);
        KL_ASSIGN(std::unique_ptr<RangeCounter> counter, RangeCounter::open(context_, host_->metrics(), std::move(wanted)));
        counter_ = std::move(counter);
        return {};
    }

    Status provePermission()
    {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
        enable.ctx = context_;
        KL_TRY(checkCupti(api_.RangeProfilerEnable(&enable), "cuptiRangeProfilerEnable"));
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
        disable.pRangeProfilerObject = enable.pRangeProfilerObject;
        return checkCupti(api_.RangeProfilerDisable(&disable), "cuptiRangeProfilerDisable");
    }

    /// Gives the passes that ran, after which the counter holds every launch.
    Result<int> runPasses(const MetricSelection& selection, const CountedWork& work)
    {
        int ran = 0;
        for (bool done = false; !done;) {
            if (ran >= selection.passes)
                return Error{.code = ErrorCode::internal,
                             .message = "The profiler did not finish with the last planned pass.",
                             .hint = "Profile again, with fewer metrics."};
            if (work.restore)
                KL_TRY(work.restore());
            KL_TRY(ran == 0 ? begin({selection.listConfigured(), roomFor(work), !work.restore}) : counter_->start());
            const Timed time("counters: one pass");
            const Status issued = work.issue();
            const Result<bool> last = counter_->stop(); // also after a failed launch
            KL_TRY(issued);
            KL_ASSIGN(done, last);
            ran = work.restore ? ran + 1 : selection.passes; // kernel replay runs them all at once
        }
        const Timed time("counters: decode");
        KL_ASSIGN(const std::size_t seen, counter_->decode());
        if (seen != work.launches)
            return Error{.code = ErrorCode::internal,
                         .message = "The profiler recorded " + std::to_string(seen) + " launches instead of " +
                                    std::to_string(work.launches) + ".",
                         .hint = "Profile the sequence without a CUDA graph."};
        return ran;
    }

    Status begin(const RangeSetup& setup)
    {
        const Timed time("counters: set up");
        return patiently([&]() -> Status {
            KL_TRY(prepare(setup));
            Status started = counter_->start();
            if (!started)
                counter_.reset();
            return started;
        });
    }

    const CuptiApi& api_;
    CUcontext context_ = nullptr;
    bool initialized_ = false;
    std::shared_ptr<CounterHost> host_;
    std::unique_ptr<RangeCounter> counter_; ///< set up for what was counted last
    int uses_ = 0;                          ///< of counter_, after the first
};

} // namespace

Result<std::unique_ptr<RangeProfiler>> RangeProfiler::open(CUctx_st* context, int deviceIndex, std::shared_ptr<CounterHost> host)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    auto profiler = std::make_unique<CuptiRangeProfiler>(*api);
    KL_TRY(profiler->open(context, deviceIndex, std::move(host)));
    return std::unique_ptr<RangeProfiler>(std::move(profiler));
}

Result<std::unique_ptr<MetricHost>> openMetricHost(CUctx_st* context, int deviceIndex)
{
    return queryInitialized<std::unique_ptr<MetricHost>>(
        [&](const CuptiApi&) { return patiently([&] { return MetricHost::openFor(context, deviceIndex); }); });
}

Result<ChipCounters> chipCounters(CUctx_st* context, int deviceIndex)
{
    return queryInitialized<ChipCounters>([&](const CuptiApi&) { return MetricHost::queryCounters(context, deviceIndex); });
}

Result<std::string> cuptiChipName(int deviceIndex)
{
    return queryInitialized<std::string>([&](const CuptiApi& api) { return chipName(api, deviceIndex); });
}

Status countersPermitted(CUctx_st* context, int deviceIndex)
{
    const Result<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::open(context, deviceIndex);
    return profiler ? Status{} : Status{profiler.error()};
}

} // namespace kl::inline live
