// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/inject/module_images.h"
#include "profiler/live/cupti/sass_counts.h"
#include "profiler/protocol/program_trace.h"

#include <vector>

namespace kl::inject {

/// Puts what the instructions of a launch did into its facts: `warp`, and the mix of its code in `opcodes`. `counts`: SassCounter's, a row
/// for each instruction and metric. Error where the machine code was not seen or nothing was counted.
Status describeExecution(ProfiledLaunch& launch, const std::vector<SassCount>& counts, const ModuleImages& images);

/// The mix of the kernel's code alone, where its executions cannot be counted; nothing where the code was not seen.
void describeCode(ProfiledLaunch& launch, const ModuleImages& images);

} // namespace kl::inject
