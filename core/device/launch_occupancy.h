// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"

namespace kl::inline device {

/// Fills in what follows from a launch's shape, registers and shared memory on a GPU: blocks per multiprocessor, theoretical occupancy,
/// what limits it, waves (occupancy.h has the formulas). False, with nothing changed, where the GPU is not in the table, or for an invalid
/// launch: a block has 1 to 1024 threads of 1 to 255 registers.
bool addOccupancy(LaunchFacts& facts, const DeviceInfo& device);

} // namespace kl::inline device
