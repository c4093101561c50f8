// SPDX-License-Identifier: MIT
#include "core/search/vndx.h"

#include <algorithm>
#include <cmath>

namespace kl::inline spaces {

std::optional<PointIndex> Vndx::pick(SearchState& state)
{
    if (!current_ || rejected_ >= kPatience) {
        const std::optional<PointIndex> start = starts_.pick(state);
        proposals_.push_back({start ? *start : state.randomPoint(), kNeighborhoods});
        rejected_ = 0;
        return proposals_.back().point;
    }
    const Neighborhood neighborhood = state.random().unit() < weights_[box] ? box : oneAxis;
    fillPool(state, neighborhood);
    const auto predicted = [&](PointIndex point) { return predict(state, point); };
    proposals_.push_back({*std::ranges::min_element(pool_, {}, predicted), neighborhood});
    return proposals_.back().point;
}

/// Half of it neighbors of the current point, one crossover, the rest random.
void Vndx::fillPool(SearchState& state, Neighborhood neighborhood)
{
    pool_.clear();
    if (neighborhood == oneAxis) {
        state.space().neighbors(current_->point, neighbors_);
        state.random().shuffle(neighbors_);
        for (std::size_t i = 0; i < neighbors_.size() && pool_.size() < kPool / 2; ++i)
            addToPool(state, neighbors_[i]);
    } else {
        for (std::size_t tries = 0; tries < 4 * kPool && pool_.size() < kPool / 2; ++tries)
            if (const std::optional<PointIndex> neighbor = state.boxNeighbor(current_->point))
                addToPool(state, *neighbor);
    }
    if (const std::vector<Trial>& elite = state.elite(); elite.size() >= 2) {
        const std::size_t a = state.random().below(elite.size());
        const std::size_t b = (a + 1 + state.random().below(elite.size() - 1)) % elite.size();
        AxisPlaces child = state.space().places(elite[a].point);
        for (std::size_t axis = 0; axis < child.size(); ++axis)
            if (state.random().below(2) == 0)
                child[axis] = state.space().place(elite[b].point, axis);
        if (const std::optional<PointIndex> found = state.space().find(child))
            addToPool(state, *found);
    }
    const std::size_t missing = kPool - pool_.size();
    for (std::size_t i = 0; i < missing; ++i)
        addToPool(state, state.randomPoint());
}

void Vndx::addToPool(const SearchState& state, PointIndex point)
{
    if (!state.isGiven(point) && std::ranges::find(pool_, point) == pool_.end())
        pool_.push_back(point);
}

/// Mean of the nearest measured points; those at the largest distance that counts share what is left of kNearest.
double Vndx::predict(const SearchState& state, PointIndex point)
{
    struct Ring {
        double sum = 0;
        double count = 0;
    };
    std::array<Ring, 32> rings{};
    for (const Trial& trial : state.trials()) {
        Ring& ring = rings[static_cast<std::size_t>(std::min(state.space().distance(point, trial.point), 31))];
        ring.sum += state.valueOrWorst(trial);
        ring.count += 1;
    }
    double sum = 0;
    double count = 0;
    for (const Ring& ring : rings) {
        if (ring.count == 0)
            continue;
        const double used = std::min(ring.count, static_cast<double>(kNearest) - count);
        sum += ring.sum / ring.count * used;
        count += used;
        if (count >= static_cast<double>(kNearest))
            break;
    }
    return count == 0 ? 0 : sum / count;
}

bool Vndx::accepts(SearchState& state, double value)
{
    if (!current_->value || value < *current_->value)
        return true;
    const double worse = (value - *current_->value) / *current_->value;
    return state.random().unit() < std::exp(-worse / std::max(temperature_, 1e-8));
}

void Vndx::learn(SearchState& state, const Trial& trial)
{
    if (proposals_.empty() || proposals_.front().point != trial.point) { // another's: only a better one matters
        if (trial.value && (!current_ || !current_->value || *trial.value < *current_->value))
            current_ = trial;
        return;
    }
    const Neighborhood used = proposals_.front().used;
    proposals_.pop_front();
    if (used == kNeighborhoods) {
        current_ = trial;
        temperature_ = kFirstTemperature;
        return;
    }
    const bool accepted = trial.value && accepts(state, *trial.value);
    weights_[used] *= accepted ? 1.1 : 0.9;
    const double sum = weights_[box] + weights_[oneAxis];
    weights_ = {weights_[box] / sum, weights_[oneAxis] / sum};
    temperature_ *= kCooling;
    rejected_ = accepted ? 0 : rejected_ + 1;
    if (accepted)
        current_ = trial;
}

} // namespace kl::inline spaces
