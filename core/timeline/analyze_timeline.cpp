// SPDX-License-Identifier: MIT
#include "core/timeline/critical_path.h"
#include "core/timeline/timeline_report.h"

#include "core/stats/ab.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kl::inline timelines {
namespace {

/// Sums over blocks and warps.
struct WaitSum {
    SyncKind sync = SyncKind::none;
    std::int64_t count = 0;
    std::int64_t cycles = 0;
    std::map<std::string, std::int64_t> ended; ///< cycles by role or kCopies
};

struct RoleSum {
    std::int64_t time = 0; ///< of their blocks, once per warp
    std::int64_t work = 0;
    std::int64_t wait = 0;
    std::int64_t async = 0;
    std::int64_t others = 0;
    std::int64_t path = 0;
    std::int64_t warps = 0; ///< recorded in all blocks together
    std::map<std::pair<std::string, int>, WaitSum> waits;
};

struct OverlapSum {
    std::int64_t both = 0;
    std::int64_t less = 0;
};

double computeShare(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::int64_t sumTime(const WarpTrack& track, SegmentKind kind)
{
    std::int64_t sum = 0;
    for (const Segment& segment : track.segments)
        sum += segment.kind == kind ? segment.end - segment.begin : 0;
    return sum;
}

/// Time in which neither waits for the other's kind.
std::int64_t commonWork(const WarpTrack& a, const WarpTrack& b)
{
    std::int64_t both = 0;
    auto other = b.segments.begin();
    for (const Segment& one : a.segments) {
        if (one.kind == SegmentKind::wait)
            continue;
        while (other != b.segments.end() && other->end <= one.begin)
            ++other;
        for (auto it = other; it != b.segments.end() && it->begin < one.end; ++it)
            if (it->kind != SegmentKind::wait)
                both += std::max<std::int64_t>(std::min(one.end, it->end) - std::max(one.begin, it->begin), 0);
    }
    return both;
}

std::string joinWithAnd(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

class Analysis {
public:
    explicit Analysis(const Timeline& timeline) : timeline_(timeline), blocks_(trackBlocks(timeline)), roles_(findRoles(blocks_))
    {
        sums_.resize(roles_.size());
    }

    TimelineReport report()
    {
        for (const BlockTrack& block : blocks_)
            addBlock(block);
        fillRoles();
        fillOverlaps();
        const std::int64_t path = std::accumulate(sums_.begin(), sums_.end(), copies_ + handover_,
                                                  [](std::int64_t sum, const RoleSum& one) { return sum + one.path; });
        for (std::size_t i = 0; i < roles_.size(); ++i)
            report_.roles[i].path = computeShare(sums_[i].path, path);
        report_.pathCopies = computeShare(copies_, path);
        report_.pathHandover = computeShare(handover_, path);
        showBlock();
        judge();
        addFacts();
        return std::move(report_);
    }

private:
    std::vector<int> rolesIn(const BlockTrack& block) const
    {
        std::vector<int> roleOf(block.warps.size(), -1);
        for (std::size_t i = 0; i < block.warps.size(); ++i)
            for (std::size_t role = 0; role < roles_.size(); ++role)
                if (std::ranges::find(roles_[role].warps, block.warps[i].warp) != roles_[role].warps.end())
                    roleOf[i] = static_cast<int>(role);
        return roleOf;
    }

    void addBlock(const BlockTrack& block)
    {
        const std::vector<int> roleOf = rolesIn(block);
        const Releases releases(block, roleOf, roles_);
        for (std::size_t i = 0; i < block.warps.size(); ++i)
            if (roleOf[i] >= 0)
                addWarp(block, i, roleOf, releases);
        const CriticalPath path = findCriticalPath(block, releases);
        for (std::size_t i = 0; i < block.warps.size(); ++i)
            if (roleOf[i] >= 0)
                sums_[static_cast<std::size_t>(roleOf[i])].path += path.warps[i];
        copies_ += path.copies;
        handover_ += path.handover;
        addOverlaps(block);
    }

    void addWarp(const BlockTrack& block, std::size_t index, const std::vector<int>& roleOf, const Releases& releases)
    {
        const WarpTrack& track = block.warps[index];
        RoleSum& sum = sums_[static_cast<std::size_t>(roleOf[index])];
        ++sum.warps;
        sum.time += block.end;
        sum.work += sumTime(track, SegmentKind::work);
        sum.wait += sumTime(track, SegmentKind::wait);
        sum.async += sumTime(track, SegmentKind::async);
        for (const TrackWait& wait : track.waits) {
            WaitSum& place = sum.waits[{wait.label, wait.line}];
            place.sync = wait.sync;
            ++place.count;
            place.cycles += wait.end - wait.begin;
            if (wait.isAsync())
                continue;
            const std::optional<Release> release = releases.of(index, wait);
            const int other = release ? roleOf[release->warp] : -1;
            const std::int64_t before = release ? std::clamp(release->at, wait.begin, wait.end) : wait.begin; // for the arrival
            if (other >= 0 && other != roleOf[index]) {
                const std::string& name = roles_[static_cast<std::size_t>(other)].name;
                place.ended[release->copies ? std::string(kCopies) : name] += wait.end - before;
                place.ended[name] += before - wait.begin;
            }
            if (!release || other != roleOf[index])
                sum.others += wait.end - wait.begin;
        }
    }

    const WarpTrack* findFirst(const BlockTrack& block, const Role& role) const
    {
        const auto found = std::ranges::find(block.warps, role.warps.front(), &WarpTrack::warp);
        return found == block.warps.end() ? nullptr : &*found;
    }

    void addOverlaps(const BlockTrack& block)
    {
        for (std::size_t a = 0; a < roles_.size(); ++a)
            for (std::size_t b = a + 1; b < roles_.size(); ++b) {
                const WarpTrack* one = findFirst(block, roles_[a]);
                const WarpTrack* other = findFirst(block, roles_[b]);
                if (!one || !other)
                    continue;
                const auto busy = [](const WarpTrack& track) {
                    return sumTime(track, SegmentKind::work) + sumTime(track, SegmentKind::async);
                };
                OverlapSum& sum = overlaps_[{a, b}];
                sum.both += commonWork(*one, *other);
                sum.less += std::min(busy(*one), busy(*other));
            }
    }

    void fillRoles()
    {
        for (std::size_t i = 0; i < roles_.size(); ++i) {
            const RoleSum& sum = sums_[i];
            RoleRow row;
            row.name = roles_[i].name;
            row.warps = roles_[i].warps;
            row.work = computeShare(sum.work, sum.time);
            row.wait = computeShare(sum.wait, sum.time);
            row.async = computeShare(sum.async, sum.time);
            row.waitForOthers = computeShare(sum.others, sum.time);
            for (const auto& [place, wait] : sum.waits) {
                RoleWait one{place.first,
                             place.second,
                             wait.sync,
                             (wait.count + sum.warps / 2) / std::max<std::int64_t>(sum.warps, 1),
                             computeShare(wait.cycles, wait.count),
                             computeShare(wait.cycles, sum.time),
                             {},
                             0};
                const auto most = std::ranges::max_element(wait.ended, {}, [](const auto& by) { return by.second; });
                if (most != wait.ended.end() && most->second > 0) {
                    one.waitsFor = most->first;
                    one.waitsForShare = computeShare(most->second, wait.cycles);
                }
                row.waits.push_back(std::move(one));
            }
            std::ranges::stable_sort(row.waits, std::greater<>(), &RoleWait::share);
            report_.roles.push_back(std::move(row));
        }
    }

    void fillOverlaps()
    {
        for (const auto& [pair, sum] : overlaps_)
            report_.overlaps.push_back({roles_[pair.first].name, roles_[pair.second].name, computeShare(sum.both, sum.less)});
    }

    /// The block with the most marks of those whose warps all ended; the first of them.
    void showBlock()
    {
        const BlockTrack* best = nullptr;
        std::size_t most = 0;
        for (const BlockTrack& block : blocks_) {
            std::size_t segments = 1;
            for (const WarpTrack& track : block.warps)
                segments += track.ended ? track.segments.size() : 0;
            if (segments > most) {
                most = segments;
                best = &block;
            }
        }
        if (!best)
            return;
        report_.shownBlock = best->block;
        report_.spanCycles = best->end;
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (const WarpTrack* track = findFirst(*best, roles_[i]))
                report_.roles[i].segments = track->segments;
    }

    void judge()
    {
        const RoleRow* longest = nullptr;
        double most = 0;
        for (const RoleRow& row : report_.roles) {
            if (!longest || row.path > longest->path)
                longest = &row;
            most = std::max(most, row.waitForOthers);
        }
        if (!longest) {
            report_.sentence = "No warp recorded a mark.";
            return;
        }
        const bool copies = report_.pathCopies > longest->path;
        std::vector<const RoleRow*> waiting;
        for (const RoleRow& row : report_.roles)
            if ((copies || &row != longest) && row.waitForOthers >= std::max(kLeastWait, most / 2))
                waiting.push_back(&row);
        std::ranges::stable_sort(waiting, std::greater<>(), &RoleRow::waitForOthers);
        if (waiting.empty()) {
            report_.sentence = report_.roles.size() == 1
                                   ? fmt::format("All warps have one role. It waits {:.0f} % of the time at barriers, {:.0f} % for its own "
                                                 "copies and MMAs.",
                                                 longest->wait * 100, longest->async * 100)
                                   : fmt::format("No role waits much for another: at most {:.0f} % of the time. {:.0f} % of the critical "
                                                 "path is {}.",
                                                 most * 100, longest->path * 100, longest->name);
            return;
        }
        std::vector<std::string> shares;
        for (const RoleRow* row : waiting) {
            report_.waiting.push_back(row->name);
            shares.push_back(fmt::format("{:.0f} %", row->waitForOthers * 100));
        }
        report_.waitedFor = copies ? kCopies : longest->name;
        report_.sentence = fmt::format("{} {} for {}: {} of the time. {:.0f} % of the critical path is {}.", joinWithAnd(report_.waiting),
                                       waiting.size() == 1 ? "waits" : "wait", report_.waitedFor, joinWithAnd(shares),
                                       (copies ? report_.pathCopies : longest->path) * 100, report_.waitedFor);
    }

    void addFacts()
    {
        std::int64_t cycles = 0;
        std::int64_t ns = 0;
        std::int64_t lost = 0;
        std::int64_t running = 0;
        for (const WarpMarks& warp : timeline_.warps) {
            if (warp.endCycle && warp.endNs && *warp.endNs > 0) {
                cycles += *warp.endCycle;
                ns += *warp.endNs;
            }
            lost += warp.lost;
            running += warp.endCycle ? 0 : 1;
        }
        report_.cyclesPerNs = computeShare(cycles, ns);
        const auto whole = [](const AbBlock& block) { return !block.a.empty() && block.a.size() == block.b.size(); };
        if (timeline_.overhead.size() >= 2 && std::ranges::all_of(timeline_.overhead, whole)) {
            const Ratio plain = computeRatio(timeline_.overhead);
            report_.overhead = Ratio{1 / plain.value, 1 / plain.high, 1 / plain.low};
        }
        report_.notes = timeline_.notes;
        if (lost > 0)
            report_.notes.push_back(fmt::format("{} marks were overwritten by later ones of their warp: the begin is missing.", lost));
        if (running > 0)
            report_.notes.push_back(
                fmt::format("{} {} not reach {} end.", running, running == 1 ? "warp did" : "warps did", running == 1 ? "its" : "their"));
    }

    const Timeline& timeline_;
    std::vector<BlockTrack> blocks_;
    std::vector<Role> roles_;
    std::vector<RoleSum> sums_;
    std::map<std::pair<std::size_t, std::size_t>, OverlapSum> overlaps_;
    std::int64_t copies_ = 0;
    std::int64_t handover_ = 0;
    TimelineReport report_;
};

} // namespace

TimelineReport analyzeTimeline(const Timeline& timeline)
{
    return Analysis(timeline).report();
}

} // namespace kl::inline timelines
