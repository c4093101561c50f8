// SPDX-License-Identifier: MIT
#include "core/search/latin_hypercube.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace kl::inline spaces {

std::vector<AxisPlaces> latinHypercube(const TuningSpace& space, std::size_t count, RandomSource& random)
{
    std::vector<AxisPlaces> cube(count, AxisPlaces(space.axes().size(), 0));
    std::vector<std::size_t> strata(count);
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        std::iota(strata.begin(), strata.end(), std::size_t{0});
        random.shuffle(strata);
        const std::size_t values = space.axes()[axis].values.size();
        for (std::size_t i = 0; i < count; ++i) {
            const double share = (static_cast<double>(strata[i]) + random.unit()) / static_cast<double>(count);
            cube[i][axis] = static_cast<std::uint16_t>(share * static_cast<double>(values));
        }
    }
    return cube;
}

std::optional<PointIndex> nearestPoint(const TuningSpace& space, const AxisPlaces& wanted, const std::function<bool(PointIndex)>& isFree)
{
    if (const std::optional<PointIndex> found = space.find(wanted); found && isFree(*found))
        return found;
    std::vector<std::vector<float>> steps(wanted.size()); // by axis and place
    for (std::size_t axis = 0; axis < wanted.size(); ++axis)
        for (std::size_t place = 0; place < space.axes()[axis].values.size(); ++place)
            steps[axis].push_back(std::abs(static_cast<float>(place) - static_cast<float>(wanted[axis])) /
                                  static_cast<float>(space.axes()[axis].values.size()));
    std::optional<PointIndex> nearest;
    float least = std::numeric_limits<float>::infinity();
    for (PointIndex point = 0; point < space.size(); ++point) {
        float distance = 0;
        for (std::size_t axis = 0; axis < wanted.size() && distance < least; ++axis)
            distance += steps[axis][space.place(point, axis)];
        if (distance < least && isFree(point)) {
            nearest = point;
            least = distance;
        }
    }
    return nearest;
}

} // namespace kl::inline spaces
