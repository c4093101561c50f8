// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/occupancy_sweep.h"
#include "core/model/run.h"

#include <optional>
#include <vector>

namespace kl::inline diagnosis {

/// What limits how many warps of a launch an SM can hold, and what would change it. All by the exact calculator (core/device/occupancy.h).
struct OccupancyWhatIf {
    std::string launch; ///< entry
    SmLimits limits;
    BlockNeeds needs;
    Occupancy now;
    OccupancyTerms terms;               ///< blocks per SM as each limit alone allows
    std::vector<OccupancyLever> levers; ///< smallest single changes that raise it
    std::optional<double> achieved;     ///< percent, by counters
    std::optional<double> halvedTakes;  ///< time with half the blocks per SM over time as it is, where that was tried
};

/// Of the run's counted, else longest, launch. Unset where its geometry or the device's limits are not known.
std::optional<OccupancyWhatIf> occupancyWhatIf(const RunRecord& run);

} // namespace kl::inline diagnosis
