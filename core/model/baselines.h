// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <optional>
#include <vector>

namespace kl {

/// What a kernel that was set beside several baselines must beat: the one with the shortest median of GPU time; where none could be
/// measured the first, which says why. Nothing of an empty list.
std::optional<Baseline> fastestOf(const std::vector<Baseline>& baselines);

} // namespace kl
