// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/block_tracks.h"

namespace kl::inline timelines {

struct Role {
    std::string name;
    std::vector<int> warps; ///< indices in the block, rising
};

/// The roles of the warps of a kernel's blocks, by first warp, as analyzeTimeline says. Warps that recorded nothing have none.
///
/// Names: the ROLE of "ROLE: SEGMENT" in which they spend most time; else by what they do: "producer" starts copies that others wait for,
/// "consumer" waits for products; else "warps 4-7". Several of one name are numbered. One role alone: "all warps", unless it has a ROLE.
std::vector<Role> findRoles(const std::vector<BlockTrack>& blocks);

} // namespace kl::inline timelines
