// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/work/baseline_runner.h"
#include "profiler/live/work/built_work.h"

namespace kl {

/// Timing of a built work, blocks of kernel and baseline alternating; fills timing, baseline, warnings and the launches' own times.
Status measureRun(BuiltWork& work, BaselineRunner* baseline, Bench& bench, const StopRule& rule, const Job& job, RunAnswer& answer);

} // namespace kl
