// SPDX-License-Identifier: MIT
#include "core/search/annealing.h"

#include <cmath>

namespace kl::inline spaces {

std::optional<PointIndex> Annealing::pick(SearchState& state)
{
    if (state.givenCount() > state.trials().size())
        return {}; // the next step depends on the answer
    for (int steps = 0; current_ && steps < kFreeSteps && temperature_ > kLastTemperature; ++steps) {
        state.space().neighbors(*current_, neighbors_);
        if (neighbors_.empty())
            break;
        const PointIndex next = neighbors_[state.random().below(neighbors_.size())];
        if (!state.isGiven(next))
            return next;
        step(state, next, state.findValue(next));
    }
    restarted_ = true;
    temperature_ = kFirstTemperature;
    const std::optional<PointIndex> start = starts_.pick(state);
    return start ? *start : state.randomPoint();
}

void Annealing::learn(SearchState& state, const Trial& trial)
{
    if (restarted_)
        current_ = trial.point;
    else
        step(state, trial.point, trial.value);
    restarted_ = false;
}

void Annealing::step(SearchState& state, PointIndex to, std::optional<double> value)
{
    temperature_ *= kCooling;
    const std::optional<double> from = state.findValue(*current_);
    if (!value)
        return;
    const double worse = from ? (*value - *from) / *from : 0;
    if (worse <= 0 || state.random().unit() < std::exp(-worse / temperature_))
        current_ = to;
}

} // namespace kl::inline spaces
