// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/host/series.h"
#include "profiler/live/measure/baselines.h"
#include "profiler/live/measure/proven_work.h"
#include "profiler/live/session/gpu_session.h"

namespace kl::inline live {

/// Results of a run's own check before its passes were timed.
struct CheckedRun {
    double relL2 = 0;            ///< error on the problem's own inputs
    double referenceSeconds = 0; ///< of its reference
};

/// Times a work by proven passes and fills the answer; what refutes it becomes the answer's status, reason and correctness, without a time.
/// `energy`: of a launch, too. A trial's input sets are the session's, made for the first of them; it is cut short where it is clearly
/// slower than the best trial on them. Errors: as measureRun, but for refutations.
Status proveRun(GpuSession& session, BuiltWork& work, const CheckedRun& checked, Baselines* baselines, const StopRule& rule, bool trial,
                bool energy, const Job& job, RunAnswer& answer);

} // namespace kl::inline live
