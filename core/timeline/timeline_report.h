// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline timelines {

enum class SegmentKind {
    work, ///< it runs, or its instructions wait for each other
    wait, ///< for other warps
    async ///< for copies or products that it started itself
};

constexpr auto enumWords(SegmentKind)
{
    using K = SegmentKind;
    return std::array<std::pair<K, const char*>, 3>{{{K::work, "work"}, {K::wait, "wait"}, {K::async, "async"}}};
}

/// A stretch of a warp's time, in cycles since the first warp of its block began.
struct Segment {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    SegmentKind kind = SegmentKind::work;
    std::string label; ///< of KL_MARK_NAME, or the instruction that waits; may be empty
    int line = 0;      ///< of a wait; 0: unknown

    bool operator==(const Segment&) const = default;
};

/// The waits of a role at one place.
struct RoleWait {
    std::string label;
    int line = 0;
    SyncKind sync = SyncKind::none;
    std::int64_t count = 0;   ///< per warp
    double cycles = 0;        ///< of one wait, on average
    double share = 0;         ///< of the blocks' time, 0 to 1
    std::string waitsFor;     ///< the role that ended most of it, or kCopies; empty: unknown, or its own copies and products
    double waitsForShare = 0; ///< of this wait's time, 0 to 1
};

/// Warps of a block that do the same.
struct RoleRow {
    std::string name;
    std::vector<int> warps; ///< indices in the block
    double work = 0;        ///< shares of the blocks' time, 0 to 1; the rest: its warps do not run
    double wait = 0;
    double async = 0;
    double waitForOthers = 0;      ///< the part of `wait` that another role, or a copy that another role started, ended
    double path = 0;               ///< of the critical path, 0 to 1: its work and its own copies and products
    std::vector<RoleWait> waits;   ///< most time first
    std::vector<Segment> segments; ///< of its first warp in the block that is shown
};

struct RoleOverlap {
    std::string a;
    std::string b;
    double share = 0; ///< time in which both work over the time of the one that works less, 0 to 1
};

/// What to call copies where roles are named.
inline constexpr const char* kCopies = "copies";

struct TimelineReport {
    std::vector<RoleRow> roles;
    std::vector<RoleOverlap> overlaps;
    double pathCopies = 0;            ///< of the critical path: copies under way that another role started
    double pathHandover = 0;          ///< of the critical path: from an arrival to the end of the wait
    std::vector<std::string> waiting; ///< roles that wait for `waitedFor`, the largest share first; empty: none waits much
    std::string waitedFor;            ///< a role or kCopies
    std::string sentence;             ///< the finding
    std::int64_t shownBlock = 0;      ///< whose segments the roles have
    std::int64_t spanCycles = 0;      ///< of that block
    double cyclesPerNs = 0;           ///< the SM's clock; 0: unknown
    std::optional<Ratio> overhead;    ///< marked over plain time
    std::vector<std::string> notes;   ///< what is missing in the recording
};

/// Roles, waits, overlap, critical path and finding of a recording. Pure; any recording is accepted, also one without marks.
///
/// Roles: warps that wait at the same barriers and pass the same KL_MARKs; of several such groups, also by warp group (four warps).
/// A wait is ended by the last arrival at its barrier before its end. The critical path of a block goes back from its last warp's end:
/// where the warp waited, it continues at the arrival that ended the wait.
TimelineReport analyzeTimeline(const Timeline& timeline);

/// A role that waits for less of the blocks' time is not named in a finding.
inline constexpr double kLeastWait = 0.10;

} // namespace kl::inline timelines
