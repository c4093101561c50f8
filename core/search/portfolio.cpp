// SPDX-License-Identifier: MIT
#include "core/search/portfolio.h"

namespace kl::inline spaces {

std::optional<PointIndex> Portfolio::pick(SearchState& state)
{
    if (state.givenCount() < ForestSearch::kFirstPoints || state.givenCount() % kTurns != 0)
        return forest_.pick(state);
    return vndx_.pick(state);
}

void Portfolio::learn(SearchState& state, const Trial& trial)
{
    vndx_.learn(state, trial);
}

} // namespace kl::inline spaces
