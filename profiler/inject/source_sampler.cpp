// SPDX-License-Identifier: MIT
#include "profiler/inject/source_sampler.h"

#include "profiler/live/work/source_join.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace kl {
namespace {

constexpr double kCyclesPerNs = 1.5; // about what SM clocks are; the period need not be exact
constexpr double kSamplesPerSm = 100;
constexpr double kEnoughNs = 200'000; // GPU time that gives thousands of samples
constexpr int kMostLaunches = 5;

/// The image that most samples of the kernel's own function come from.
std::string_view imageOf(const PcSamples& samples, const std::string& kernel, const ModuleImages& images)
{
    for (const PcRecord& record : samples.records)
        if (record.function == kernel)
            return images.find(record.cubinCrc);
    return {};
}

} // namespace

int samplingPeriodLog2(double kernelNs)
{
    const double cycles = std::max(kernelNs, 1.0) * kCyclesPerNs / kSamplesPerSm;
    return std::clamp(static_cast<int>(std::lround(std::log2(cycles))), 5, 14);
}

int SourceSampler::launchesFor(double kernelNs)
{
    return std::clamp(static_cast<int>(std::ceil(kEnoughNs / std::max(kernelNs, 1.0))), 1, kMostLaunches);
}

Status SourceSampler::begin(CUctx_st* context, double kernelNs)
{
    Result<std::unique_ptr<PcSampler>> sampler = PcSampler::open(context, samplingPeriodLog2(kernelNs));
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
    known.samples.dropped += fresh->dropped;
    known.samples.total += fresh->total;
    known.samples.foreign += fresh->foreign;
    known.samples.periodCycles = fresh->periodCycles;
    std::ranges::move(fresh->records, std::back_inserter(known.samples.records));
    SampledKernel sampled{kernel, device, known.launches, {}};
    sampled.source = joinSource(known.samples, {}, imageOf(known.samples, kernel, images_), kernel);
    if (sampled.source.samples == 0)
        sampled.source.unavailable =
            fmt::format("No sample fell into the kernel ({} were taken, {} of them in kernels that CUPTI does not know).",
                        known.samples.total, known.samples.foreign);
    sampled.source.countsUnavailable = "executions are not counted in programs";
    return sampled;
}

} // namespace kl
