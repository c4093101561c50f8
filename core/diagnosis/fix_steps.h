// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <vector>

namespace kl::inline diagnosis {

/// How a fix of a run's finding is made or tried, as data. A variant that has it is measured against the run's own in alternating blocks,
/// or, where the finding is that the run is invalid, over its suite. Another change is made in a session, if the source is the user's. What
/// leaves the kernel as it is measures again. Kernels of other programs have no address here: their program is profiled again.
std::vector<NextStep> fixSteps(const RunRecord& run, const Finding& finding, const Fix& fix, bool ownSource);

} // namespace kl::inline diagnosis
