// SPDX-License-Identifier: MIT
#include "core/search/forest_search.h"

#include <algorithm>
#include <cmath>

namespace kl::inline spaces {

std::optional<PointIndex> ForestSearch::pick(SearchState& state)
{
    if (const std::optional<PointIndex> start = starts_.pick(state))
        return start;
    if (state.givenCount() < kFirstPoints)
        return cube_.pick(state);
    if (state.elite().empty() || state.random().unit() < kRandomShare)
        return state.randomPoint();
    refit(state);
    collectCandidates(state);
    const auto findBound = [&](PointIndex point) { return computeBound(state, point); };
    return *std::ranges::min_element(candidates_, {}, findBound);
}

void ForestSearch::refit(SearchState& state)
{
    const std::vector<Trial>& trials = state.trials();
    const auto growth = static_cast<std::size_t>(kRefit * static_cast<double>(fitted_));
    if (forest_ && trials.size() < fitted_ + std::max<std::size_t>(1, growth))
        return;
    std::vector<PointIndex> points;
    std::vector<double> values;
    for (const Trial& trial : trials) {
        points.push_back(trial.point);
        values.push_back(std::log(state.valueOrWorst(trial)));
    }
    std::vector<double> sorted = values;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    for (double& value : values) // how slow the slower half is says nothing about the fastest points, but takes most of the splits
        value = std::min(value, *middle);
    forest_.emplace(state.setting().features, points, values, ForestOptions{}, state.random());
    fitted_ = trials.size();
    ++fits_;
    boundOf_.resize(state.space().size(), 0);
    bounds_.resize(state.space().size(), 0);
}

/// Points that were not proposed; never empty while one is left.
void ForestSearch::collectCandidates(SearchState& state)
{
    candidates_.clear();
    const auto add = [&](PointIndex point) {
        if (!state.isGiven(point))
            candidates_.push_back(point);
    };
    for (const Trial& trial : state.elite()) {
        state.space().neighbors(trial.point, neighbors_);
        std::ranges::for_each(neighbors_, add);
        for (std::size_t i = 0; i < kBoxNeighbors; ++i)
            if (const std::optional<PointIndex> neighbor = state.boxNeighbor(trial.point))
                add(*neighbor);
    }
    for (std::size_t i = 0; i < kRandomPoints; ++i)
        add(state.randomPoint());
}

/// Computed once per fit.
double ForestSearch::computeBound(const SearchState& state, PointIndex point)
{
    if (boundOf_[point] != fits_) {
        const ForestPrediction predicted = forest_->predict(state.setting().features, point);
        bounds_[point] = static_cast<float>(predicted.mean - kDeviations * predicted.deviation);
        boundOf_[point] = fits_;
    }
    return bounds_[point];
}

} // namespace kl::inline spaces
