// SPDX-License-Identifier: MIT
#include "core/search/tpe.h"

#include <algorithm>
#include <cmath>

namespace kl::inline spaces {

std::optional<PointIndex> Tpe::pick(SearchState& state)
{
    if (const std::optional<PointIndex> start = starts_.pick(state))
        return start;
    if (state.givenCount() < LatinHypercube::kCubePoints || state.elite().empty())
        return cube_.pick(state);
    refit(state);
    std::optional<PointIndex> best;
    double most = 0;
    for (std::size_t i = 0; i < kCandidates; ++i) {
        const PointIndex candidate = drawCandidate(state);
        double ratio = 0;
        for (std::size_t axis = 0; axis < good_.size(); ++axis)
            ratio += std::log(good_[axis][state.space().place(candidate, axis)] / others_[axis][state.space().place(candidate, axis)]);
        if (!best || ratio > most) {
            best = candidate;
            most = ratio;
        }
    }
    return best;
}

/// Every trial spreads its weight over its own place and the two beside it, on top of one uniform trial, the prior.
Tpe::Densities Tpe::estimateDensities(const TuningSpace& space, const std::vector<PointIndex>& points)
{
    Densities densities;
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        const std::size_t places = space.axes()[axis].values.size();
        std::vector<double> density(places, 1.0 / static_cast<double>(places));
        for (const PointIndex point : points) {
            const std::size_t at = space.place(point, axis);
            const double beside = places > 2 ? 0.2 : 0; // two values have no order
            density[at] += 1 - 2 * beside;
            density[at == 0 ? 0 : at - 1] += beside;
            density[std::min(at + 1, places - 1)] += beside;
        }
        for (double& share : density)
            share /= static_cast<double>(points.size() + 1);
        densities.push_back(std::move(density));
    }
    return densities;
}

void Tpe::refit(const SearchState& state)
{
    if (fitted_ == state.trials().size())
        return;
    fitted_ = state.trials().size();
    std::vector<Trial> sorted = state.trials();
    std::ranges::stable_sort(sorted, {}, [&](const Trial& trial) { return state.valueOrWorst(trial); });
    const std::size_t good = std::min(kMostGood, (sorted.size() + 9) / 10);
    std::vector<PointIndex> points;
    for (const Trial& trial : sorted)
        points.push_back(trial.point);
    const auto middle = points.begin() + static_cast<std::ptrdiff_t>(good);
    good_ = estimateDensities(state.space(), {points.begin(), middle});
    others_ = estimateDensities(state.space(), {middle, points.end()});
}

/// From the density of the good trials; a random point when a few draws are not valid or known.
PointIndex Tpe::drawCandidate(SearchState& state) const
{
    AxisPlaces places(good_.size());
    for (int tries = 0; tries < 20; ++tries) {
        for (std::size_t axis = 0; axis < places.size(); ++axis) {
            double rest = state.random().unit();
            std::size_t place = 0;
            while (place + 1 < good_[axis].size() && rest >= good_[axis][place])
                rest -= good_[axis][place++];
            places[axis] = static_cast<std::uint16_t>(place);
        }
        if (const std::optional<PointIndex> found = state.space().find(places); found && !state.isGiven(*found))
            return *found;
    }
    return state.randomPoint();
}

} // namespace kl::inline spaces
