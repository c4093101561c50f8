// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/sampling.h"

namespace kl::inline spaces {

/// Tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kégl 2011) with one density per tunable: after a Latin hypercube, each
/// proposal is the candidate with the largest ratio of the density of the good trials to that of the others. Good are the best tenth, at
/// most 25, and 24 candidates are drawn, as in Optuna's TPESampler.
class Tpe final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;

private:
    static constexpr std::size_t kCandidates = 24;
    static constexpr std::size_t kMostGood = 25;

    /// For each axis, the probability of each place.
    using Densities = std::vector<std::vector<double>>;
    static Densities estimateDensities(const TuningSpace& space, const std::vector<PointIndex>& points);
    void refit(const SearchState& state);
    PointIndex drawCandidate(SearchState& state) const;

    Starts starts_;
    LatinHypercube cube_;
    std::size_t fitted_ = 0; ///< trials that the densities are of
    Densities good_;
    Densities others_;
};

} // namespace kl::inline spaces
