// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/work/baseline_runner.h"
#include "profiler/live/work/built_work.h"

namespace kl {

/// How long a run is measured.
struct StopRule {
    int maxSamples = 200;
    double minSeconds = 0.1;
    double maxSeconds = 3;
};

/// Timing of a built work, blocks of kernel and baseline alternating; fills timing, baseline, warnings and the launches' own times.
Status measureRun(BuiltWork& work, BaselineRunner* baseline, Bench& bench, const StopRule& rule, const Job& job, RunAnswer& answer);

} // namespace kl
