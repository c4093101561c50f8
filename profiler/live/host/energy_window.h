// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/measurement.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace kl::inline live {

// NVML's total energy counter counts millijoules (nvmlDeviceGetTotalEnergyConsumption) and is updated every 20 to 100 ms (PETSc's manual,
// PetscLogGpuEnergyMeter), so that a single kernel is far below its resolution: passes are repeated.

/// Updates that the window holds at least, and times the longest interval between two of them that it lasts at least: each of its ends
/// is known to one update, so that the energy is within 5 %.
inline constexpr int kEnergyUpdates = 20;
/// Updates before the window, while the power settles.
inline constexpr int kEnergySettling = 2;
inline constexpr double kLeastEnergySeconds = 1;
/// Longest that a window is waited for.
inline constexpr double kMostEnergySeconds = 15;

/// The ports of an energy measurement; tests use their own counter and clock.
struct EnergyPorts {
    std::function<std::optional<double>()> joules; ///< the counter; unset where the device has none
    std::function<Status(int passes)> start;       ///< issues them back to back, without waiting for them
    std::function<Status()> finish;                ///< waits for what was started
    std::function<double()> now;                   ///< seconds, of any steady clock
    std::stop_token stop;
};

/// Energy of one pass. Passes run in batches of 20 ms or more, and the counter is read while a batch runs: reading takes 4 ms (NVML on an
/// H200), in which the GPU would be idle otherwise. The window begins and ends at an update of the counter:
/// (last - first) / passes between the two, where a batch counts as far as its time has passed. Without a counter, or where it is
/// updated too seldom, the reason instead. Error interrupted, or the ports' own.
Result<Energy> measureEnergy(const EnergyPorts& ports);

/// Why a window would tell nothing about a kernel whose passes take `passNs`; empty if it would. Passes that fill less than half of
/// the window are shorter than their launches: the window would measure an idle GPU.
std::string whyTooShort(const Energy& energy, double passNs);

} // namespace kl::inline live
