// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/replay.h"
#include "profiler/collector.h"

#include <string>
#include <vector>

namespace kl::inline search {

struct SimulationPlan {
    std::vector<std::string> strategies; ///< names of strategies()
    int repeats = 100;                   ///< searches of each space by each strategy; with seeds seed, seed + 1, …
    std::uint64_t seed = 1;
    std::size_t width = 1;  ///< points that are open at a time
    std::size_t trials = 0; ///< also the best after so many; 0: not
};

/// A time of at most so many times the optimum's is near it.
inline constexpr double kNear = 1.02;

/// One strategy on one recorded space.
struct SimulatedSearch {
    std::string space;
    std::string strategy;
    std::size_t size = 0; ///< points of the space
    int repeats = 0;
    SearchScore result;
    double evaluations = 0; ///< within the budget, mean over the repeats
    double failed = 0;      ///< of them, those that failed
    std::int64_t near = 0;  ///< replays whose best after SimulationPlan::trials is near the optimum
};

/// Replays every space with every strategy, on all processors; the result is the same on any number of them. In the order of spaces, then
/// strategies. Costs that are not known are those of chargeUnknownCosts(). A space of one valid point is refused: it has nothing to search.
/// Errors: notFound for an unknown strategy, badInput, interrupted.
Result<std::vector<SimulatedSearch>> simulateSearches(std::vector<RecordedSpace> spaces, const SimulationPlan& plan, const Job& job);

} // namespace kl::inline search
