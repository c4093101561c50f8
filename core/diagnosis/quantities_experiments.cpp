// SPDX-License-Identifier: MIT
// Quantities of the active experiments: how the time follows a change of the launch's shape, no counters needed.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl::inline diagnosis {
namespace {

Value findExperimentRatio(const RunFacts& f, std::string_view id)
{
    for (const Experiment& one : f.run().experiments)
        if (one.id == id)
            return one.ratio;
    return {};
}

Value halfOccupancy(const RunFacts& f)
{
    return findExperimentRatio(f, "half-occupancy");
}
Value halfGrid(const RunFacts& f)
{
    return findExperimentRatio(f, "half-grid");
}
Value smallL1(const RunFacts& f)
{
    return findExperimentRatio(f, "small-l1");
}

Value hotOverCold(const RunFacts& f)
{
    const auto& timing = f.run().timing;
    return timing ? quotient(timing->gpuHot, timing->gpu.median) : std::nullopt;
}

constexpr std::array<Quantity, 4> kExperiments{{
    {"half_occupancy_ratio", "time at half the occupancy", "", "time with half the blocks per SM / time as it is (an experiment)",
     halfOccupancy},
    {"half_grid_ratio", "time of half the grid", "", "time of the first half of the blocks / that of all (an experiment)", halfGrid},
    {"small_l1_ratio", "time with the least L1", "", "time with the least L1 cache / time as it is (an experiment)", smallL1},
    {"hot_over_cold", "time with a warm L2", "", "median GPU time, L2 hot / L2 cold", hotOverCold},
}};

} // namespace

std::span<const Quantity> experimentQuantities()
{
    return kExperiments;
}

} // namespace kl::inline diagnosis
