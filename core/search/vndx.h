// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/sampling.h"

#include <array>
#include <deque>

namespace kl::inline spaces {

/// HybridVNDX (Automated Algorithm Design for Auto-Tuning Optimizers, arXiv 2510.17899; gen_hybrid_vndx.py of Kernel Tuner 1.4.0):
/// variable neighborhoods of a current point, crossover of an elite, candidates ranked by the mean of the nearest measured points,
/// acceptance as in annealing. Corrected: the elite holds the best points (the original pops them off its heap), a difference is judged
/// relative to the current time (the original's depends on the unit), and no measured point is proposed again.
class Vndx final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;
    /// Also takes answers to the proposals of others.
    void learn(SearchState& state, const Trial& trial) override;

private:
    static constexpr std::size_t kNearest = 5;
    static constexpr std::size_t kPool = 24;
    static constexpr int kPatience = 100; ///< evaluations without acceptance until a restart
    static constexpr double kFirstTemperature = 0.1;
    static constexpr double kCooling = 0.995;
    enum Neighborhood : std::uint8_t { box, oneAxis, kNeighborhoods };
    struct Proposal {
        PointIndex point = 0;
        Neighborhood used = box; ///< kNeighborhoods: a restart
    };

    void fillPool(SearchState& state, Neighborhood neighborhood);
    void addToPool(const SearchState& state, PointIndex point);
    static double predict(const SearchState& state, PointIndex point);
    bool accepts(SearchState& state, double value);

    Starts starts_;
    std::optional<Trial> current_;
    std::array<double, kNeighborhoods> weights_{0.5, 0.5};
    std::deque<Proposal> proposals_; ///< that are not answered
    double temperature_ = kFirstTemperature;
    int rejected_ = 0;
    std::vector<PointIndex> pool_;
    std::vector<PointIndex> neighbors_;
};

} // namespace kl::inline spaces
