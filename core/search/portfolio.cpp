// SPDX-License-Identifier: MIT
#include "core/search/portfolio.h"

namespace kl::inline spaces {

std::optional<PointIndex> Portfolio::pick(SearchState& state)
{
    if (const std::optional<PointIndex> start = starts_.pick(state))
        return start;
    return state.givenCount() % 2 == 0 ? forest_.pick(state) : vndx_.pick(state);
}

void Portfolio::learn(SearchState& state, const Trial& trial)
{
    vndx_.learn(state, trial);
}

} // namespace kl::inline spaces
