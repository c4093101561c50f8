// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/block_tracks.h"
#include "core/timeline/roles.h"

#include <optional>

namespace kl::inline timelines {

/// What ended a wait: an arrival of a warp of the block.
struct Release {
    std::size_t warp = 0; ///< index into BlockTrack::warps
    std::int64_t at = 0;  ///< may be before the wait began: then only the copy that it started was missing, or nothing
    bool copies = false;  ///< the wait ended with the bytes of a copy that was started then
};

/// Finds what ended waits of one block. `roleOf`: index of a role by index into BlockTrack::warps, −1 for none; `roles` by index.
class Releases {
public:
    Releases(const BlockTrack& block, std::vector<int> roleOf, const std::vector<Role>& roles);

    /// Unset for waits for own copies and products, and where no arrival was recorded.
    std::optional<Release> of(std::size_t warp, const TrackWait& wait) const;

private:
    std::optional<Release> atMemoryBarrier(const TrackWait& wait) const;
    std::optional<Release> atThreadBarrier(std::size_t warp, const TrackWait& wait) const;
    std::optional<Release> betweenMarks(std::size_t warp, const TrackWait& wait) const;

    const BlockTrack& block_;
    std::vector<int> roleOf_;
    const std::vector<Role>& roles_;
};

} // namespace kl::inline timelines
