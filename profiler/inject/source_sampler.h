// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/module_images.h"
#include "profiler/live/cupti/pc_sampling.h"
#include "profiler/live/cupti/sass_counts.h"
#include "profiler/protocol/program_trace.h"

#include <map>
#include <memory>
#include <optional>

struct CUctx_st;

namespace kl {

/// Samples the program counters of launches that somebody else makes, counts the instructions of further ones, and joins what came together
/// over a kernel's launches with the line tables of the program's modules. As with the counters, no other launch of the process may be made
/// while one is open, and no activity recorded. Not thread-safe.
class SourceSampler {
public:
    explicit SourceSampler(const ModuleImages& images) : images_(images) {}

    /// Launches of a kernel that are worth sampling, by its duration: more of a short one, which gives few samples.
    static int launchesFor(double kernelNs);

    /// To be called before counters are read: CUPTI 13.0 gives records only of modules that it met while sampling, and it meets none once
    /// the range profiler has run. `context` is current on the calling thread.
    Status meetModules(CUctx_st* context);

    /// `context` is current on the calling thread and idle; `kernelNs`: about how long the launch takes.
    Status begin(CUctx_st* context, double kernelNs);

    /// After the launch has finished: everything sampled of the kernel up to now.
    Result<SampledKernel> end(const std::string& kernel, int device);

    /// The same for the executions of each instruction. `chip`: of the device ("GH100").
    Status beginCounts(CUctx_st* context, int device, const std::string& chip);
    Result<SampledKernel> endCounts(const std::string& kernel, int device);

    /// What is known of a kernel whose last sampling or counting failed; nothing where it was never sampled.
    std::optional<SampledKernel> soFar(const std::string& kernel, int device, const std::string& failure);

private:
    struct Known {
        PcSamples samples;
        std::vector<SassCount> counts;
        std::string noCounts = "no further launch of it was made to count them in";
        int launches = 0;
    };
    SampledKernel join(const std::string& kernel, int device) const;

    const ModuleImages& images_;
    std::unique_ptr<PcSampler> open_;
    std::map<int, std::unique_ptr<SassCounter>> counters_; ///< by device; kept: CUPTI sets them up once a process
    SassCounter* counting_ = nullptr;
    std::map<std::string, Known> kernels_;
};

/// Two to this power cycles between two samples of an SM, so that a launch of this length gives each SM about a hundred; 5 to 14.
int samplingPeriodLog2(double kernelNs);

} // namespace kl
