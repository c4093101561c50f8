// SPDX-License-Identifier: MIT
#include "profiler/inject/source_sampler.h"

#include "profiler/live/cuda/driver.h" // KL_TRY
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/work/source_join.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace kl {
namespace {

constexpr double kEnoughSamples = 20'000;
constexpr double kSamplesALaunch = 10'000; // that CUPTI's buffer holds easily
constexpr int kMostLaunches = 5;
constexpr int kShortestPeriodLog2 = 5;

/// The image that most samples of the kernel's own function come from.
std::string_view imageOf(const PcSamples& samples, const std::string& kernel, const ModuleImages& images)
{
    for (const PcRecord& record : samples.records)
        if (record.function == kernel)
            return images.find(record.cubinCrc);
    return {};
}

} // namespace

SamplingNext samplingAfter(int periodLog2, std::int64_t samples)
{
    const auto seen = static_cast<double>(std::max<std::int64_t>(samples, 1));
    if (seen >= kEnoughSamples)
        return {periodLog2, 0};
    const int finer = std::max(0, static_cast<int>(std::ceil(std::log2(kSamplesALaunch / seen))));
    const int period = std::max(kShortestPeriodLog2, periodLog2 - finer);
    const double aLaunch = seen * static_cast<double>(1 << (periodLog2 - period));
    return {period, static_cast<int>(std::clamp(std::ceil(kEnoughSamples / aLaunch), 1.0, static_cast<double>(kMostLaunches)))};
}

Status SourceSampler::begin(CUctx_st* context, const std::string& kernel)
{
    const auto known = kernels_.find(kernel);
    const SamplingNext how = known == kernels_.end() ? SamplingNext{} : known->second.next;
    Result<std::unique_ptr<PcSampler>> sampler = PcSampler::open(context, how.periodLog2);
    if (!sampler)
        return sampler.error();
    open_ = std::move(*sampler);
    Status started = open_->start();
    if (!started)
        open_.reset();
    return started;
}

Result<SampledKernel> SourceSampler::end(const std::string& kernel, int device)
{
    const std::unique_ptr<PcSampler> sampler = std::move(open_);
    Result<PcSamples> fresh = sampler->stop();
    if (!fresh)
        return fresh.error();
    Known& known = kernels_[kernel];
    ++known.launches;
    if (known.launches == 1)
        known.next = samplingAfter(known.next.periodLog2, fresh->count());
    else if (known.samples.periodCycles != fresh->periodCycles)
        known.samples = {}; // the few samples of the first launch weigh otherwise
    known.samples.dropped += fresh->dropped;
    known.samples.total += fresh->total;
    known.samples.foreign += fresh->foreign;
    known.samples.periodCycles = fresh->periodCycles;
    std::ranges::move(fresh->records, std::back_inserter(known.samples.records));
    return join(kernel, device);
}

int SourceSampler::launchesWanted(const std::string& kernel) const
{
    const auto known = kernels_.find(kernel);
    return known != kernels_.end() && known->second.launches == 1 ? known->second.next.launches : 0;
}

Status SourceSampler::beginCounts(CUctx_st* context, int device, const std::string& chip)
{
    std::unique_ptr<SassCounter>& counter = counters_[device];
    if (!counter) {
        KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
        KL_TRY(checkCupti(CuptiApi::load().value().ProfilerInitialize(&initialize), "cuptiProfilerInitialize"));
        Result<std::unique_ptr<SassCounter>> opened = SassCounter::open(device, chip);
        if (!opened)
            return opened.error();
        counter = std::move(*opened);
    }
    KL_TRY(counter->start(context));
    counting_ = counter.get();
    return {};
}

Result<SampledKernel> SourceSampler::endCounts(const std::string& kernel, int device)
{
    Result<std::vector<SassCount>> counts = std::exchange(counting_, nullptr)->stop();
    Known& known = kernels_[kernel];
    ++known.launches;
    if (counts)
        known.counts = std::move(*counts);
    known.noCounts = counts ? "" : counts.error().message;
    return join(kernel, device);
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
    SampledKernel sampled{kernel, device, known.launches, {}};
    sampled.source = joinSource(known.samples, known.counts, imageOf(known.samples, kernel, images_), kernel);
    sampled.source.countsUnavailable = known.noCounts;
    if (sampled.source.samples == 0)
        sampled.source.unavailable =
            fmt::format("No sample fell into the kernel ({} were taken, {} of them in kernels that CUPTI does not know).",
                        known.samples.total, known.samples.foreign);
    return sampled;
}

} // namespace kl
