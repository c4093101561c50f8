// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_counters.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/metric_values.h"

#include <fmt/format.h>

namespace kl::inject {
namespace {

constexpr std::size_t kRoom = 4; // one launch is expected; more must show

const CuptiApi& cupti()
{
    return CuptiApi::load().value(); // begin() has looked
}

} // namespace

Result<LaunchCounters::Device*> LaunchCounters::prepare(CUctx_st* context, int deviceIndex)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    KL_TRY(checkCupti(cupti().ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
    const auto known = devices_.find(deviceIndex);
    if (known != devices_.end())
        return &known->second;
    KL_ASSIGN(std::unique_ptr<MetricHost> host, MetricHost::openFor(context, deviceIndex));
    KL_ASSIGN(MetricSelection selection, selectMetrics(request_, *host));
    return &devices_.emplace(deviceIndex, Device{std::move(host), std::move(selection)}).first->second;
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
    KL_ASSIGN(std::unique_ptr<RangeCounter> counter,
              RangeCounter::open(context, *open_->host, {open_->selection.listConfigured(), kRoom, true}));
    counter_ = std::move(counter);
    return counter_->start();
}

Result<MetricSet> LaunchCounters::end()
{
    MetricSet set = makePlannedSet(open_->selection, request_.tier, true);
    if (!counter_)
        return set;
    const Result<std::vector<double>> values = readCountedValues();
    disable();
    if (!values)
        return values.error();
    storeValues(open_->selection, *values, set);
    set.plan.ran = open_->selection.passes;
    return set;
}

Result<std::vector<double>> LaunchCounters::readCountedValues()
{
    KL_ASSIGN(const bool done, counter_->stop());
    KL_ASSIGN(const std::size_t seen, counter_->decode());
    if (!done || seen != 1)
        return Error{.code = ErrorCode::internal,
                     .message =
                         fmt::format("The profiler recorded {} launches{} instead of one.", seen, done ? "" : " and not every pass")};
    return counter_->values(*open_->host, 0);
}

void LaunchCounters::disable()
{
    counter_.reset();
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end); // while it is initialized nothing else may sample or trace
    (void)cupti().ProfilerDeInitialize(&end);
}

} // namespace kl::inject
