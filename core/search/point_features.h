// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/tuning_space.h"

namespace kl::inline spaces {

/// What is known of a point before it is measured, beside its tunables, e.g. registers per thread: a value per point.
struct FeatureColumn {
    std::string name;
    std::vector<double> values;
};

/// What a model learns from: every tunable; the product of every two tunables whose values are positive numbers, and that of all of them,
/// since a block's size is such a product; and the given columns. Each value is coded by its rank among the feature's values, in at most
/// 256 codes, which a tree cannot tell from the value itself.
class PointFeatures {
public:
    explicit PointFeatures(const TuningSpace& space, const std::vector<FeatureColumn>& known = {});

    std::size_t count() const { return count_; }
    std::size_t points() const { return count_ == 0 ? 0 : codes_.size() / count_; }
    /// The codes of a point's features, count() of them.
    const std::uint8_t* codes(PointIndex point) const { return &codes_[point * count_]; }

private:
    void add(const std::vector<double>& values);

    std::size_t count_ = 0;
    std::vector<std::uint8_t> codes_; ///< by point
};

} // namespace kl::inline spaces
