// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"
#include "profiler/live/cuda/driver.h"

#include <vector>

namespace kl::inline live {

/// Every device of the driver. Clocks are the driver's maxima; chip and driverVersion stay empty (CUPTI, NVML know them).
Result<std::vector<DeviceInfo>> listDevices();

/// Fills registers, local and static shared bytes, blocks per SM (driver's occupancy calculator), theoretical occupancy in percent,
/// what limits it, and waves. Expects gridBlocks, blockThreads and dynamicSmem filled.
Status describeLaunch(CUfunction function, const DeviceInfo& device, LaunchFacts& facts);

/// Blocks per SM when only one resource counted, and the name of the scarcest: "registers", "shared memory", "block size"
/// (warps per SM), "blocks". Register allocation: 256 registers per warp rounding, four partitions, as NVIDIA's occupancy
/// calculator documents for compute capability 7.0 and newer.
std::string occupancyLimiter(const LaunchFacts& facts, const DeviceInfo& device);

} // namespace kl::inline live
