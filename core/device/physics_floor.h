// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"

#include <optional>
#include <string>

namespace kl::inline device {

/// What a call cannot do without, by its descriptor and its buffers.
struct LeastWork {
    double flops = 0;
    double idealBytes = 0;   ///< read and written
    double writtenBytes = 0; ///< of its outputs: these may stay in L2, at most as many as fit
};

/// The time below which no implementation can stay on this device.
struct PhysicsFloor {
    double ns = 0;
    std::string why; ///< "110 MiB through DRAM at 4.8 TB/s"
};

/// For a launch that finds its inputs in DRAM, since L2 was emptied. The most optimistic roofs: the data sheet's DRAM rate, or memory clock
/// x bus width x 2 where that is more; the tensor cores' dense FP16 rate at the highest clock (also for FP32 work, which FP16 or TF32 could
/// do). Unset where neither work nor roofs are known.
std::optional<PhysicsFloor> physicsFloor(const LeastWork& work, const DeviceInfo& device);

/// A median this much below the floor is not a measurement's error.
inline constexpr double kFloorSlack = 0.97;

} // namespace kl::inline device
