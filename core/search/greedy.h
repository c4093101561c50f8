// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/sampling.h"

namespace kl::inline spaces {

/// From the first start, else a random point: every neighbor one tunable away, then on from the best of them; a random point when none is
/// better. Like greedy_mls of Kernel Tuner.
class Greedy final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;

private:
    Starts starts_;
    std::optional<PointIndex> center_;
    std::vector<PointIndex> neighbors_;
};

} // namespace kl::inline spaces
