// SPDX-License-Identifier: MIT
#include "core/search/sampling.h"

#include "core/search/latin_hypercube.h"

namespace kl::inline spaces {

std::optional<PointIndex> BruteForce::pick(SearchState& state)
{
    while (state.isGiven(next_))
        ++next_;
    return next_;
}

std::optional<PointIndex> Starts::pick(const SearchState& state)
{
    const std::vector<PointIndex>& starts = state.setting().start;
    while (next_ < starts.size() && state.isGiven(starts[next_]))
        ++next_;
    return next_ < starts.size() ? std::optional(starts[next_]) : std::nullopt;
}

std::optional<PointIndex> LatinHypercube::pick(SearchState& state)
{
    if (cube_.empty())
        cube_ = latinHypercube(state.space(), points_, state.random());
    const std::optional<PointIndex> point =
        nearestPoint(state.space(), cube_.back(), [&](PointIndex candidate) { return !state.isGiven(candidate); });
    cube_.pop_back();
    return point;
}

} // namespace kl::inline spaces
