// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/diagnosis.h"
#include "sessions/program/program_totals.h"

#include <optional>

namespace kl::inline program {

/// What limits a program as a whole. `host-bound`: from the first activity of the GPU to the last it did nothing for more than half of the
/// time, over at least kLaunchesForHost launches; what its kernels are limited by is their own finding. Unset otherwise.
inline constexpr double kHostBoundBelow = 0.5; ///< busy share, as the tree's launch-overhead of a sequence
inline constexpr int kLaunchesForHost = 5;
std::optional<Finding> programFinding(const ProgramTotals& totals);

} // namespace kl::inline program
