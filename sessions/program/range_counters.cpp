// SPDX-License-Identifier: MIT
#include "sessions/program/range_counters.h"

#include <algorithm>
#include <iterator>

namespace kl::inline program {
namespace {

bool isMean(const std::string& metric)
{
    return metric.find(".pct") != std::string::npos || metric.ends_with(".ratio");
}

bool isSum(const std::string& metric)
{
    return metric.ends_with(".sum");
}

/// Over all shapes; unset if one lacks it.
std::optional<double> combineValues(const std::string& metric, const std::vector<CountedShape>& shapes)
{
    double sum = 0, ns = 0;
    for (const CountedShape& shape : shapes) {
        const auto found = shape.metrics->values.find(metric);
        if (found == shape.metrics->values.end() || !found->second)
            return {};
        sum += *found->second * (isSum(metric) ? static_cast<double>(shape.launches) : shape.ns);
        ns += shape.ns;
    }
    return isSum(metric) ? sum : sum / ns;
}

} // namespace

std::optional<RangeCounters> countersTogether(const std::vector<CountedShape>& shapes, double rangeNs)
{
    std::vector<CountedShape> within;
    std::ranges::copy_if(shapes, std::back_inserter(within), [](const CountedShape& shape) { return shape.ns > 0; });
    if (within.empty() || !(rangeNs > 0))
        return {};
    RangeCounters counters;
    for (const CountedShape& shape : within)
        counters.covered += shape.ns / rangeNs;
    for (const auto& [metric, value] : within.front().metrics->values)
        if (isMean(metric) || isSum(metric))
            if (const std::optional<double> whole = combineValues(metric, within))
                counters.values[metric] = *whole;
    return counters;
}

} // namespace kl::inline program
