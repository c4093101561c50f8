// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/strategy.h"
#include "kernels/model/descriptor.h"
#include "sessions/search/space_build.h"

namespace kl::inline search {

/// As in an address: "64", "xor".
std::string textOf(const ParamValue& value);

/// The compiled candidates of a build as a strategy sees them: tunables with more than one value, in the descriptor's order, and what the
/// compiler reports of each point (registers, local bytes, shared memory and occupancy of its tightest launch, and the instruction mix).
/// A point's index is that of the candidate. `starts`: all tunables of the points to measure first, or of points whose program is the same;
/// others are left out. Error badInput: TuningSpace::make's.
Result<SearchSetting> candidateSpace(const KernelFamily& family, const SpaceBuild& build, const SmLimits& sm,
                                     const std::vector<Params>& starts);

} // namespace kl::inline search
