// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/regression_forest.h"
#include "core/search/sampling.h"

#include <optional>

namespace kl::inline spaces {

/// After the starts and a Latin hypercube, the point with the lowest confidence bound of a random forest on the logarithm of the time (as
/// in SMAC: Hutter, Hoos and Leyton-Brown 2011), among the neighbors of the best points and random ones; one proposal in twenty is random.
/// The forest is fitted again as the trials grow.
class ForestSearch final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;

private:
    static constexpr std::size_t kFirstPoints = LatinHypercube::kCubePoints; ///< known before the forest chooses
    static constexpr double kRefit = 0.05;                                   ///< growth of the trials until the forest is fitted again
    static constexpr double kRandomShare = 0.05;
    static constexpr double kDeviations = 1; ///< of the trees, below their mean: the bound
    static constexpr std::size_t kBoxNeighbors = 20;
    static constexpr std::size_t kRandomPoints = 200;

    void refit(SearchState& state);
    void collectCandidates(SearchState& state);
    double computeBound(const SearchState& state, PointIndex point);

    Starts starts_;
    LatinHypercube cube_;
    std::optional<RegressionForest> forest_;
    std::size_t fitted_ = 0; ///< trials that it learned from
    std::uint32_t fits_ = 0;
    std::vector<std::uint32_t> boundOf_; ///< by point: the fit that bounds_ is of
    std::vector<float> bounds_;
    std::vector<PointIndex> candidates_;
    std::vector<PointIndex> neighbors_;
};

} // namespace kl::inline spaces
