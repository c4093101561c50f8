// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

namespace kl::inline imports {

/// Adds the metrics of tier 2 that a foreign report lacks but that follow from others in it: the same metric under
/// another chip's name, quotients of two counts, sectors times 32 bytes, one request for each warp instruction. `spelled` says from what;
/// what cannot be had is `missing`, with the reason. Existing values are not changed.
void addDerivedMetrics(MetricSet& metrics);

} // namespace kl::inline imports
