// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/launch_counters.h"
#include "profiler/inject/launch_params.h"
#include "profiler/inject/launch_selector.h"
#include "profiler/inject/source_sampler.h"
#include "profiler/inject/trace_writer.h"

#include <chrono>
#include <string>
#include <vector>

namespace kl::inject {

/// A launch that is about to be made and will be profiled. Its context is current.
struct LaunchSubject {
    CUctx_st* context = nullptr;
    std::string kernel;
    LaunchParams params;
    LaunchSelector::Choice choice;
    std::vector<std::string> ranges; ///< NVTX ranges around it
    std::uint32_t correlation = 0;   ///< of its activity record
};

/// Profiles one launch after another and writes the results: waits until the GPU is idle, stops the recording of activity, reads the
/// launch's counters or counts its instructions, and records on. One that is sampled, or timed alone, is recorded like any other. Errors
/// are written too.
/// Between begin() and end() no other launch may be made.
class LaunchProfiler {
public:
    LaunchProfiler(const TraceConfig& config, TraceWriter& writer)
        : config_(config), writer_(writer), images_(config.executions || config.lift),
          counters_({config.tier, config.metrics, config.maxPasses}), sampler_(images_, config.executions)
    {
    }

    ModuleImages& images() { return images_; }

    /// Writes the devices of the process. At the first launch: inside cuInit the driver is not ready yet.
    void describeDevices();

    void begin(LaunchSubject subject);

    struct Outcome {
        double seconds = 0;    ///< that the program was held up
        int samplesWanted = 0; ///< launches of the same kernel to sample next
        bool written = true;   ///< the launch left data that must survive a crash of the process
    };
    Outcome end();

private:
    /// The current launch is recorded while it is profiled.
    bool recorded() const { return subject_.choice.how == Profiling::samples; }
    void writePause();
    Status ready();
    Status start();
    Status describe(ProfiledLaunch& launch) const;
    Outcome endAlone();
    Outcome endCounters();
    Outcome endSamples();
    Outcome endExecutions();
    /// The executions are of the launch alone, not of its source lines.
    bool countsLaunch() const { return subject_.choice.how == Profiling::executions && !config_.source; }

    const TraceConfig config_;
    TraceWriter& writer_;
    ModuleImages images_;
    LaunchCounters counters_;
    SourceSampler sampler_;
    std::vector<DeviceInfo> devices_;

    LaunchSubject subject_; ///< the current launch
    ProfiledLaunch launch_;
    TracedPause pause_;
    std::chrono::steady_clock::time_point began_;
    bool open_ = false; ///< counters or samples are being taken
};

} // namespace kl::inject
