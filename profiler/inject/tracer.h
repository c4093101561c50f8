// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/launch_lifter.h"
#include "profiler/inject/launch_profiler.h"
#include "profiler/inject/launch_selector.h"
#include "profiler/inject/lift_selector.h"
#include "profiler/inject/trace_writer.h"
#include "profiler/inject/whole_range.h"

#include <atomic>
#include <cupti_callbacks.h>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace kl::inject {

/// Watches this process from inside: subscribes to the driver's launches, records activity, and reads the counters of chosen launches.
/// One per process, never destroyed. Nothing it does may reach the program: no exception, no output, no error code.
class Tracer {
public:
    /// Called by the driver inside cuInit. Does nothing without a writable trace folder.
    static void begin() noexcept;

    /// At the end of the process: writes what is left. Later launches are not seen.
    static void finish() noexcept;

    /// The program needs CUPTI: releases it permanently. True if it was held.
    static bool standBack() noexcept;

private:
    explicit Tracer(const TraceConfig& config) : selector_(config), profiler_(config, writer_), whole_(config, writer_), config_(config)
    {
        if (config_.lift)
            lift_.emplace(config_, profiler_.images());
    }
    Status subscribe();
    Status enableForLift();
    void watchRange();
    void note(const char* code, const std::string& text);
    static void CUPTIAPI onCallback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
    void onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& call);
    void onModule(const CUpti_ResourceData& resource);
    void onLaunchEnter(CUpti_CallbackId id, const CUpti_CallbackData& call);
    void onLiftEnter(CUpti_CallbackId id, const CUpti_CallbackData& call);
    void onLaunchExit();
    void writeRanges(std::uint32_t correlation);
    int stackNumber(int stack);
    void flush(bool last);

    TraceWriter writer_;
    LaunchSelector selector_; ///< under mutex_
    LaunchProfiler profiler_; ///< under gate_, held alone
    WholeRange whole_;        ///< under gate_, held alone
    TraceConfig config_;
    CUpti_SubscriberHandle subscriber_ = nullptr;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> forked_ = false;       ///< a copy of the process, in which CUDA does not work
    std::atomic<std::int64_t> launches_ = 0; ///< that were not profiled
    std::atomic<int> capturing_ = 0;         ///< streams being captured into graphs
    std::shared_mutex gate_;                 ///< held by every launch; alone by one that is profiled
    std::mutex mutex_;
    std::once_flag devicesOnce_;
    std::map<int, int> stackNumbers_; ///< of NVTX to those of the trace
    bool reportedOutOfTime_ = false;
    std::string profiling_; ///< kernel of the launch that is being profiled
    struct Lift {
        Lift(const TraceConfig& config, const ModuleImages& images) : selector(config), lifter(*config.lift, images) {}
        LiftSelector selector; ///< under mutex_
        LaunchLifter lifter;   ///< under gate_, held alone
    };
    std::optional<Lift> lift_; ///< where a launch is to be lifted, and nothing profiled
};

} // namespace kl::inject
