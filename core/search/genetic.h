// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/sampling.h"

namespace kl::inline spaces {

/// Genetic algorithm as Kernel Tuner's at its best published setting (hyperparametertuning of the AutoTuningAssociation's benchmark hub,
/// May 2025): 20 individuals, single-point crossover, mutation of a tunable with chance 1/5. Children that are not valid move to a
/// neighbor of a parent; a child that was measured before takes part with its known time.
class Genetic final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;
    void learn(SearchState& state, const Trial& trial) override;

private:
    static constexpr std::size_t kPopulation = 20;
    static constexpr std::size_t kMutation = 5;

    void breed(SearchState& state);
    PointIndex choose(SearchState& state) const;
    PointIndex cross(SearchState& state, PointIndex a, PointIndex b);

    Starts starts_;
    std::vector<Trial> parents_;   ///< answered, best first
    std::vector<PointIndex> born_; ///< to propose, last first
    std::size_t awaited_ = 0;      ///< proposals of this generation without an answer
    std::vector<Trial> next_;      ///< answered ones of this generation
    std::vector<PointIndex> neighbors_;
};

} // namespace kl::inline spaces
