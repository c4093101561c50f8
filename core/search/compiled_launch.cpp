// SPDX-License-Identifier: MIT
#include "core/search/compiled_launch.h"

#include "core/base/format.h"

#include <fmt/format.h>

namespace kl::inline spaces {

std::int64_t CodeLine::instructions() const
{
    std::int64_t sum = 0;
    for (const auto& [name, count] : opcodes)
        sum += count;
    return sum;
}

Occupancy computeOccupancy(const SmLimits& sm, const CompiledLaunch& launch)
{
    return computeOccupancy(sm, BlockNeeds{launch.threads, launch.registers, launch.staticSmem + launch.dynamicSmem});
}

CompiledVerdict judgeCompiled(const std::vector<CompiledLaunch>& launches, const GateLimits& limits, int minBlocks)
{
    std::string found;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const CompiledLaunch& launch = launches[i];
        if (launch.stackBytes > kMostLocalBytes)
            return {
                false, "spills",
                fmt::format(
                    "{} takes {} registers per thread and keeps {} bytes in local memory (limit {}); spills store {} bytes and load {}.",
                    launch.entry, launch.registers, launch.stackBytes, kMostLocalBytes, launch.spillStores, launch.spillLoads)};
        const Occupancy occupancy = computeOccupancy(limits.sm, launch);
        const int wanted = i == 0 ? minBlocks : 1;
        if (occupancy.blocksPerSm < wanted || occupancy.percent < limits.minOccupancy)
            return {false, "occupancy",
                    fmt::format("{}: {} registers per thread and {} bytes of shared memory leave {} block{} per SM ({}); {} required.",
                                launch.entry, launch.registers, launch.staticSmem + launch.dynamicSmem, occupancy.blocksPerSm,
                                occupancy.blocksPerSm == 1 ? "" : "s", formatPercent(occupancy.percent),
                                occupancy.blocksPerSm < wanted ? fmt::format("{}", wanted) : formatPercent(limits.minOccupancy))};
        found += fmt::format("{}{}: {} registers{}, {}", found.empty() ? "" : "; ", launch.entry, launch.registers,
                             launch.stackBytes > 0 ? fmt::format(" and {} bytes of local memory", launch.stackBytes) : "",
                             formatPercent(occupancy.percent));
    }
    return {true, {}, found + '.'};
}

} // namespace kl::inline spaces
