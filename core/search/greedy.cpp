// SPDX-License-Identifier: MIT
#include "core/search/greedy.h"

#include <algorithm>

namespace kl::inline spaces {

std::optional<PointIndex> Greedy::pick(SearchState& state)
{
    while (center_) {
        state.space().neighbors(*center_, neighbors_);
        std::ranges::sort(neighbors_);
        const auto open = std::ranges::find_if(neighbors_, [&](PointIndex neighbor) { return !state.isGiven(neighbor); });
        if (open != neighbors_.end())
            return *open;
        if (state.givenCount() > state.trials().size())
            return {}; // which of them is best is not known yet
        PointIndex best = *center_;
        for (const PointIndex neighbor : neighbors_)
            if (const std::optional<double> value = state.findValue(neighbor);
                value && (!state.findValue(best) || *value < *state.findValue(best)))
                best = neighbor;
        if (best == *center_)
            break; // a local optimum
        center_ = best;
    }
    center_ = starts_.pick(state);
    if (!center_)
        center_ = state.randomPoint();
    return center_;
}

} // namespace kl::inline spaces
