// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/live/host/activity_span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline live {

/// Records GPU activity: kernels (concurrent-kernel activity, graph nodes each on their own), copies, memsets.
/// One at a time per process. While one lives no range profiler may run (CUPTI does not share its counters): destroy it first;
/// it can be started again afterwards. Call from one thread; CUPTI's buffer callbacks may come on another.
class ActivityRecorder {
public:
    /// Loads CUPTI (libcupti.so.13, .12; toolkit folders) and enables the activity kinds. A CUDA context may exist already.
    /// Error environment: no CUPTI, or another profiler holds it.
    static Result<std::unique_ptr<ActivityRecorder>> start();

    virtual ~ActivityRecorder() = default; ///< disables the kinds again, flushes, never throws

    /// Flushes and returns every record completed since the last drain, in order of start. The caller has synchronized the work
    /// it needs (cuStreamSynchronize or cuCtxSynchronize).
    virtual Result<std::vector<ActivitySpan>> drain() = 0;

    /// Records that CUPTI dropped since start, all drains together; shown as a warning on the run.
    virtual std::int64_t dropped() const noexcept = 0;
};

/// "13.0", or why CUPTI cannot be loaded.
Result<std::string> cuptiVersion();

} // namespace kl::inline live
