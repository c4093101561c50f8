// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/releases.h"

namespace kl::inline timelines {

/// Cycles of the longest chain of a block, by what they were spent on.
struct CriticalPath {
    std::vector<std::int64_t> warps; ///< by index into BlockTrack::warps: work, and waits for own copies and products
    std::int64_t copies = 0;         ///< that another warp started
    std::int64_t handover = 0;       ///< from an arrival to the end of the wait
};

/// Goes back from the end of the block's last warp: over a wait to the arrival that ended it, where that came after the wait began or
/// started the copy that was missing; past any other wait in the same warp.
CriticalPath findCriticalPath(const BlockTrack& block, const Releases& releases);

} // namespace kl::inline timelines
