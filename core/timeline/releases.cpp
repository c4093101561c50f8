// SPDX-License-Identifier: MIT
#include "core/timeline/releases.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace kl::inline timelines {
namespace {

/// From an arrival to the waiting warp's mark, and between the marks of two warps that one barrier releases: tens of cycles. A KL_MARK
/// comes after what it follows, so the mark of the releasing warp may be that much later than the end of the wait.
constexpr std::int64_t kMarkSkew = 100;

void keepLatest(std::optional<Release>& best, const Release& one)
{
    if (!best || one.at > best->at)
        best = one;
}

/// When the warp last ended a segment of work before `limit`, or hardly after it.
std::optional<std::int64_t> findWorkEnd(const WarpTrack& track, std::int64_t limit)
{
    std::optional<std::int64_t> last;
    for (const Segment& segment : track.segments)
        if (segment.kind == SegmentKind::work && segment.end <= limit + kMarkSkew)
            last = std::min(segment.end, limit);
    return last;
}

} // namespace

Releases::Releases(const BlockTrack& block, std::vector<int> roleOf, const std::vector<Role>& roles)
    : block_(block), roleOf_(std::move(roleOf)), roles_(roles)
{
}

std::optional<Release> Releases::of(std::size_t warp, const TrackWait& wait) const
{
    switch (wait.sync) {
    case SyncKind::memoryBarrier: return atMemoryBarrier(wait);
    case SyncKind::threadBarrier:
    case SyncKind::clusterBarrier: return atThreadBarrier(warp, wait);
    case SyncKind::none: return betweenMarks(warp, wait);
    case SyncKind::copies:
    case SyncKind::products: break;
    }
    return {};
}

/// The last arrival completes a phase.
std::optional<Release> Releases::atMemoryBarrier(const TrackWait& wait) const
{
    std::optional<Release> best;
    for (std::size_t other = 0; other < block_.warps.size(); ++other) {
        const std::vector<TrackArrival>& arrivals = block_.warps[other].arrivals;
        const auto after = std::ranges::upper_bound(arrivals, wait.end, {}, &TrackArrival::at);
        for (auto it = after; it != arrivals.begin();) {
            --it;
            if (it->sync != SyncKind::memoryBarrier || it->object != wait.object)
                continue;
            keepLatest(best, {other, it->at, it->copies});
            break;
        }
    }
    return best;
}

/// All arrive, and those that wait are released together: another warp's arrival is the begin of the wait that ended with this one, or its
/// last arrival without waiting.
std::optional<Release> Releases::atThreadBarrier(std::size_t warp, const TrackWait& wait) const
{
    std::optional<Release> best = Release{warp, wait.begin, false};
    for (std::size_t other = 0; other < block_.warps.size(); ++other) {
        if (other == warp)
            continue;
        const WarpTrack& track = block_.warps[other];
        const TrackWait* nearest = nullptr;
        for (const TrackWait& theirs : track.waits)
            if (theirs.sync == wait.sync && theirs.object == wait.object && theirs.begin <= wait.end &&
                std::abs(theirs.end - wait.end) <= kMarkSkew * 4 &&
                (!nearest || std::abs(theirs.end - wait.end) < std::abs(nearest->end - wait.end)))
                nearest = &theirs;
        if (nearest) {
            keepLatest(best, {other, nearest->begin, false});
            continue;
        }
        for (const TrackArrival& arrival : track.arrivals)
            if (arrival.sync == wait.sync && arrival.object == wait.object && arrival.at <= wait.end)
                keepLatest(best, {other, arrival.at, false});
    }
    return best;
}

/// "wait for ROLE" waits for that role, any other wait for another role: for the last mark by which one went on.
std::optional<Release> Releases::betweenMarks(std::size_t warp, const TrackWait& wait) const
{
    std::string_view wanted = wait.label;
    constexpr std::string_view kWords = "wait for ";
    wanted = wanted.starts_with(kWords) ? trimText(wanted.substr(kWords.size())) : std::string_view();
    const bool known = std::ranges::any_of(roles_, [&](const Role& role) { return role.name == wanted; });
    std::optional<Release> best;
    for (std::size_t other = 0; other < block_.warps.size(); ++other) {
        const int role = roleOf_[other];
        if (role < 0 || role == roleOf_[warp] || (known && roles_[static_cast<std::size_t>(role)].name != wanted))
            continue;
        if (const std::optional<std::int64_t> at = findWorkEnd(block_.warps[other], wait.end))
            keepLatest(best, {other, *at, false});
    }
    return best;
}

} // namespace kl::inline timelines
