// SPDX-License-Identifier: MIT
#include "core/search/strategy.h"

#include <algorithm>
#include <cassert>

namespace kl::inline spaces {

std::vector<PointIndex> Strategy::ask(std::size_t width)
{
    assert(answers_.size() == round_.size());
    for (const PointIndex point : round_) {
        const Trial& trial = *std::ranges::find(answers_, point, &Trial::point);
        state_.answer(trial);
        proposer_->learn(state_, trial);
    }
    round_.clear();
    answers_.clear();
    while (round_.size() < width && !state_.allGiven()) {
        const std::optional<PointIndex> point = proposer_->pick(state_);
        if (!point)
            break;
        state_.give(*point);
        round_.push_back(*point);
    }
    return round_;
}

void Strategy::tell(PointIndex point, std::optional<double> value)
{
    answers_.push_back({point, value});
}

} // namespace kl::inline spaces
