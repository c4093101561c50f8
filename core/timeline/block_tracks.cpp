// SPDX-License-Identifier: MIT
#include "core/timeline/block_tracks.h"

#include "core/base/trimmed.h"

#include <algorithm>

namespace kl::inline timelines {
namespace {

/// Addresses of barriers in shared memory: above are the bits of a window, or the block of a cluster.
constexpr std::uint32_t kSharedAddress = 0x00ff'ffff;
constexpr const char* kWaitWord = "wait";

/// "load: wait for multiply" is segment "wait for multiply" of role "load".
struct MarkName {
    std::string role;
    std::string segment;
};

MarkName splitName(const std::string& name)
{
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos)
        return {{}, name};
    return {std::string(trimText(std::string_view(name).substr(0, colon))),
            std::string(trimText(std::string_view(name).substr(colon + 1)))};
}

std::string nameMark(const MarkSite* site, int id)
{
    return site && !site->name.empty() ? site->name : "mark " + std::to_string(id);
}

class TrackBuilder {
public:
    TrackBuilder(const WarpMarks& marks, std::int64_t begin, const std::map<int, const MarkSite*>& sites, bool automatic)
        : marks_(marks), sites_(sites), automatic_(automatic)
    {
        track_.warp = marks.warp;
        track_.begin = cursor_ = last_ = begin;
    }

    /// `limit`: when the block ended, for a warp that did not.
    WarpTrack build(std::int64_t limit)
    {
        if (marks_.lost > 0 && !marks_.marks.empty()) // what was before is not known
            cursor_ = track_.begin + marks_.marks.front().cycle;
        for (const TimelineMark& mark : marks_.marks) {
            last_ = track_.begin + mark.cycle;
            const auto site = sites_.find(mark.site);
            take(site == sites_.end() ? nullptr : site->second, mark);
        }
        track_.ended = marks_.endCycle.has_value();
        track_.end = track_.ended ? track_.begin + *marks_.endCycle : open_ ? std::max(last_, limit) : last_;
        if (open_)
            closeWait(track_.end);
        close(track_.end);
        return std::move(track_);
    }

private:
    void take(const MarkSite* site, const TimelineMark& mark)
    {
        const MarkKind kind = site ? site->kind : MarkKind::user;
        if (kind == MarkKind::user)
            return userMark(nameMark(site, mark.site), mark.site);
        const std::uint32_t object = site->sync == SyncKind::memoryBarrier ? mark.object & kSharedAddress : mark.object;
        if (kind == MarkKind::arrive) {
            track_.arrivals.push_back({last_, site->sync, object, site->copies});
        } else if (kind == MarkKind::waitBegin) {
            close(last_);
            open_ = TrackWait{last_, last_, site->sync, object, site->name, site->line};
            ++track_.places[{static_cast<int>(site->sync), object}];
        } else if (open_ && open_->sync == site->sync) {
            closeWait(last_);
        }
    }

    void userMark(const std::string& name, int id)
    {
        close(last_);
        MarkName now = splitName(name);
        label_ = std::move(now.segment);
        role_ = std::move(now.role);
        userWait_ = label_.starts_with(kWaitWord);
        if (!userWait_)
            track_.marks.push_back(last_);
        ++track_.places[{-1, static_cast<std::uint32_t>(id)}];
    }

    /// The segment up to `at` is over, under the current label.
    void close(std::int64_t at)
    {
        if (open_ || at <= cursor_) {
            cursor_ = std::max(cursor_, at);
            return;
        }
        const bool waits = userWait_ && !automatic_;
        add({cursor_, at, waits ? SegmentKind::wait : SegmentKind::work, label_, 0});
        if (waits)
            track_.waits.push_back({cursor_, at, SyncKind::none, 0, label_, 0});
        cursor_ = at;
    }

    void closeWait(std::int64_t at)
    {
        TrackWait wait = std::move(*open_);
        open_.reset();
        wait.end = at;
        add({wait.begin, wait.end, wait.isAsync() ? SegmentKind::async : SegmentKind::wait, wait.label, wait.line});
        track_.waits.push_back(std::move(wait));
        cursor_ = at;
    }

    void add(Segment segment)
    {
        if (!role_.empty())
            track_.roles[role_] += segment.end - segment.begin;
        Segment* before = track_.segments.empty() ? nullptr : &track_.segments.back();
        if (before && before->end == segment.begin && before->kind == segment.kind && before->label == segment.label &&
            segment.kind == SegmentKind::work)
            before->end = segment.end;
        else if (segment.end > segment.begin)
            track_.segments.push_back(std::move(segment));
    }

    const WarpMarks& marks_;
    const std::map<int, const MarkSite*>& sites_;
    bool automatic_;
    WarpTrack track_;
    std::int64_t cursor_ = 0;
    std::int64_t last_ = 0;
    std::optional<TrackWait> open_;
    std::string label_;
    std::string role_;
    bool userWait_ = false;
};

std::int64_t lastCycle(const WarpMarks& warp)
{
    return warp.endCycle.value_or(warp.marks.empty() ? 0 : warp.marks.back().cycle);
}

} // namespace

std::vector<BlockTrack> trackBlocks(const Timeline& timeline)
{
    std::map<int, const MarkSite*> sites;
    for (const MarkSite& site : timeline.sites)
        sites[site.id] = &site;
    std::map<std::int64_t, std::vector<const WarpMarks*>> byBlock;
    for (const WarpMarks& warp : timeline.warps)
        byBlock[warp.block].push_back(&warp);
    std::vector<BlockTrack> blocks;
    for (auto& [index, warps] : byBlock) {
        std::ranges::sort(warps, {}, [](const WarpMarks* one) { return one->warp; });
        std::int64_t first = warps.front()->beginCycle;
        for (const WarpMarks* warp : warps)
            first = std::min(first, warp->beginCycle);
        std::int64_t end = 0;
        for (const WarpMarks* warp : warps)
            end = std::max(end, warp->beginCycle - first + lastCycle(*warp));
        BlockTrack block{index, end, {}};
        for (const WarpMarks* warp : warps)
            block.warps.push_back(TrackBuilder(*warp, warp->beginCycle - first, sites, timeline.automatic).build(end));
        blocks.push_back(std::move(block));
    }
    return blocks;
}

} // namespace kl::inline timelines
