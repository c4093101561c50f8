// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/search_state.h"

#include <string>
#include <vector>

namespace kl::inline spaces {

/// A space of which every point was measured once, so that a search of it can be replayed.
struct RecordedSpace {
    std::string name; ///< e.g. "convolution_A100_T4"
    TuningSpace space;
    std::vector<std::optional<double>> values; ///< ms, by point; unset when it failed
    std::vector<std::string> failures;         ///< by point: why it failed; empty when it did not
    std::vector<double> costs;                 ///< seconds that measuring a point took: compiling, running, framework; 0: not known
    std::vector<FeatureColumn> known = {};     ///< what was known of the points before they were measured
    std::vector<PointIndex> start = {};        ///< points worth measuring first

    /// As a strategy sees it.
    SearchSetting setting() const;
};

/// Replaces costs that are 0, which are not known, by the median of the others; by a second where none is known, so that every point costs
/// the same. Precondition: none is below 0.
void chargeUnknownCosts(std::vector<double>& costs);

/// Calculated random search without replacement of a recorded space: the baseline of score P. After Willemsen, Schoonhoven, Filipovič,
/// Tørring, van Nieuwpoort and van Werkhoven, A methodology for comparing optimization algorithms for auto-tuning (FGCS 2024), as in
/// its code (autotuning_methodology: RandomSearchCalculatedBaseline and SearchspaceStatistics::cutoff_point).
class RandomBaseline {
public:
    /// Precondition: a point did not fail.
    explicit RandomBaseline(const RecordedSpace& recorded);

    /// Values of points that did not fail, best first.
    const std::vector<double>& values() const { return values_; }
    double optimum() const { return values_.front(); }
    double median() const;
    /// Rank (0 is the best) of a point, as the first of those with an equal value. Precondition: it did not fail.
    std::size_t findRank(PointIndex point) const { return ranks_[point]; }
    /// Expected rank of the best of that many: of N values, the k-th from the worst with k = round(M (N + 1) / (M + 1)).
    std::size_t rankAfter(std::size_t evaluations) const;
    /// At a time; a valid evaluation takes the cost of all points over the number of valid ones. At least one evaluation.
    double valueAt(double seconds) const;
    /// Evaluations until the expected value closes this share of the way from the median to the optimum.
    std::size_t evaluationsTo(double share) const;
    /// The same in seconds: evaluations × the median cost of a point.
    double secondsTo(double share) const { return static_cast<double>(evaluationsTo(share)) * medianCost_; }

private:
    std::vector<double> values_;
    std::vector<std::size_t> ranks_; ///< by point
    double medianCost_ = 0;
    double costPerValid_ = 0;
};

} // namespace kl::inline spaces
