// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/range_counter.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/metric_host.h"

namespace kl::inline live {
namespace {

const CuptiApi& cupti()
{
    return CuptiApi::load().value(); // open() has looked
}

} // namespace

Result<std::unique_ptr<RangeCounter>> RangeCounter::open(CUctx_st* context, MetricHost& host, RangeSetup setup)
{
    KL_ASSIGN([[maybe_unused]] const CuptiApi* api, pointerTo(CuptiApi::load()));
    std::unique_ptr<RangeCounter> counter(new RangeCounter(std::move(setup)));
    KL_TRY(counter->configure(context, host));
    return counter;
}

RangeCounter::~RangeCounter()
{
    if (!object_)
        return;
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
    params.pRangeProfilerObject = object_;
    (void)cupti().RangeProfilerDisable(&params);
}

Status RangeCounter::configure(CUctx_st* context, MetricHost& host)
{
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
    enable.ctx = context;
    KL_TRY(checkCupti(cupti().RangeProfilerEnable(&enable), "cuptiRangeProfilerEnable"));
    object_ = enable.pRangeProfilerObject;

    KL_ASSIGN(std::vector<std::uint8_t> config, host.configImage(setup_.metrics));
    config_ = std::move(config);
    std::vector<const char*> names = pointersTo(setup_.metrics);
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = setup_.ranges;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(setup_.ranges);
    KL_TRY(checkCupti(cupti().RangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize"));
    counted_.assign(size.counterDataSize, 0);
    KL_TRY(clear());

    KL_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
    set.pRangeProfilerObject = object_;
    set.configSize = config_.size();
    set.pConfig = config_.data();
    set.counterDataImageSize = counted_.size();
    set.pCounterDataImage = counted_.data();
    set.range = setup_.whole.empty() ? CUPTI_AutoRange : CUPTI_UserRange;
    set.replayMode = setup_.kernelReplay ? CUPTI_KernelReplay : CUPTI_UserReplay;
    set.maxRangesPerPass = setup_.ranges;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.targetNestingLevel = setup_.kernelReplay ? 0 : 1;
    return checkCupti(cupti().RangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig");
}

Status RangeCounter::clear()
{
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
    initialize.pRangeProfilerObject = object_;
    initialize.counterDataSize = counted_.size();
    initialize.pCounterData = counted_.data();
    return checkCupti(cupti().RangeProfilerCounterDataImageInitialize(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
}

Status RangeCounter::start()
{
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params);
    params.pRangeProfilerObject = object_;
    KL_TRY(checkCupti(cupti().RangeProfilerStart(&params), "cuptiRangeProfilerStart"));
    if (setup_.whole.empty())
        return {};
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
    push.pRangeProfilerObject = object_;
    push.pRangeName = setup_.whole.c_str();
    return checkCupti(cupti().RangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
}

Result<bool> RangeCounter::stop()
{
    if (!setup_.whole.empty()) {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
        pop.pRangeProfilerObject = object_;
        KL_TRY(checkCupti(cupti().RangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange"));
    }
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
    params.pRangeProfilerObject = object_;
    KL_TRY(checkCupti(cupti().RangeProfilerStop(&params), "cuptiRangeProfilerStop"));
    return params.isAllPassSubmitted != 0;
}

Result<std::size_t> RangeCounter::decode()
{
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, params);
    params.pRangeProfilerObject = object_;
    KL_TRY(checkCupti(cupti().RangeProfilerDecodeData(&params), "cuptiRangeProfilerDecodeData"));
    if (params.numOfRangeDropped > 0)
        return Error{.code = ErrorCode::internal,
                     .message = "The profiler dropped " + std::to_string(params.numOfRangeDropped) + " launches.",
                     .hint = "The sequence launched more kernels than expected; profile it without a CUDA graph."};
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    info.pCounterDataImage = counted_.data();
    info.counterDataImageSize = counted_.size();
    KL_TRY(checkCupti(cupti().RangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo"));
    return info.numTotalRanges;
}

Result<std::vector<double>> RangeCounter::values(MetricHost& host, std::size_t range) const
{
    return host.evaluate(counted_, range, setup_.metrics);
}

} // namespace kl::inline live
