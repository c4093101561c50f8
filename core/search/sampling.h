// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/strategy.h"

namespace kl::inline spaces {

/// Every point in the space's order.
class BruteForce final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;

private:
    PointIndex next_ = 0;
};

/// Every point in random order.
class RandomSample final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override { return state.randomPoint(); }
};

/// Points of a setting that are worth measuring first.
class Starts {
public:
    /// The next one that was not given; unset: none is left.
    std::optional<PointIndex> pick(const SearchState& state);

private:
    std::size_t next_ = 0;
};

/// Latin hypercubes, one after another.
class LatinHypercube final : public Proposer {
public:
    /// As many as Loop 1 begins with.
    static constexpr std::size_t kCubePoints = 20;
    explicit LatinHypercube(std::size_t points = kCubePoints) : points_(points) {}
    std::optional<PointIndex> pick(SearchState& state) override;

private:
    std::size_t points_;
    std::vector<AxisPlaces> cube_; ///< not proposed yet, last first
};

} // namespace kl::inline spaces
