// SPDX-License-Identifier: MIT
#include "core/search/genetic.h"

#include <algorithm>

namespace kl::inline spaces {

std::optional<PointIndex> Genetic::pick(SearchState& state)
{
    while (true) {
        while (!born_.empty()) {
            const PointIndex child = born_.back();
            born_.pop_back();
            if (state.isGiven(child))
                continue; // another child of this generation
            ++awaited_;
            return child;
        }
        if (awaited_ > 0)
            return {};
        breed(state);
    }
}

void Genetic::learn(SearchState&, const Trial& trial)
{
    --awaited_;
    next_.push_back(trial);
}

/// The next generation: random at first; later children of the last one, with newcomers in place of those that are known.
void Genetic::breed(SearchState& state)
{
    if (!next_.empty()) {
        parents_ = std::move(next_);
        next_.clear();
        std::ranges::stable_sort(parents_, {}, [&](const Trial& trial) { return state.valueOrWorst(trial); });
    }
    for (std::size_t i = 0; i < kPopulation; ++i) {
        if (parents_.size() < 2) {
            const std::optional<PointIndex> start = starts_.pick(state);
            born_.push_back(start ? *start : state.randomPoint());
            continue;
        }
        const PointIndex second = choose(state); // one after the other: compilers differ in the order of two arguments
        const PointIndex first = choose(state);
        const PointIndex child = cross(state, first, second);
        if (state.isAnswered(child))
            next_.push_back({child, state.findValue(child)});
        else
            born_.push_back(child);
    }
    if (born_.empty()) // converged on what is known
        born_.push_back(state.randomPoint());
}

/// The better ranks are likelier, the first twice as likely as the average.
PointIndex Genetic::choose(SearchState& state) const
{
    const double share = std::max(state.random().unit(), state.random().unit());
    const auto fromWorst = static_cast<std::size_t>(share * static_cast<double>(parents_.size()));
    return parents_[parents_.size() - 1 - fromWorst].point;
}

PointIndex Genetic::cross(SearchState& state, PointIndex a, PointIndex b)
{
    const TuningSpace& space = state.space();
    AxisPlaces child = space.places(a);
    for (std::size_t axis = state.random().below(child.size()); axis < child.size(); ++axis)
        child[axis] = space.place(b, axis);
    for (std::size_t axis = 0; axis < child.size(); ++axis)
        if (state.random().below(kMutation) == 0)
            child[axis] = static_cast<std::uint16_t>(state.random().below(space.axes()[axis].values.size()));
    if (const std::optional<PointIndex> found = space.find(child))
        return *found;
    space.neighbors(a, neighbors_);
    return neighbors_.empty() ? a : neighbors_[state.random().below(neighbors_.size())];
}

} // namespace kl::inline spaces
