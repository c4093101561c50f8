// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/launch_sampling.h"
#include "profiler/inject/module_images.h"
#include "profiler/live/cupti/pc_sampling.h"
#include "profiler/live/cupti/sass_counts.h"
#include "profiler/protocol/program_trace.h"

#include <map>
#include <memory>
#include <optional>

struct CUctx_st;

namespace kl::inject {

/// Samples the program counters of the program's launches, counts the instructions of further ones, and joins the samples collected
/// over a kernel's launches with the line tables of the program's modules. As with the counters, no other launch of the process may be made
/// while one is open, and no activity recorded. Not thread-safe.
class SourceSampler {
public:
    /// `accesses`: of the instructions' accesses to memory, too.
    SourceSampler(const ModuleImages& images, bool accesses) : images_(images), accesses_(accesses) {}

    /// `context` is current on the calling thread and idle.
    Status begin(CUctx_st* context, const std::string& kernel);

    /// After the launch has finished: everything sampled of the kernel up to now.
    Result<SampledKernel> end(const std::string& kernel, int device);

    /// Further launches of the kernel that are worth sampling after its first one: none when that gave enough.
    int countLaunchesWanted(const std::string& kernel) const;

    /// The same for the executions of each instruction. `chip`: of the device ("GH100").
    Status beginCounts(CUctx_st* context, int device, const std::string& chip);
    Result<SampledKernel> endCounts(const std::string& kernel, int device);
    /// Instead of endCounts(): the counts alone, joined with nothing.
    Result<std::vector<SassCount>> takeCounts();

    /// The results so far of a kernel whose last sampling or counting failed; unset where it was never sampled.
    std::optional<SampledKernel> soFar(const std::string& kernel, int device, const std::string& failure);

private:
    struct Known {
        PcSamples samples;
        std::vector<SassCount> counts;
        std::string noCounts = "it was not launched again to count them";
        int sampled = 0; ///< launches
        int counted = 0;
        LaunchSampling plan;
    };
    Status startCounts(CUctx_st* context, int device, const std::string& chip);
    SampledKernel join(const std::string& kernel, int device) const;

    const ModuleImages& images_;
    const bool accesses_;
    std::unique_ptr<PcSampler> open_;
    std::map<int, std::unique_ptr<SassCounter>> counters_; ///< by device; kept: CUPTI sets them up once per process
    SassCounter* counting_ = nullptr;
    std::map<std::string, Known> kernels_;
};

} // namespace kl::inject
