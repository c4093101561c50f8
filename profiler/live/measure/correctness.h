// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/reference/reference.h"
#include "profiler/live/session/gpu_session.h"

namespace kl::inline live {

/// Output elements against the expected ones: largest and mean absolute error, relative L2 norm of the error, non-finite and unwritten
/// elements (all elements of the output, also where only some are compared), and the verdict by the tolerance; of an incorrect output the
/// first incorrect element, or the one with the largest error if each is within the tolerance and only their sum is not.
SuiteRow compareOutput(const std::vector<std::byte>& output, DType type, const Expected& expected, const Tolerance& tolerance);

/// Runs the work once from a clean state and compares with its reference. Every output must be written and finite, every guard band intact;
/// without a reference only these are checked. `kept`: receives the expected output. Errors: the kernel faults or hangs; the
/// reference is unavailable.
Result<SuiteRow> checkWork(GpuSession& session, BuiltWork& work, Expected* kept = nullptr);

/// Compares what a lifted launch left in a buffer with what the program's own launch left there. Elements of the same bits are correct
/// whatever they are; of others the difference counts, one that is not finite is incorrect. Both are of the same size.
SuiteRow compareAfter(const std::vector<std::byte>& output, DType type, const std::vector<std::byte>& expected, const Tolerance& tolerance);

} // namespace kl::inline live
