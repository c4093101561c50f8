// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

namespace kl {

/// Adds the metrics of tier 2 that a foreign report lacks and whose definition follows from others that it holds: the same metric under
/// another chip's name, quotients of two counts, sectors times 32 bytes, one request for each warp instruction. `spelled` says from what;
/// what cannot be had is `missing`, with the reason. Nothing that the report holds is changed.
void addDerivedMetrics(MetricSet& metrics);

} // namespace kl
