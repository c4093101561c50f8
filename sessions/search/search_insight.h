// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "core/search/recorded_space.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline search {

/// How much of the times' spread a tunable, or two together beyond each alone, explains.
struct Importance {
    std::vector<std::string> tunables; ///< one or two names
    double share = 0;                  ///< of the variance of the logarithm of the time, 0 to 1
};

/// Of the points with a time among the first `trials` of a search: the variance between the groups of equal values over all of it, adjusted
/// for the number of groups (1 - (1 - R²) (n - 1) / (n - k)), at least 0; of a pair, what both explain together beyond the sum of each
/// alone. A search measures good regions more often, so these are shares among what was measured, not of the whole space. Most important
/// first, singles before pairs. Empty for fewer than eight points with a time.
std::vector<Importance> computeImportance(const SearchRecord& record, std::size_t trials);

/// The fastest time so far after each trial; unset before the first one that has a time.
std::vector<std::optional<double>> bestSoFar(const SearchRecord& record);

/// A search of a recorded space by a strategy, as a live search would have been recorded: at most `trials` points, each with the time that
/// it took when it was recorded. Error notFound: no strategy has this name.
Result<SearchRecord> replayRecord(const RecordedSpace& space, const std::string& strategy, std::uint64_t seed, std::size_t trials);

} // namespace kl::inline search
