// SPDX-License-Identifier: MIT
#include "core/device/physics_floor.h"

#include "core/base/format.h"
#include "core/device/peaks.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline device {

std::optional<PhysicsFloor> physicsFloor(const LeastWork& work, const DeviceInfo& device)
{
    const Peaks peaks = computePeaks(device);
    std::optional<PhysicsFloor> floor;
    const auto consider = [&](double amount, std::optional<double> rate, const std::string& why) {
        if (!rate || *rate <= 0 || amount <= 0)
            return;
        const double ns = amount / *rate * 1e9;
        if (!floor || ns > floor->ns)
            floor = PhysicsFloor{ns, why};
    };
    const double nominal = device.memoryClockMhz * 1e6 * device.memoryBusBits / 8 * 2;
    const double dram = std::max(peaks.dram.value_or(0), nominal);
    const double fromDram = work.idealBytes - std::min(work.writtenBytes, static_cast<double>(device.l2Bytes));
    consider(fromDram, dram, fmt::format("{} through DRAM at {}", formatBytes(fromDram), formatBandwidth(dram)));
    const double compute = std::max({peaks.tensorFp16.value_or(0), peaks.fp32.value_or(0), peaks.fp64.value_or(0)});
    consider(work.flops, compute, fmt::format("{} FLOP at {} FLOP/s", formatNumber(work.flops), formatNumber(compute)));
    return floor;
}

} // namespace kl::inline device
