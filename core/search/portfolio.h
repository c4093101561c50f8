// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/forest_search.h"
#include "core/search/vndx.h"

namespace kl::inline spaces {

/// The default: the starts, then the forest in turns with VNDX, each learning from the points of the other. The forest, which begins with
/// a Latin hypercube, finds good regions but can stay in one; VNDX walks on from the best point from the first measured one on, so that
/// what lies near a good start is found before the hypercube ends, and restarts when it no longer gets ahead.
class Portfolio final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;
    void learn(SearchState& state, const Trial& trial) override;

private:
    Starts starts_;
    ForestSearch forest_;
    Vndx vndx_;
};

} // namespace kl::inline spaces
