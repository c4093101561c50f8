// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/strategy.h"
#include "kernels/model/descriptor.h"
#include "sessions/search/space_build.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline search {

/// As in an address: "64", "xor".
std::string formatParamValue(const ParamValue& value);

/// What is known of a point before it is measured. From the compiler: registers, local bytes, shared memory and occupancy of its tightest
/// launch, and the instruction mix of all; from the gates, where the descriptor tells them: the worst sector efficiency of an access,
/// percent.
std::map<std::string, double> collectKnownFacts(const SpaceBuild& build, const CompiledPoint& point, const SmLimits& sm);

/// A column per fact of any point; 0 where a point has none.
std::vector<FeatureColumn> makeColumns(const std::vector<std::map<std::string, double>>& facts);

/// Points by their tunables; the axes and the values that occur on each are in the order of `tunables`. Precondition: every point has the
/// same tunables. Errors: TuningSpace::make's.
Result<TuningSpace> makeSpace(const std::vector<Tunable>& tunables, const std::vector<const Params*>& points);

/// The compiled candidates of a build as a strategy sees them, with what is known of each.
/// A point's index is that of the candidate. `starts`: all tunables of the points to measure first, or of points whose program is the same;
/// others are left out. Error badInput: TuningSpace::make's.
Result<SearchSetting> candidateSpace(const KernelFamily& family, const SpaceBuild& build, const SmLimits& sm,
                                     const std::vector<Params>& starts);

} // namespace kl::inline search
