// SPDX-License-Identifier: MIT
#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>

namespace kl::inline stats {

double quantileOf(std::vector<double> values, double probability)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double at = std::clamp(probability, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

double medianOf(std::vector<double> values)
{
    return quantileOf(std::move(values), 0.5);
}

double relativeNoise(const Summary& summary)
{
    return summary.median > 0 ? (summary.high - summary.low) / summary.median : 0;
}

} // namespace kl::inline stats
