// SPDX-License-Identifier: MIT
#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>

namespace kl::inline stats {

double computeQuantile(std::vector<double> values, double probability)
{
    if (values.empty())
        return 0;
    const double at = std::clamp(probability, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const double below = std::floor(at);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), place, values.end()); // in a fraction of the time of sorting
    const double above = place + 1 == values.end() ? *place : *std::min_element(place + 1, values.end());
    return *place + (at - below) * (above - *place);
}

double computeMedian(std::vector<double> values)
{
    return computeQuantile(std::move(values), 0.5);
}

double relativeNoise(const Summary& summary)
{
    return summary.median > 0 ? (summary.high - summary.low) / summary.median : 0;
}

} // namespace kl::inline stats
