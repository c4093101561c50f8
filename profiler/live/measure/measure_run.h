// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/measure/baselines.h"
#include "profiler/live/work/built_work.h"

namespace kl::inline live {

class GpuSession;
class ProvenWork;

/// Timing of a built work by proven passes, blocks of kernel and baselines alternating; fills timing, baselines, warnings and the launches'
/// own times. `trial`: only the cold series. Error kRefuted: a pass was refuted.
Status measureRun(GpuSession& session, BuiltWork& work, ProvenWork& proven, Baselines* baselines, const StopRule& rule, bool trial,
                  const Job& job, RunAnswer& answer);

} // namespace kl::inline live
