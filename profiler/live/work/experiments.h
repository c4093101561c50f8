// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/work/bench.h"
#include "profiler/live/work/built_work.h"

namespace kl::inline live {

/// Makes the active experiments (core/model/experiment.h) on launch `index` of the work: every shape in turn, L2 cold, 5 to 25 rounds
/// within 0.2 s. `unavailable` has the reason for impossible ones. Outputs are invalid afterwards. Error: the kernel failed, or the job was
/// stopped.
Result<std::vector<Experiment>> makeExperiments(BuiltWork& work, std::size_t index, Bench& bench, const DeviceInfo& device, const Job& job);

} // namespace kl::inline live
