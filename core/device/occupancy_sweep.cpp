// SPDX-License-Identifier: MIT
#include "core/device/occupancy_sweep.h"

#include <cstdlib>

namespace kl::inline device {
namespace {

constexpr std::int64_t kSmemStep = 1024;

BlockNeeds with(BlockNeeds needs, OccupancyInput input, std::int64_t value)
{
    switch (input) {
    case OccupancyInput::threads: needs.threads = static_cast<int>(value); break;
    case OccupancyInput::registers: needs.registersPerThread = static_cast<int>(value); break;
    case OccupancyInput::sharedMemory: needs.smem = value; break;
    }
    return needs;
}

std::int64_t selectInputValue(const BlockNeeds& needs, OccupancyInput input)
{
    switch (input) {
    case OccupancyInput::threads: return needs.threads;
    case OccupancyInput::registers: return needs.registersPerThread;
    case OccupancyInput::sharedMemory: break;
    }
    return needs.smem;
}

/// The nearest point below (and, if requested, above) with more resident warps; the greatest value is used, as the smallest change.
std::optional<OccupancyPoint> nearestBetter(const std::vector<OccupancyPoint>& points, std::int64_t from, double percent, bool bothWays)
{
    std::optional<OccupancyPoint> best;
    for (const OccupancyPoint& point : points) {
        if (point.occupancy.percent <= percent || (!bothWays && point.at >= from))
            continue;
        if (!best || std::llabs(point.at - from) < std::llabs(best->at - from))
            best = point;
    }
    return best;
}

} // namespace

const char* toWord(OccupancyInput input)
{
    switch (input) {
    case OccupancyInput::threads: return "block size";
    case OccupancyInput::registers: return "registers";
    case OccupancyInput::sharedMemory: break;
    }
    return "shared memory";
}

std::vector<OccupancyPoint> occupancySweep(const SmLimits& limits, const BlockNeeds& needs, OccupancyInput input)
{
    std::int64_t first = kWarpSize;
    std::int64_t last = kMaxBlockThreads;
    std::int64_t step = kWarpSize;
    if (input == OccupancyInput::registers) {
        first = step = 1;
        last = kMaxThreadRegisters;
    } else if (input == OccupancyInput::sharedMemory) {
        first = 0;
        last = limits.smemOptin;
        step = kSmemStep;
    }
    std::vector<OccupancyPoint> points;
    for (std::int64_t at = first; at <= last; at += step)
        points.push_back({at, computeOccupancy(limits, with(needs, input, at))});
    return points;
}

std::vector<OccupancyLever> occupancyLevers(const SmLimits& limits, const BlockNeeds& needs)
{
    const Occupancy now = computeOccupancy(limits, needs);
    std::vector<OccupancyLever> levers;
    for (const OccupancyInput input : {OccupancyInput::registers, OccupancyInput::sharedMemory, OccupancyInput::threads}) {
        const std::int64_t from = selectInputValue(needs, input);
        const bool bothWays = input == OccupancyInput::threads;
        if (const auto better = nearestBetter(occupancySweep(limits, needs, input), from, now.percent, bothWays))
            levers.push_back({input, from, better->at, better->occupancy});
    }
    return levers;
}

} // namespace kl::inline device
