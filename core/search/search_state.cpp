// SPDX-License-Identifier: MIT
#include "core/search/search_state.h"

#include <algorithm>
#include <numeric>

namespace kl::inline spaces {

SearchState::SearchState(const SearchSetting& setting, std::uint64_t seed)
    : setting_(setting), random_(seed), given_(setting.space.size(), false), trialOf_(setting.space.size(), 0), left_(setting.space.size())
{
    std::iota(left_.begin(), left_.end(), PointIndex{0});
}

std::optional<double> SearchState::findValue(PointIndex point) const
{
    return isAnswered(point) ? trials_[trialOf_[point] - 1].value : std::nullopt;
}

PointIndex SearchState::randomPoint()
{
    while (true) {
        const std::size_t at = random_.below(left_.size());
        if (!given_[left_[at]])
            return left_[at];
        left_[at] = left_.back();
        left_.pop_back();
    }
}

std::optional<PointIndex> SearchState::boxNeighbor(PointIndex point)
{
    AxisPlaces places = space().places(point);
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
        const std::size_t moved = places[axis] + random_.below(3); // one less, the same or one more, plus one
        if (moved >= 1 && moved <= space().axes()[axis].values.size())
            places[axis] = static_cast<std::uint16_t>(moved - 1);
    }
    const std::optional<PointIndex> found = space().find(places);
    return found == point ? std::nullopt : found;
}

void SearchState::give(PointIndex point)
{
    given_[point] = true;
    ++givenCount_;
}

void SearchState::answer(const Trial& trial)
{
    if (trial.value) {
        const bool first = elite_.empty();
        worst_ = first ? *trial.value : std::max(worst_, *trial.value);
        const auto valueIn = [](const Trial& t) { return *t.value; };
        elite_.insert(std::ranges::upper_bound(elite_, *trial.value, {}, valueIn), trial);
        if (elite_.size() > kElite)
            elite_.pop_back();
    }
    trials_.push_back(trial);
    trialOf_[trial.point] = static_cast<std::uint32_t>(trials_.size());
}

} // namespace kl::inline spaces
