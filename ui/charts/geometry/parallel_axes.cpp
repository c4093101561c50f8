// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/parallel_axes.h"

#include <algorithm>
#include <cmath>

namespace kl::ui {

double ParallelAxes::x(std::size_t axis) const
{
    return count < 2 ? (left + right) / 2 : left + (right - left) * static_cast<double>(axis) / static_cast<double>(count - 1);
}

double ParallelAxes::y(std::size_t place, std::size_t places) const
{
    return places < 2 ? (top + bottom) / 2 : bottom - (bottom - top) * static_cast<double>(place) / static_cast<double>(places - 1);
}

std::size_t ParallelAxes::axisAt(double at) const
{
    if (count < 2)
        return 0;
    const double share = (at - left) / (right - left) * static_cast<double>(count - 1);
    return static_cast<std::size_t>(std::clamp(std::lround(share), 0L, static_cast<long>(count - 1)));
}

std::pair<std::size_t, std::size_t> ParallelAxes::placesBetween(double from, double to, std::size_t places) const
{
    const auto [high, low] = std::minmax(from, to); // y grows downwards
    std::size_t nearest = 0;
    for (std::size_t place = 0; place < places; ++place)
        if (std::abs(y(place, places) - to) < std::abs(y(nearest, places) - to))
            nearest = place;
    std::size_t first = nearest, last = nearest;
    for (std::size_t place = 0; place < places; ++place)
        if (const double at = y(place, places); at >= high && at <= low) {
            first = std::min(first, place);
            last = std::max(last, place);
        }
    return {first, last};
}

} // namespace kl::ui
