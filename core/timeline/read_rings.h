// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/timeline.h"
#include "core/timeline/ring_layout.h"

#include <span>

namespace kl::inline timelines {

/// What is in a buffer of marks.
struct RingContent {
    std::vector<WarpMarks> warps; ///< those that began, by slot
    std::int64_t damaged = 0;     ///< records that cannot be what a warp wrote: another slot's, an unknown site, out of order
};

/// Reads the buffer back. A warp without an end (it was still running, or it ended by a trap) has the marks that are there. A buffer that
/// is shorter than its layout holds the slots that are complete. `sites` are all that marks may name.
RingContent readRings(std::span<const std::byte> buffer, const RingLayout& layout, const std::vector<MarkSite>& sites);

} // namespace kl::inline timelines
