// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "sessions/subject/program_runner.h"

#include <vector>

namespace kl::inline subjects {

/// The rival's launches in a run of the program itself. One that cannot be measured says why.
Baseline rivalIn(const TargetSpec& spec, const std::vector<ProcessTrace>& processes, const Params& problem);

/// Two runs of a rival that is a program of its own, or PyTorch's attention. Errors: the runner's; a rival that fails says why.
Result<Baseline> rivalRuns(const TargetSpec& spec, const ProgramRunner& runner, const Params& problem);

} // namespace kl::inline subjects
