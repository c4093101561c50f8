// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/forest_search.h"
#include "core/search/vndx.h"

namespace kl::inline spaces {

/// The default: the starts, a Latin hypercube, then the forest in turns with VNDX. The forest finds good regions from few points but
/// can stay in one; VNDX walks on from the best point and restarts when it no longer gets ahead. Each learns from the points of the other.
class Portfolio final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;
    void learn(SearchState& state, const Trial& trial) override;

private:
    static constexpr std::size_t kTurns = 4; ///< every fourth proposal is VNDX's

    ForestSearch forest_;
    Vndx vndx_;
};

} // namespace kl::inline spaces
