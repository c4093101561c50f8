// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/recorded_space.h"
#include "core/search/strategy.h"

#include <array>
#include <stop_token>

namespace kl::inline spaces {

/// A better point, when it was found.
struct Improvement {
    double seconds = 0;          ///< of measuring until then
    std::size_t evaluations = 0; ///< until then, failed ones included
    PointIndex point = 0;
};

/// One search of a recorded space: its improvements in order.
struct ReplayTrace {
    std::vector<Improvement> improvements;
    std::size_t evaluations = 0;
    std::size_t failed = 0;
};

/// Asks a strategy and answers from the recording until the measuring has taken `seconds` or all is measured. A failed point costs its
/// time and gives nothing. An evaluation that ends after `seconds` does not count. `most`: evaluations; 0: no limit.
ReplayTrace replaySearch(const RecordedSpace& recorded, Strategy& strategy, double seconds, std::size_t width = 1, std::size_t most = 0);

/// Shares of the optimum that evaluations are counted to: a point reaches 0.90 when its time is at most optimum / 0.90.
inline constexpr std::array kOptimumShares{0.90, 0.95, 0.99};

struct ScoreInterval {
    double value = 0;
    double low = 0; ///< 95 %, by bootstrap over the repeats
    double high = 0;
    bool operator==(const ScoreInterval&) const = default;
};

/// Over time, at one point of it.
struct ScorePoint {
    double seconds = 0;
    double best = 0;   ///< value at the mean rank of the best so far of all repeats
    double random = 0; ///< calculated random search
    double score = 0;  ///< (best − random) / (optimum − random)
};

/// What repeated searches of one space achieve.
struct SearchScore {
    ScoreInterval score; ///< P
    std::vector<ScorePoint> curve;
    double budgetSeconds = 0;
    std::size_t budgetEvaluations = 0; ///< of calculated random search
    double optimum = 0;
    double meanFound = 0; ///< mean over the repeats of optimum / best found within the budget
    std::array<std::optional<double>, kOptimumShares.size()>
        evaluationsTo;             ///< median over the repeats; unset when fewer than half get there
    std::vector<double> resampled; ///< P of each bootstrap sample, for means over several spaces
};

/// The time that a search may take for its score: in which calculated random search closes 95 % of the way from median to optimum.
inline constexpr double kScoreShare = 0.95;

/// Score P of the methodology in recorded_space.h: the mean over the budget, from the time in which calculated random search closes 1 %,
/// of (F(t) − random(t)) / (optimum − random(t)). F(t) is the value at the mean rank of the best so far; a repeat that has found nothing
/// yet counts as the median. 0 is random search, 1 is knowing the optimum from the start. Precondition: at least one trace.
SearchScore scoreSearch(const RecordedSpace& recorded, const RandomBaseline& baseline, const std::vector<ReplayTrace>& traces);

/// The mean P over several spaces, each resampled on its own. Precondition: at least one.
ScoreInterval meanScore(const std::vector<const SearchScore*>& scores);

} // namespace kl::inline spaces
