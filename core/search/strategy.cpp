// SPDX-License-Identifier: MIT
#include "core/search/strategy.h"

#include <algorithm>

namespace kl::inline spaces {

std::vector<PointIndex> Strategy::ask(std::size_t width)
{
    std::vector<PointIndex> points;
    while (!state_.allGiven()) {
        const std::optional<PointIndex> point = open_.size() < width ? proposer_->pick(state_) : std::nullopt;
        if (point) {
            state_.give(*point);
            open_.push_back(*point);
            points.push_back(*point);
        } else if (!learnOldest()) {
            break;
        }
    }
    return points;
}

/// Whether its answer was there.
bool Strategy::learnOldest()
{
    const auto answer = open_.empty() ? answers_.end() : std::ranges::find(answers_, open_.front(), &Trial::point);
    if (answer == answers_.end())
        return false;
    const Trial trial = *answer;
    answers_.erase(answer);
    open_.pop_front();
    state_.answer(trial);
    proposer_->learn(state_, trial);
    return true;
}

void Strategy::tell(PointIndex point, std::optional<double> value)
{
    answers_.push_back({point, value});
}

} // namespace kl::inline spaces
