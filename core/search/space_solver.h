// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/tuning_space.h"

#include <functional>
#include <stop_token>

namespace kl::inline spaces {

/// A condition on some of the tunables.
struct SpaceConstraint {
    std::vector<std::string> names; ///< of the tunables that it reads
    /// Whether these values allow a point; the places of all axes, of which only those of `names` are set.
    std::function<Result<bool>(std::span<const std::uint16_t>)> holds;
};

/// The combinations that satisfy every constraint, the last axis changing fastest. Assigns one tunable after another and evaluates a
/// constraint as soon as its names have values, so that what it excludes is never enumerated. Tunables are assigned in an order that
/// completes constraints early. Errors: badInput for a constraint on an unknown tunable, for more than `most` combinations; a constraint's;
/// interrupted.
Result<std::vector<AxisPlaces>> solveCombinations(const std::vector<TuningAxis>& axes, const std::vector<SpaceConstraint>& constraints,
                                                  std::size_t most, std::stop_token stop = {});

/// The same as a space. Errors: also TuningSpace::make's.
Result<TuningSpace> solveSpace(std::vector<TuningAxis> axes, const std::vector<SpaceConstraint>& constraints, std::stop_token stop = {});

} // namespace kl::inline spaces
