// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <optional>
#include <vector>

namespace kl {

/// The baseline to beat among several: the one with the shortest median GPU time; if none could be
/// measured, the first, which has the reason. Unset for an empty list.
std::optional<Baseline> findFastest(const std::vector<Baseline>& baselines);

} // namespace kl
