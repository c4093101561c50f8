// SPDX-License-Identifier: MIT
#include "profiler/live/host/launch_changes.h"

#include "core/base/format.h"
#include "core/device/occupancy.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr const char* kAllAtOnce = "its blocks wait for each other, so all of them must run at once";

LaunchChange smallL1(const LaunchSettings& plain)
{
    LaunchChange one{{"small-l1", "minimal L1 cache, with the rest of its memory as shared memory", {}, 0, {}}, plain, plain};
    one.changed.mostShared = true;
    return one;
}

/// Blocks that an SM really holds: the grid may have fewer than fit.
int residentBlocks(const LaunchFacts& facts, const DeviceInfo& device)
{
    const std::int64_t sms = std::max(device.smCount, 1);
    return static_cast<int>(std::min<std::int64_t>(facts.blocksPerSm, (facts.gridBlocks + sms - 1) / sms));
}

LaunchChange halfOccupancy(const LaunchSettings& plain, const LaunchSpec& launch, const LaunchFacts& facts, const DeviceInfo& device)
{
    LaunchChange one{{"half-occupancy", {}, {}, 0, {}}, plain, plain};
    one.unchanged.mostShared = one.changed.mostShared = true;
    if (launch.cooperative) {
        one.experiment.unavailable = kAllAtOnce;
        return one;
    }
    const std::optional<SmLimits> limits = smLimits(device);
    const int resident = residentBlocks(facts, device);
    if (resident < 2) {
        one.experiment.unavailable = "an SM does not hold two of its blocks";
        return one;
    }
    if (!limits || limits->smemGranularity <= 0) {
        one.experiment.unavailable = "the shared memory of this device is not known";
        return one;
    }
    // The least block of which only so many fit.
    const int wanted = resident / 2;
    const std::int64_t grain = limits->smemGranularity;
    const std::int64_t block = (limits->smemPerSm / (wanted + 1) / grain + 1) * grain;
    const std::int64_t own = facts.staticSmem + facts.dynamicSmem;
    const std::int64_t more = block - limits->smemReserved - own;
    if (more <= 0 || own + more > limits->smemOptin) {
        one.experiment.unavailable = fmt::format("no shared memory size makes {} of its blocks fit on an SM", wanted);
        return one;
    }
    one.changed.dynamicSmem += more;
    one.experiment.change = fmt::format("{} instead of {} blocks per SM, by reserving {} of unused shared memory per block", wanted,
                                        resident, formatBytes(static_cast<double>(more)));
    return one;
}

LaunchChange halfGrid(const LaunchSettings& plain, const LaunchSpec& launch, const LaunchFacts& facts)
{
    LaunchChange one{{"half-grid", {}, {}, 0, {}}, plain, plain};
    if (launch.cooperative) {
        one.experiment.unavailable = kAllAtOnce;
        return one;
    }
    const auto longest = std::ranges::max_element(one.changed.grid);
    const auto axis = static_cast<std::size_t>(longest - one.changed.grid.begin());
    const std::int64_t unit = axis < launch.cluster.size() ? launch.cluster[axis] : 1; // a grid is whole clusters
    if (longest == one.changed.grid.end() || *longest < 2 * unit) {
        one.experiment.unavailable = "its grid cannot be halved";
        return one;
    }
    if (facts.opcodes.contains("fence") && facts.opcodes.contains("atom")) {
        one.experiment.unavailable = "its blocks may wait for each other (fences and atomics): half of them could wait forever";
        return one;
    }
    const std::int64_t others = facts.gridBlocks / *longest; // blocks along the other axes
    *longest = *longest / 2 / unit * unit;
    one.experiment.change = fmt::format("the first {} of {} blocks", formatCount(static_cast<double>(others * *longest)),
                                        formatCount(static_cast<double>(facts.gridBlocks)));
    return one;
}

} // namespace

std::vector<LaunchChange> launchChanges(const LaunchSpec& launch, const LaunchFacts& facts, const DeviceInfo& device)
{
    const LaunchSettings plain{launch.grid, launch.dynamicSmem, false};
    return {smallL1(plain), halfOccupancy(plain, launch, facts, device), halfGrid(plain, launch, facts)};
}

} // namespace kl::inline live
