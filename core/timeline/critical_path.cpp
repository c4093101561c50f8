// SPDX-License-Identifier: MIT
#include "core/timeline/critical_path.h"

#include <algorithm>

namespace kl::inline timelines {
namespace {

/// A wait that is over when it begins takes up to so many cycles, marks included (H200: 40 to 95). What it is for ended before.
constexpr std::int64_t kPassing = 150;

} // namespace

CriticalPath findCriticalPath(const BlockTrack& block, const Releases& releases)
{
    CriticalPath path;
    path.warps.resize(block.warps.size());
    if (block.warps.empty())
        return path;
    const auto last = std::ranges::max_element(block.warps, {}, &WarpTrack::end);
    auto warp = static_cast<std::size_t>(last - block.warps.begin());
    std::int64_t time = last->end;
    while (time > block.warps[warp].begin) { // every round ends earlier than it began
        const std::vector<TrackWait>& waits = block.warps[warp].waits;
        auto wait = std::ranges::upper_bound(waits, time, {}, &TrackWait::end);
        while (wait != waits.begin() && std::prev(wait)->begin >= time)
            --wait; // an empty wait at this very time
        if (wait == waits.begin()) {
            path.warps[warp] += time - block.warps[warp].begin;
            break;
        }
        --wait;
        path.warps[warp] += time - wait->end;
        const std::optional<Release> release = releases.of(warp, *wait);
        const bool elsewhere =
            release && release->warp != warp && wait->end - wait->begin > kPassing && (release->at > wait->begin || release->copies);
        if (!elsewhere || release->at >= time) {
            path.warps[warp] += wait->end - wait->begin;
            time = wait->begin;
            continue;
        }
        (release->copies ? path.copies : path.handover) += wait->end - release->at;
        warp = release->warp;
        time = release->at;
    }
    return path;
}

} // namespace kl::inline timelines
