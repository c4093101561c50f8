// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/occupancy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Occupancy as one of its inputs changes, and the smallest change that raises it. All by the exact calculator.
namespace kl::inline device {

enum class OccupancyInput { threads, registers, sharedMemory };

/// "block size", "registers", "shared memory"
const char* toWord(OccupancyInput input);

struct OccupancyPoint {
    std::int64_t at = 0; ///< threads, registers per thread, or bytes
    Occupancy occupancy;
};

/// The occupancy at every value of one input that a launch can have, the others as in `needs`: block sizes in whole warps to 1024,
/// registers 1 to 255, shared memory from 0 to the opt-in limit in steps of 1 KiB.
std::vector<OccupancyPoint> occupancySweep(const SmLimits& limits, const BlockNeeds& needs, OccupancyInput input);

/// One change that raises occupancy: the nearest value of that input with more resident warps (registers and shared memory: less of
/// it; block size: either way).
struct OccupancyLever {
    OccupancyInput input = OccupancyInput::threads;
    std::int64_t from = 0;
    std::int64_t to = 0;
    Occupancy gives;
};

/// Levers that exist, in the order registers, shared memory, block size. Empty at full occupancy, and where no single input helps.
std::vector<OccupancyLever> occupancyLevers(const SmLimits& limits, const BlockNeeds& needs);

} // namespace kl::inline device
