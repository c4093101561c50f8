// SPDX-License-Identifier: MIT
#include "core/timeline/roles.h"

#include <algorithm>
#include <set>

namespace kl::inline timelines {
namespace {

constexpr int kWarpGroup = 4;

/// What all blocks know of the warp of one index.
struct Conduct {
    std::set<std::pair<int, std::uint32_t>> places;
    std::map<std::string, std::int64_t> roles;
    bool startsCopies = false;
    bool hasProducts = false;
};

std::map<int, Conduct> gather(const std::vector<BlockTrack>& blocks)
{
    std::map<int, Conduct> warps;
    for (const BlockTrack& block : blocks)
        for (const WarpTrack& track : block.warps) {
            if (track.places.empty() && track.arrivals.empty())
                continue;
            Conduct& conduct = warps[track.warp];
            for (const auto& [place, count] : track.places)
                conduct.places.insert(place);
            for (const auto& [role, cycles] : track.roles)
                conduct.roles[role] += cycles;
            conduct.startsCopies = conduct.startsCopies || std::ranges::any_of(track.arrivals, &TrackArrival::copies);
            conduct.hasProducts = conduct.hasProducts || conduct.places.contains({static_cast<int>(SyncKind::products), 0});
        }
    return warps;
}

std::string formatWarpRange(const std::vector<int>& warps)
{
    std::string text = warps.size() == 1 ? "warp " : "warps ";
    for (std::size_t i = 0; i < warps.size();) {
        std::size_t end = i;
        while (end + 1 < warps.size() && warps[end + 1] == warps[end] + 1)
            ++end;
        text += (i == 0 ? "" : ", ") + std::to_string(warps[i]) + (end > i ? "-" + std::to_string(warps[end]) : "");
        i = end + 1;
    }
    return text;
}

std::string nameFor(const std::vector<int>& warps, const std::map<int, Conduct>& conducts)
{
    std::map<std::string, std::int64_t> roles;
    bool copies = false;
    bool products = false;
    for (const int warp : warps) {
        const Conduct& conduct = conducts.at(warp);
        for (const auto& [role, cycles] : conduct.roles)
            roles[role] += cycles;
        copies = copies || conduct.startsCopies;
        products = products || conduct.hasProducts;
    }
    if (!roles.empty())
        return std::ranges::max_element(roles, {}, [](const auto& one) { return one.second; })->first;
    return products ? "consumer" : copies ? "producer" : formatWarpRange(warps);
}

} // namespace

std::vector<Role> findRoles(const std::vector<BlockTrack>& blocks)
{
    const std::map<int, Conduct> conducts = gather(blocks);
    std::map<std::set<std::pair<int, std::uint32_t>>, std::vector<int>> groups;
    for (const auto& [warp, conduct] : conducts)
        groups[conduct.places].push_back(warp);
    std::vector<Role> roles;
    for (const auto& [places, warps] : groups) {
        std::map<int, std::vector<int>> parts;
        for (const int warp : warps)
            parts[groups.size() > 1 && warps.size() > kWarpGroup ? warp / kWarpGroup : 0].push_back(warp);
        for (auto& [part, some] : parts)
            roles.push_back({nameFor(some, conducts), some});
    }
    std::ranges::sort(roles, {}, [](const Role& role) { return role.warps.front(); });
    if (roles.size() == 1 && conducts.at(roles.front().warps.front()).roles.empty())
        roles.front().name = "all warps";
    std::map<std::string, int> count;
    for (const Role& role : roles)
        ++count[role.name];
    std::map<std::string, int> number;
    for (Role& role : roles)
        if (count[role.name] > 1)
            role.name += ' ' + std::to_string(++number[role.name]);
    return roles;
}

} // namespace kl::inline timelines
