// SPDX-License-Identifier: MIT
#include "core/search/recorded_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace kl::inline spaces {
namespace {

double computeMedian(std::vector<double> sorted)
{
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

} // namespace

SearchSetting RecordedSpace::setting() const
{
    SearchSetting setting(space, known);
    setting.start = start;
    return setting;
}

void chargeUnknownCosts(std::vector<double>& costs)
{
    std::vector<double> known;
    std::ranges::copy_if(costs, std::back_inserter(known), [](double cost) { return cost > 0; });
    std::ranges::replace(costs, 0.0, known.empty() ? 1.0 : computeMedian(known));
}

RandomBaseline::RandomBaseline(const RecordedSpace& recorded) : ranks_(recorded.values.size(), 0)
{
    for (const std::optional<double>& value : recorded.values)
        if (value)
            values_.push_back(*value);
    std::ranges::sort(values_);
    for (std::size_t p = 0; p < ranks_.size(); ++p)
        if (recorded.values[p])
            ranks_[p] = static_cast<std::size_t>(std::ranges::lower_bound(values_, *recorded.values[p]) - values_.begin());
    medianCost_ = computeMedian(recorded.costs);
    costPerValid_ = std::accumulate(recorded.costs.begin(), recorded.costs.end(), 0.0) / static_cast<double>(values_.size());
}

double RandomBaseline::median() const
{
    return computeMedian(values_);
}

std::size_t RandomBaseline::rankAfter(std::size_t evaluations) const
{
    const double m = static_cast<double>(evaluations);
    const double n = static_cast<double>(values_.size());
    const auto fromWorst = static_cast<std::size_t>(std::lround(m * (n + 1) / (m + 1)));
    return values_.size() - 1 - std::min(fromWorst, values_.size() - 1);
}

double RandomBaseline::valueAt(double seconds) const
{
    return values_[rankAfter(static_cast<std::size_t>(std::max(1L, std::lround(seconds / costPerValid_))))];
}

std::size_t RandomBaseline::evaluationsTo(double share) const
{
    const double target = optimum() + (median() - optimum()) * (1 - share);
    const auto n = static_cast<double>(values_.size());
    const auto first = static_cast<double>(values_.end() - std::ranges::upper_bound(values_, target)); // from the worst
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(first / (n + 1 - first))));
}

} // namespace kl::inline spaces
