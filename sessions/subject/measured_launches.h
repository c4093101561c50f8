// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/protocol/program_trace.h"
#include "sessions/target/target_spec.h"

#include <array>
#include <string>
#include <vector>

namespace kl::inline subjects {

/// The chosen launches of one run of a program, without those of its warm-up.
struct MeasuredLaunches {
    std::vector<double> gpuNs;  ///< of each launch; of a range, of each entry: its kernels' times added up
    std::vector<double> stepNs; ///< from the start of each to the start of the next: wall time of a step of the program
    std::string kernel;         ///< as the module spells it; of a range, the one that takes the most time
    TracedLaunch example;       ///< a launch of that kernel
    DeviceInfo device;
    std::int64_t launches = 0; ///< of the kernel in the process, with its warm-up
    double totalNs = 0;        ///< of these
    double share = 0;          ///< of the process's time in kernels, 0 to 1
};

/// Finds them. Errors kernelFailed with what the program did instead: no such launch, several kernels or shapes where one is meant, several
/// processes, fewer than `least` after the first `warmup`, entries of a range that launch different numbers of kernels, a trace that is
/// damaged or was taken by another tool.
Result<MeasuredLaunches> measureLaunches(const std::vector<ProcessTrace>& processes, const LaunchChoice& choice, const Params& problem,
                                         int warmup, int least);

/// Whether a launch is of the chosen kernel and shape. A choice of a range has none. Errors: a formula's.
Result<bool> isChosen(const LaunchChoice& choice, const Params& problem, const std::string& demangledName, const std::array<int, 3>& grid,
                      const std::array<int, 3>& block);

} // namespace kl::inline subjects
