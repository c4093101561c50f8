// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/range_profiler.h"

#include "profiler/live/cupti/counter_host.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"

#include <cmath>
#include <map>
#include <optional>

namespace kl {
namespace {

// SM clock of the pass: cycles per nanosecond × 1000 = MHz.
std::optional<double> clockOf(const std::map<std::string, double>& values)
{
    const auto time = values.find(kTimeMetric);
    const auto cycles = values.find(kCyclesMetric);
    if (time == values.end() || cycles == values.end() || !(time->second > 0) || !std::isfinite(cycles->second))
        return {};
    return cycles->second / time->second * 1000;
}

// One more than announced: CUPTI drops launches beyond its room without a word, and a wrong count must show.
std::size_t roomFor(const CountedWork& work)
{
    return work.launches + 1;
}

// The profiler must be initialised.
Result<std::unique_ptr<MetricHost>> hostOf(const CuptiApi& api, CUcontext context, int deviceIndex)
{
    if (Status status = checkDeviceSupported(api, deviceIndex); !status)
        return status.error();
    const Result<std::string> chip = chipName(api, deviceIndex);
    if (!chip)
        return chip.error();
    Result<std::vector<std::uint8_t>> availability = counterAvailability(api, context);
    if (!availability)
        return availability.error();
    return MetricHost::open(*chip, std::move(*availability));
}

// Asks CUPTI's target side something: it crashes when asked before its initialisation.
template <class T, class Ask> Result<T> initialised(Ask ask)
{
    const Result<CuptiApi>& api = CuptiApi::load();
    if (!api)
        return api.error();
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, begin);
    if (Status status = checkCupti(api->ProfilerInitialize(&begin), "cuptiProfilerInitialize"); !status)
        return status.error();
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
        disable();
        if (initialized_) {
            KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
            (void)api_.ProfilerDeInitialize(&params);
        }
    }

    Status open(CUcontext context, int deviceIndex, std::shared_ptr<CounterHost> known)
    {
        KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
        if (Status status = checkCupti(api_.ProfilerInitialize(&initialize), "cuptiProfilerInitialize"); !status)
            return status;
        initialized_ = true;
        context_ = context;
        host_ = std::move(known);
        if (host_)
            return {};
        Result<std::unique_ptr<MetricHost>> host = hostOf(api_, context, deviceIndex);
        if (!host)
            return host.error();
        host_ = std::make_shared<CounterHost>(std::move(*host));
        if (Status status = enable(); !status) // proves the permission
            return status;
        disable();
        return {};
    }

    std::shared_ptr<CounterHost> host() const override { return host_; }

    const std::string& chip() const noexcept override { return host_->metrics().chip(); }

    Result<PassPlan> plan(const MetricRequest& request) override
    {
        const Result<MetricSelection> selection = host_->select(request);
        if (!selection)
            return selection.error();
        return PassPlan{selection->passes, 0};
    }

    Result<std::vector<MetricSet>> collect(const MetricRequest& request, const CountedWork& work) override
    {
        const Result<MetricSelection> selection = host_->select(request);
        if (!selection)
            return selection.error();
        MetricSet blank;
        blank.tier = request.tier;
        blank.missing = selection->missing;
        blank.spelled = selection->spelled();
        blank.plan.passes = selection->passes;
        blank.rangeMode = "AutoRange";
        blank.replayMode = work.restore ? "UserReplay" : "KernelReplay";
        if (selection->chipNames.empty())
            return std::vector<MetricSet>(work.wanted.size(), blank);
        // One range profiler object a collection: CUDA 13.0's CUPTI crashes in the first launch after a second SetConfig.
        if (Status status = enable(); !status)
            return status.error();
        const Result<int> ran = count(*selection, work);
        disable();
        if (!ran)
            return ran.error();
        blank.plan.ran = *ran;
        return evaluate(*selection, work, blank);
    }

private:
    Status enable()
    {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, params);
        params.ctx = context_;
        if (Status status = checkCupti(api_.RangeProfilerEnable(&params), "cuptiRangeProfilerEnable"); !status)
            return status;
        object_ = params.pRangeProfilerObject;
        return {};
    }

    void disable() noexcept
    {
        if (!object_)
            return;
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
        params.pRangeProfilerObject = object_;
        (void)api_.RangeProfilerDisable(&params);
        object_ = nullptr;
    }

    /// Runs every pass and leaves the decoded counters in counterData_, one range a launch. Gives the passes that ran.
    Result<int> count(const MetricSelection& selection, const CountedWork& work)
    {
        const Result<std::vector<std::uint8_t>> config = host_->metrics().configImage(selection.configured());
        if (!config)
            return config.error();
        if (Status status = prepareCounterData(selection, work); !status)
            return status.error();
        if (Status status = setConfig(*config, work); !status)
            return status.error();
        int ran = 0;
        for (bool done = false; !done;) {
            if (ran >= selection.passes)
                return Error{ErrorCode::internal,
                             "The profiler did not end with the last pass planned.",
                             "Profile again, with fewer metrics.",
                             {},
                             {}};
            if (work.restore)
                if (Status status = work.restore(); !status)
                    return status.error();
            const Result<bool> last = runPass(work);
            if (!last)
                return last.error();
            done = *last;
            ran = work.restore ? ran + 1 : selection.passes; // kernel replay runs them all at once
        }
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
        decode.pRangeProfilerObject = object_;
        if (Status status = checkCupti(api_.RangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData"); !status)
            return status.error();
        if (decode.numOfRangeDropped > 0)
            return Error{ErrorCode::internal,
                         "The profiler dropped " + std::to_string(decode.numOfRangeDropped) + " launches.",
                         "The sequence made more launches than announced; profile it without a CUDA graph.",
                         {},
                         {}};
        return ran;
    }

    Status setConfig(const std::vector<std::uint8_t>& config, const CountedWork& work)
    {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
        set.pRangeProfilerObject = object_;
        set.configSize = config.size();
        set.pConfig = config.data();
        set.counterDataImageSize = counterData_.size();
        set.pCounterDataImage = counterData_.data();
        set.range = CUPTI_AutoRange;
        set.replayMode = work.restore ? CUPTI_UserReplay : CUPTI_KernelReplay;
        set.maxRangesPerPass = roomFor(work);
        set.numNestingLevels = 1;
        set.minNestingLevel = 1;
        set.targetNestingLevel = work.restore ? 1 : 0;
        return checkCupti(api_.RangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig");
    }

    /// One Start and Stop around the sequence. Gives whether all passes are done.
    Result<bool> runPass(const CountedWork& work)
    {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, start);
        start.pRangeProfilerObject = object_;
        if (Status status = checkCupti(api_.RangeProfilerStart(&start), "cuptiRangeProfilerStart"); !status)
            return status.error();
        const Status issued = work.issue();
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
        stop.pRangeProfilerObject = object_;
        const Status stopped = checkCupti(api_.RangeProfilerStop(&stop), "cuptiRangeProfilerStop");
        if (!issued)
            return issued.error();
        if (!stopped)
            return stopped.error();
        return stop.isAllPassSubmitted != 0;
    }

    Status prepareCounterData(const MetricSelection& selection, const CountedWork& work)
    {
        const std::vector<std::string> configured = selection.configured();
        std::vector<const char*> names = pointersTo(configured);
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
        size.pRangeProfilerObject = object_;
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = roomFor(work);
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(roomFor(work));
        if (Status status = checkCupti(api_.RangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize"); !status)
            return status;
        counterData_.assign(size.counterDataSize, 0);
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
        initialize.pRangeProfilerObject = object_;
        initialize.counterDataSize = counterData_.size();
        initialize.pCounterData = counterData_.data();
        return checkCupti(api_.RangeProfilerCounterDataImageInitialize(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
    }

    Result<std::vector<MetricSet>> evaluate(const MetricSelection& selection, const CountedWork& work, const MetricSet& blank)
    {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
        info.pCounterDataImage = counterData_.data();
        info.counterDataImageSize = counterData_.size();
        if (Status status = checkCupti(api_.RangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo"); !status)
            return status.error();
        if (info.numTotalRanges != work.launches)
            return Error{ErrorCode::internal,
                         "The profiler saw " + std::to_string(info.numTotalRanges) + " launches where " + std::to_string(work.launches) +
                             " were announced.",
                         "Profile the sequence without a CUDA graph.",
                         {},
                         {}};
        const std::vector<std::string> configured = selection.configured();
        std::vector<MetricSet> sets;
        for (const std::size_t range : work.wanted) {
            const Result<std::vector<double>> values = host_->metrics().evaluate(counterData_, range, configured);
            if (!values)
                return values.error();
            sets.push_back(blank);
            std::map<std::string, double> byName;
            for (std::size_t i = 0; i < configured.size(); ++i) {
                byName[configured[i]] = (*values)[i];
                if (i < selection.names.size())
                    store(sets.back(), selection.names[i], (*values)[i]);
            }
            sets.back().clockMhz = clockOf(byName);
        }
        return sets;
    }

    static void store(MetricSet& set, const std::string& name, double value)
    {
        if (std::isfinite(value))
            set.values[name] = value;
        else
            set.missing[name] = "undefined for this launch: nothing of the kind happened";
    }

    const CuptiApi& api_;
    CUcontext context_ = nullptr;
    bool initialized_ = false;
    CUpti_RangeProfiler_Object* object_ = nullptr;
    std::shared_ptr<CounterHost> host_;
    std::vector<std::uint8_t> counterData_;
};

} // namespace

Result<std::unique_ptr<RangeProfiler>> RangeProfiler::open(CUctx_st* context, int deviceIndex, std::shared_ptr<CounterHost> host)
{
    const Result<CuptiApi>& api = CuptiApi::load();
    if (!api)
        return api.error();
    auto profiler = std::make_unique<CuptiRangeProfiler>(api.value());
    if (Status status = profiler->open(context, deviceIndex, std::move(host)); !status)
        return status.error();
    return std::unique_ptr<RangeProfiler>(std::move(profiler));
}

Result<std::unique_ptr<MetricHost>> openMetricHost(CUctx_st* context, int deviceIndex)
{
    return initialised<std::unique_ptr<MetricHost>>([&](const CuptiApi& api) { return hostOf(api, context, deviceIndex); });
}

Result<std::string> cuptiChipName(int deviceIndex)
{
    return initialised<std::string>([&](const CuptiApi& api) { return chipName(api, deviceIndex); });
}

Status countersPermitted(CUctx_st* context, int deviceIndex)
{
    const Result<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::open(context, deviceIndex);
    return profiler ? Status{} : Status{profiler.error()};
}

} // namespace kl
