// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/timeline_report.h"

#include <map>

namespace kl::inline timelines {

/// A wait of one warp; times as in Segment.
struct TrackWait {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    SyncKind sync = SyncKind::none; ///< none: between KL_MARKs
    std::uint32_t object = 0;
    std::string label;
    int line = 0;

    bool isAsync() const { return sync == SyncKind::copies || sync == SyncKind::products; }
};

struct TrackArrival {
    std::int64_t at = 0;
    SyncKind sync = SyncKind::none;
    std::uint32_t object = 0;
    bool copies = false;
};

/// What one warp of a block did.
struct WarpTrack {
    int warp = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool ended = true; ///< false: it was still running, or it ended without reaching its end
    std::vector<Segment> segments;
    std::vector<TrackWait> waits;                        ///< in order
    std::vector<TrackArrival> arrivals;                  ///< in order
    std::vector<std::int64_t> marks;                     ///< times of KL_MARKs that begin a segment of work
    std::map<std::string, std::int64_t> roles;           ///< of KL_MARK_NAMEs "ROLE: SEGMENT": cycles by ROLE
    std::map<std::pair<int, std::uint32_t>, int> places; ///< what tells roles apart: synchronization and object, or a KL_MARK's id
};

struct BlockTrack {
    std::int64_t block = 0;
    std::int64_t end = 0; ///< of its last warp
    std::vector<WarpTrack> warps;
};

/// The blocks of a recording, by index.
std::vector<BlockTrack> trackBlocks(const Timeline& timeline);

} // namespace kl::inline timelines
