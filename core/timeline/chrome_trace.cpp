// SPDX-License-Identifier: MIT
#include "core/timeline/block_tracks.h"
#include "core/timeline/report_codec.h"
#include "core/timeline/roles.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline timelines {
namespace {

const char* kindWord(SegmentKind kind)
{
    for (const auto& [known, word] : enumWords(SegmentKind{}))
        if (known == kind)
            return word;
    return "";
}

std::string findRoleName(const std::vector<Role>& roles, int warp)
{
    for (const Role& role : roles)
        if (std::ranges::find(role.warps, warp) != role.warps.end())
            return role.name;
    return "no marks";
}

Json nameEvent(const char* what, std::int64_t block, std::optional<int> warp, const std::string& name)
{
    Json event{{"ph", "M"}, {"name", what}, {"pid", block}, {"args", {{"name", name}}}};
    if (warp)
        event["tid"] = *warp;
    return event;
}

/// When each block began, ns on the GPU's clock.
std::map<std::int64_t, std::int64_t> blockBegins(const Timeline& timeline)
{
    std::map<std::int64_t, std::int64_t> begins;
    for (const WarpMarks& warp : timeline.warps) {
        const auto [known, isNew] = begins.emplace(warp.block, warp.beginNs);
        if (!isNew)
            known->second = std::min(known->second, warp.beginNs);
    }
    return begins;
}

} // namespace

Json chromeTrace(const Timeline& timeline, const std::string& title)
{
    const std::vector<BlockTrack> blocks = trackBlocks(timeline);
    const std::vector<Role> roles = findRoles(blocks);
    const std::map<std::int64_t, std::int64_t> begins = blockBegins(timeline);
    std::map<std::int64_t, int> sms;
    for (const WarpMarks& warp : timeline.warps)
        sms[warp.block] = warp.sm;
    std::int64_t first = begins.empty() ? 0 : begins.begin()->second;
    for (const auto& [block, at] : begins)
        first = std::min(first, at);
    const double rate = analyzeTimeline(timeline).cyclesPerNs;
    const double nsPerCycle = rate > 0 ? 1 / rate : 1;
    Json events = Json::array();
    for (const BlockTrack& block : blocks) {
        events.push_back(nameEvent("process_name", block.block, {}, fmt::format("block {} (SM {})", block.block, sms[block.block])));
        for (const WarpTrack& track : block.warps) {
            events.push_back(
                nameEvent("thread_name", block.block, track.warp, fmt::format("warp {}: {}", track.warp, findRoleName(roles, track.warp))));
            for (const Segment& segment : track.segments) {
                const double begin = static_cast<double>(begins.at(block.block) - first) + static_cast<double>(segment.begin) * nsPerCycle;
                Json event{{"ph", "X"},
                           {"name", segment.label.empty() ? kindWord(segment.kind) : segment.label},
                           {"cat", kindWord(segment.kind)},
                           {"pid", block.block},
                           {"tid", track.warp},
                           {"ts", begin / 1e3},
                           {"dur", static_cast<double>(segment.end - segment.begin) * nsPerCycle / 1e3},
                           {"args", {{"cycles", segment.end - segment.begin}}}};
                if (segment.line > 0)
                    event["args"]["line"] = segment.line;
                events.push_back(std::move(event));
            }
        }
    }
    return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}, {"otherData", {{"title", title}}}};
}

} // namespace kl::inline timelines
