// SPDX-License-Identifier: MIT
#include "profiler/inject/whole_range.h"

#include "core/base/try.h"
#include "profiler/inject/activity_feed.h"
#include "profiler/live/cuda/driver.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/metric_values.h"

#include <fmt/format.h>
#include <utility>

namespace kl::inject {
namespace {

std::uint64_t rangeTimestamp()
{
    std::uint64_t now = 0;
    (void)CuptiApi::load().value().GetTimestamp(&now);
    return now;
}

} // namespace

WholeRange::WholeRange(const TraceConfig& config, TraceWriter& writer)
    : config_(config), writer_(writer), pending_(config.counters && config.rangeEntries > 0 && !config.ranges.within.empty())
{
    counted_.name = config_.ranges.within;
}

Status WholeRange::begin()
{
    CUcontext context = nullptr;
    KL_TRY(checkCuda(cuda().CtxGetCurrent(&context), "cuCtxGetCurrent"));
    KL_TRY(checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"));
    if (!counter_) {
        CUdevice device = 0;
        KL_TRY(checkCuda(cuda().CtxGetDevice(&device), "cuCtxGetDevice"));
        pause_.start = rangeTimestamp();
        ActivityFeed::pause();
        KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
        KL_TRY(checkCupti(CuptiApi::load().value().ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
        KL_ASSIGN(host_, MetricHost::openFor(context, device));
        KL_ASSIGN(selection_, selectMetrics({config_.tier, config_.metrics, config_.maxPasses}, *host_));
        if (selection_.passes > config_.rangeEntries)
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("Its counters need {} passes, and it was entered {} times.", selection_.passes,
                                                config_.rangeEntries),
                         .hint = "Choose fewer metrics, or let the program enter it more often."};
        KL_ASSIGN(counter_, RangeCounter::open(context, *host_, {selection_.listConfigured(), 1, false, config_.ranges.within}));
    }
    return counter_->start();
}

void WholeRange::enter()
{
    CUcontext context = nullptr;
    if (!pending_ || owner_ || cuda().CtxGetCurrent(&context) != CUDA_SUCCESS || !context)
        return;
    if (const Status begun = begin(); !begun)
        return close(begun.error().message + (begun.error().hint.empty() ? "" : ' ' + begun.error().hint));
    owner_ = std::this_thread::get_id();
}

Status WholeRange::endPass()
{
    KL_TRY(checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"));
    KL_ASSIGN(const bool done, counter_->stop());
    ++counted_.entries;
    if (!done)
        return {};
    KL_ASSIGN(const std::size_t ranges, counter_->decode());
    if (ranges != 1)
        return Error{.code = ErrorCode::internal, .message = fmt::format("The profiler recorded {} ranges instead of one.", ranges)};
    KL_ASSIGN(const std::vector<double> values, counter_->values(*host_, 0));
    counted_.metrics = makePlannedSet(selection_, config_.tier, false);
    counted_.metrics.rangeMode = "UserRange";
    counted_.metrics.cacheControl = "none";
    counted_.metrics.launch = config_.ranges.within;
    counted_.metrics.plan.ran = selection_.passes;
    storeValues(selection_, values, counted_.metrics);
    close({});
    return {};
}

void WholeRange::leave()
{
    if (owner_ != std::this_thread::get_id())
        return;
    owner_.reset();
    if (const Status ended = endPass(); !ended)
        close(ended.error().message + (ended.error().hint.empty() ? "" : ' ' + ended.error().hint));
}

void WholeRange::close(const std::string& failure)
{
    pending_ = false;
    counted_.failure = failure;
    writer_.write(traceLine(counted_));
    counter_.reset();
    host_.reset();
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end);
    (void)CuptiApi::load().value().ProfilerDeInitialize(&end);
    if (pause_.start == 0)
        return;
    ActivityFeed::resume();
    pause_.end = rangeTimestamp();
    writer_.write(traceLine(pause_));
}

void WholeRange::release()
{
    if (pending_ && counter_)
        close("The program started its own profiler before every pass was made.");
    pending_ = false;
}

void WholeRange::finish()
{
    if (!pending_.exchange(false))
        return;
    counted_.failure = counter_
                           ? fmt::format("Its counters need {} passes, and it was entered {} times.", selection_.passes, counted_.entries)
                           : "It was not entered while this process had a CUDA context.";
    writer_.write(traceLine(counted_));
}

} // namespace kl::inject
