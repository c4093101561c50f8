// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/pm_sampling.h"
#include "profiler/collector.h"
#include "profiler/live/cupti/pm_plan.h"
#include "profiler/live/session/gpu_session.h"

#include <span>

namespace kl::inline live {

struct PmSample;

/// The work's longest launch, executed once more for each group of metrics that is sampled together, with its memory restored and the
/// caches flushed. Where there can be no samples, the answer says why: the launch is too short, counters are not permitted or in use, the
/// chip or CUPTI cannot. Outputs are invalid afterwards. Errors: faults and hangs of the kernel, interrupted.
Result<PmSampling> sampleDuration(GpuSession& session, BuiltWork& work, const Job& job);

/// The launch among the samples of a group, with values to three decimals. The first sample is left out: it reaches back to before sampling
/// began, with all that ran since. Empty where no SM was active.
PmPass makePass(std::span<const PmSample> samples, const PmGroup& group);

} // namespace kl::inline live
