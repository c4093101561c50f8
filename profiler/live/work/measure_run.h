// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/work/baselines.h"
#include "profiler/live/work/built_work.h"

namespace kl {

/// Timing of a built work, blocks of kernel and baselines alternating; fills timing, baselines, warnings and the launches' own times.
Status measureRun(BuiltWork& work, Baselines* baselines, Bench& bench, const StopRule& rule, const Job& job, RunAnswer& answer);

} // namespace kl
