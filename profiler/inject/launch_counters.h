// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/metric_plan.h"
#include "profiler/live/cupti/range_counter.h"
#include "profiler/live/cupti/range_profiler.h"

#include <map>
#include <memory>
#include <vector>

struct CUctx_st;

namespace kl::inject {

/// Hardware counters of one launch made by the program: begin() just before it, end() just after. Kernel replay repeats the launch
/// for each pass and restores memory in between, so that the program sees one execution. While it is open no other launch of the process
/// may be made and no activity recorded. Not thread-safe.
class LaunchCounters {
public:
    explicit LaunchCounters(MetricRequest request) : request_(std::move(request)) {}

    /// `context` is current on the calling thread, idle, on device `deviceIndex`. Error environment: counters not permitted, device not
    /// supported, another profiler has them.
    Status begin(CUctx_st* context, int deviceIndex);

    /// After the launch was made and has finished. `launch` and `cacheControl` of the set are the caller's.
    Result<MetricSet> end();

private:
    struct Device {
        std::unique_ptr<MetricHost> host;
        MetricSelection selection;
    };
    Result<Device*> prepare(CUctx_st* context, int deviceIndex);
    Status start(CUctx_st* context);
    Result<std::vector<double>> readCountedValues();
    void disable();

    MetricRequest request_;
    std::map<int, Device> devices_;
    Device* open_ = nullptr;
    std::unique_ptr<RangeCounter> counter_;
};

} // namespace kl::inject
