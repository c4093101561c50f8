// SPDX-License-Identifier: MIT
#include "core/search/point_features.h"

#include <algorithm>
#include <cmath>

namespace kl::inline spaces {
namespace {

constexpr std::size_t kCodes = 256;

/// The largest value of each code: the distinct values, or where there are more, quantiles of them.
std::vector<double> codeLimits(std::vector<double> values)
{
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() <= kCodes)
        return values;
    std::vector<double> limits;
    for (std::size_t i = 1; i <= kCodes; ++i)
        limits.push_back(values[i * values.size() / kCodes - 1]);
    return limits;
}

} // namespace

PointFeatures::PointFeatures(const TuningSpace& space, const std::vector<FeatureColumn>& known)
{
    std::vector<std::vector<double>> columns;
    std::vector<std::size_t> positive;
    const std::vector<TuningAxis>& axes = space.axes();
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis].values.size() < 2)
            continue;
        std::vector<double> column(space.size());
        for (PointIndex p = 0; p < space.size(); ++p)
            column[p] = space.place(p, axis);
        columns.push_back(std::move(column));
        if (!axes[axis].numbers.empty() && std::ranges::min(axes[axis].numbers) > 0)
            positive.push_back(axis);
    }
    const auto product = [&](const std::vector<std::size_t>& factors) {
        std::vector<double> column(space.size(), 1);
        for (PointIndex p = 0; p < space.size(); ++p)
            for (const std::size_t axis : factors)
                column[p] *= axes[axis].numbers[space.place(p, axis)];
        return column;
    };
    for (std::size_t i = 0; i < positive.size(); ++i)
        for (std::size_t j = i + 1; j < positive.size(); ++j)
            columns.push_back(product({positive[i], positive[j]}));
    if (positive.size() > 2)
        columns.push_back(product(positive));
    for (const FeatureColumn& column : known)
        columns.push_back(column.values);

    count_ = columns.size();
    codes_.resize(space.size() * count_);
    for (std::size_t f = 0; f < count_; ++f) {
        const std::vector<double> limits = codeLimits(columns[f]);
        for (std::size_t p = 0; p < space.size(); ++p)
            codes_[p * count_ + f] = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(
                std::ranges::lower_bound(limits, columns[f][p]) - limits.begin(), static_cast<std::ptrdiff_t>(limits.size()) - 1));
    }
}

} // namespace kl::inline spaces
