// SPDX-License-Identifier: MIT
#include "profiler/inject/source_sampler.h"

#include "core/base/try.h"
#include "profiler/inject/source_texts.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/work/source_join.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kl::inject {
namespace {

/// The image that most samples of the kernel's own function come from.
std::string_view findImage(const PcSamples& samples, const std::string& kernel, const ModuleImages& images)
{
    for (const PcRecord& record : samples.records)
        if (record.function == kernel)
            return images.find(record.cubinCrc);
    return {};
}

/// While the profiler is initialized, no launch is traced or sampled, and no second kernel is counted.
void endProfiler()
{
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end);
    (void)CuptiApi::load().value().ProfilerDeInitialize(&end);
}

} // namespace

Status SourceSampler::begin(CUctx_st* context, const std::string& kernel)
{
    const auto known = kernels_.find(kernel);
    const LaunchSampling plan = known == kernels_.end() ? LaunchSampling{} : known->second.plan;
    KL_ASSIGN(std::unique_ptr<PcSampler> sampler, PcSampler::open(context, plan.periodLog2));
    open_ = std::move(sampler);
    Status started = open_->start();
    if (!started)
        open_.reset();
    return started;
}

Result<SampledKernel> SourceSampler::end(const std::string& kernel, int device)
{
    const std::unique_ptr<PcSampler> sampler = std::move(open_);
    KL_ASSIGN(PcSamples fresh, sampler->stop());
    Known& known = kernels_[kernel];
    if (++known.sampled == 1)
        known.plan = chooseSamplingAfter(known.plan.periodLog2, fresh.count());
    else if (known.samples.periodCycles != fresh.periodCycles)
        known.samples = {}; // the few samples of the first launch weigh otherwise
    known.samples.dropped += fresh.dropped;
    known.samples.total += fresh.total;
    known.samples.foreign += fresh.foreign;
    known.samples.periodCycles = fresh.periodCycles;
    std::ranges::move(fresh.records, std::back_inserter(known.samples.records));
    return join(kernel, device);
}

int SourceSampler::countLaunchesWanted(const std::string& kernel) const
{
    const auto known = kernels_.find(kernel);
    return known != kernels_.end() && known->second.sampled == 1 ? known->second.plan.launches : 0;
}

Status SourceSampler::beginCounts(CUctx_st* context, int device, const std::string& chip)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    KL_TRY(checkCupti(CuptiApi::load().value().ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
    Status started = startCounts(context, device, chip);
    if (!started)
        endProfiler();
    return started;
}

Status SourceSampler::startCounts(CUctx_st* context, int device, const std::string& chip)
{
    std::unique_ptr<SassCounter>& counter = counters_[device];
    if (!counter) {
        KL_ASSIGN(std::unique_ptr<SassCounter> opened, SassCounter::open(device, chip, accesses_));
        counter = std::move(opened);
    }
    KL_TRY(counter->start(context));
    counting_ = counter.get();
    return {};
}

Result<SampledKernel> SourceSampler::endCounts(const std::string& kernel, int device)
{
    Result<std::vector<SassCount>> counts = takeCounts();
    Known& known = kernels_[kernel];
    ++known.counted;
    if (counts)
        known.counts = std::move(*counts);
    known.noCounts = counts ? "" : counts.error().message;
    return join(kernel, device);
}

Result<std::vector<SassCount>> SourceSampler::takeCounts()
{
    Result<std::vector<SassCount>> counts = std::exchange(counting_, nullptr)->stop();
    endProfiler();
    return counts;
}

std::optional<SampledKernel> SourceSampler::soFar(const std::string& kernel, int device, const std::string& failure)
{
    const auto known = kernels_.find(kernel);
    if (known == kernels_.end())
        return {};
    if (known->second.counts.empty())
        known->second.noCounts = failure;
    return join(kernel, device);
}

SampledKernel SourceSampler::join(const std::string& kernel, int device) const
{
    const Known& known = kernels_.at(kernel);
    SampledKernel sampled{kernel, device, known.counted, {}};
    const std::string_view image = findImage(known.samples, kernel, images_);
    sampled.source = joinSource(known.samples, known.counts, image, kernel);
    sampled.source.texts = sourceTexts(sampled.source, image);
    sampled.source.countsUnavailable = known.noCounts;
    if (sampled.source.samples == 0)
        sampled.source.unavailable = fmt::format("No sample is in the kernel ({} were taken, {} of them in kernels unknown to CUPTI).",
                                                 known.samples.total, known.samples.foreign);
    return sampled;
}

} // namespace kl::inject
