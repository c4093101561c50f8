// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/trace_writer.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/metric_plan.h"
#include "profiler/live/cupti/range_counter.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/protocol/program_trace.h"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace kl::inject {

/// Hardware counters of an NVTX range as a whole. Nothing is repeated: each entry of the range is one pass, so that its kernels run as the
/// program makes them, beside each other and from graphs. The range has to be entered as often as there are passes, and to do the same
/// each time. From the first pass to the last no activity is recorded and no launch may be profiled. The caller lets nobody launch during
/// a call.
class WholeRange {
public:
    WholeRange(const TraceConfig& config, TraceWriter& writer);

    /// The range's passes are still ahead, or under way.
    bool pending() const { return pending_; }

    /// A thread enters the range, and leaves it: the outermost entry of a thread. Other threads' entries during a pass are part of it.
    void enter();
    void leave();

    /// No further entries: says so if passes are missing.
    void finish();

    /// The program needs CUPTI: lets go of the counters.
    void release();

private:
    Status begin();
    Status endPass();
    void close(const std::string& failure);

    const TraceConfig config_;
    TraceWriter& writer_;
    std::atomic<bool> pending_;
    std::optional<std::thread::id> owner_; ///< of the pass under way
    std::unique_ptr<MetricHost> host_;
    MetricSelection selection_;
    std::unique_ptr<RangeCounter> counter_;
    CountedRange counted_;
    TracedPause pause_;
};

} // namespace kl::inject
