// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_counters.h"

#include "profiler/live/cuda/driver.h" // KL_TRY
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"

#include <cmath>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr std::size_t kRoom = 4; // one launch is expected; more must show

const CuptiApi& cupti()
{
    return CuptiApi::load().value(); // begin() has looked
}

/// SM clock of the pass, MHz: cycles per nanosecond × 1000.
std::optional<double> clockOf(const std::vector<std::string>& names, const std::vector<double>& values)
{
    double time = 0;
    double cycles = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == kTimeMetric)
            time = values[i];
        else if (names[i] == kCyclesMetric)
            cycles = values[i];
    }
    return time > 0 && cycles > 0 ? std::optional(cycles / time * 1000) : std::nullopt;
}

} // namespace

Result<LaunchCounters::Device*> LaunchCounters::prepare(CUctx_st* context, int deviceIndex)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    KL_TRY(checkCupti(cupti().ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
    const auto known = devices_.find(deviceIndex);
    if (known != devices_.end())
        return &known->second;
    KL_TRY(checkDeviceSupported(cupti(), deviceIndex));
    Result<std::string> chip = chipName(cupti(), deviceIndex);
    if (!chip)
        return chip.error();
    Result<std::vector<std::uint8_t>> availability = counterAvailability(cupti(), context);
    if (!availability)
        return availability.error();
    Result<std::unique_ptr<MetricHost>> host = MetricHost::open(*chip, std::move(*availability));
    if (!host)
        return host.error();
    Result<MetricSelection> selection = selectMetrics(request_, **host);
    if (!selection)
        return selection.error();
    return &devices_.emplace(deviceIndex, Device{std::move(*host), std::move(*selection)}).first->second;
}

Status LaunchCounters::begin(CUctx_st* context, int deviceIndex)
{
    const Result<Device*> device = prepare(context, deviceIndex);
    if (!device) {
        disable();
        return device.error();
    }
    open_ = *device;
    if (open_->selection.chipNames.empty()) {
        disable();
        return {};
    }
    Status started = start(context);
    if (!started)
        disable();
    return started;
}

Status LaunchCounters::start(CUctx_st* context)
{
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
    enable.ctx = context;
    KL_TRY(checkCupti(cupti().RangeProfilerEnable(&enable), "cuptiRangeProfilerEnable"));
    object_ = enable.pRangeProfilerObject;

    const std::vector<std::string> configured = open_->selection.configured();
    Result<std::vector<std::uint8_t>> image = open_->host->configImage(configured);
    if (!image)
        return image.error();
    image_ = std::move(*image);
    std::vector<const char*> names = pointersTo(configured);
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = kRoom;
    size.maxNumRangeTreeNodes = kRoom;
    KL_TRY(checkCupti(cupti().RangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize"));
    counterData_.assign(size.counterDataSize, 0);
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
    initialize.pRangeProfilerObject = object_;
    initialize.counterDataSize = counterData_.size();
    initialize.pCounterData = counterData_.data();
    KL_TRY(checkCupti(cupti().RangeProfilerCounterDataImageInitialize(&initialize), "cuptiRangeProfilerCounterDataImageInitialize"));

    KL_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
    set.pRangeProfilerObject = object_;
    set.configSize = image_.size();
    set.pConfig = image_.data();
    set.counterDataImageSize = counterData_.size();
    set.pCounterDataImage = counterData_.data();
    set.range = CUPTI_AutoRange;
    set.replayMode = CUPTI_KernelReplay;
    set.maxRangesPerPass = kRoom;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    KL_TRY(checkCupti(cupti().RangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig"));
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, begin);
    begin.pRangeProfilerObject = object_;
    return checkCupti(cupti().RangeProfilerStart(&begin), "cuptiRangeProfilerStart");
}

Result<MetricSet> LaunchCounters::end()
{
    MetricSet set;
    set.tier = request_.tier;
    set.missing = open_->selection.missing;
    set.spelled = open_->selection.spelled();
    set.plan.passes = open_->selection.passes;
    set.rangeMode = "AutoRange";
    set.replayMode = "KernelReplay";
    if (!object_)
        return set;
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
    stop.pRangeProfilerObject = object_;
    Status status = checkCupti(cupti().RangeProfilerStop(&stop), "cuptiRangeProfilerStop");
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
    decode.pRangeProfilerObject = object_;
    if (status)
        status = checkCupti(cupti().RangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData");
    disable();
    if (!status)
        return status.error();
    KL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    info.pCounterDataImage = counterData_.data();
    info.counterDataImageSize = counterData_.size();
    KL_TRY(checkCupti(cupti().RangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo"));
    if (!stop.isAllPassSubmitted || info.numTotalRanges != 1)
        return Error{ErrorCode::internal,
                     fmt::format("The profiler saw {} launches{} where one was made.", info.numTotalRanges,
                                 stop.isAllPassSubmitted ? "" : " and not every pass"),
                     {},
                     {},
                     {}};
    const std::vector<std::string> configured = open_->selection.configured();
    const Result<std::vector<double>> values = open_->host->evaluate(counterData_, 0, configured);
    if (!values)
        return values.error();
    for (std::size_t i = 0; i < open_->selection.names.size(); ++i) {
        if (std::isfinite((*values)[i]))
            set.values[open_->selection.names[i]] = (*values)[i];
        else
            set.missing[open_->selection.names[i]] = "undefined for this launch: nothing of the kind happened";
    }
    set.plan.ran = open_->selection.passes;
    set.clockMhz = clockOf(configured, *values);
    return set;
}

void LaunchCounters::disable()
{
    if (object_) {
        KL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
        params.pRangeProfilerObject = object_;
        (void)cupti().RangeProfilerDisable(&params);
        object_ = nullptr;
    }
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end); // while it is initialised nobody else may sample or trace
    (void)cupti().ProfilerDeInitialize(&end);
}

} // namespace kl
