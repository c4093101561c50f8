// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/recorded_space.h"
#include "sessions/search/tuner.h"

namespace kl::inline search {

/// The points that a search measured, as a recorded space, in the order of their tunables: their times in ms, and as cost what compiling
/// and timing them took, unknown of those that an earlier search measured. Errors badInput: nothing was measured; TuningSpace::make's.
Result<RecordedSpace> makeTunedSpace(const TuneResult& result);

} // namespace kl::inline search
