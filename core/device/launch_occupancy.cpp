// SPDX-License-Identifier: MIT
#include "core/device/launch_occupancy.h"

#include "core/device/occupancy.h"

namespace kl::inline device {

bool addOccupancy(LaunchFacts& facts, const DeviceInfo& device)
{
    const auto limits = smLimits(device);
    if (!limits || facts.registers < 1 || facts.registers > 255 || facts.blockThreads < 1 || facts.blockThreads > 1024)
        return false;
    const Occupancy occupancy = computeOccupancy(*limits, {facts.blockThreads, facts.registers, facts.staticSmem + facts.dynamicSmem});
    facts.blocksPerSm = occupancy.blocksPerSm;
    facts.theoreticalOccupancy = occupancy.percent;
    facts.occupancyLimiter = occupancy.limiter;
    facts.waves = computeWaves(facts.gridBlocks, occupancy.blocksPerSm, device.smCount);
    return true;
}

} // namespace kl::inline device
