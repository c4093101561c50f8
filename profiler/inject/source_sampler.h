// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/module_images.h"
#include "profiler/live/cupti/pc_sampling.h"
#include "profiler/protocol/program_trace.h"

#include <map>
#include <memory>

struct CUctx_st;

namespace kl {

/// Samples the program counters of launches that somebody else makes, and joins what came together over a kernel's launches with the line
/// tables of the program's modules. As with the counters, no other launch of the process may be made while one is open, and no activity
/// recorded. Not thread-safe.
class SourceSampler {
public:
    explicit SourceSampler(const ModuleImages& images) : images_(images) {}

    /// Launches of a kernel that are worth sampling, by its duration: more of a short one, which gives few samples.
    static int launchesFor(double kernelNs);

    /// `context` is current on the calling thread and idle; `kernelNs`: about how long the launch takes.
    Status begin(CUctx_st* context, double kernelNs);

    /// After the launch has finished: everything sampled of the kernel up to now.
    Result<SampledKernel> end(const std::string& kernel, int device);

private:
    struct Known {
        PcSamples samples;
        int launches = 0;
    };
    const ModuleImages& images_;
    std::unique_ptr<PcSampler> open_;
    std::map<std::string, Known> kernels_;
};

/// Two to this power cycles between two samples of an SM, so that a launch of this length gives each SM about a hundred; 5 to 14.
int samplingPeriodLog2(double kernelNs);

} // namespace kl
