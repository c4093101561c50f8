// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/random_source.h"
#include "core/search/tuning_space.h"

#include <functional>

namespace kl::inline spaces {

/// `count` combinations of which each value of an axis has its equal share (McKay, Beckman and Conover 1979); they need not be points of
/// the space.
std::vector<AxisPlaces> latinHypercube(const TuningSpace& space, std::size_t count, RandomSource& random);

/// The free point closest to a combination: the least sum over the axes of the distance in places, as a share of the axis. Unset when no
/// point is free.
std::optional<PointIndex> nearestPoint(const TuningSpace& space, const AxisPlaces& wanted, const std::function<bool(PointIndex)>& isFree);

} // namespace kl::inline spaces
