// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/inject/trace_writer.h"
#include "profiler/protocol/program_trace.h"

namespace kl::inject {

/// Everything the GPU executes in this process, from CUPTI's activity records into the trace. One per process, never destroyed.
class ActivityFeed {
public:
    /// Starts recording, up to config.maxLaunches. CUPTI's own thread hands over finished buffers twice per second, so that a killed
    /// process leaves nearly all.
    static Status start(TraceWriter& writer, const TraceConfig& config);

    /// Stops recording and writes what is complete: the counters of a launch cannot be read while activity is recorded.
    static void pause();
    static void resume();

    /// Writes what is complete. `last`: at the end of the process, also what CUPTI has not delivered.
    static void flush(bool last = false);

    /// Number of records so far.
    static std::int64_t records();
};

} // namespace kl::inject
