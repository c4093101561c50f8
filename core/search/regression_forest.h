// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/point_features.h"
#include "core/search/random_source.h"

namespace kl::inline spaces {

struct ForestOptions {
    int trees = 20;
    std::size_t minLeaf = 2;   ///< points of a leaf
    double features = 5.0 / 6; ///< share of the features that a split chooses from
    bool bootstrap = true;     ///< each tree from its own sample with replacement
};

/// A prediction with the spread of the trees.
struct ForestPrediction {
    double mean = 0;
    double deviation = 0;
};

/// A random forest for regression (Breiman, Random Forests, 2001) over coded features; the same from the same random numbers.
class RegressionForest {
public:
    /// `values`: one per point of `points`. Precondition: at least one point.
    RegressionForest(const PointFeatures& features, const std::vector<PointIndex>& points, const std::vector<double>& values,
                     const ForestOptions& options, RandomSource& random);

    ForestPrediction predict(const PointFeatures& features, PointIndex point) const;

private:
    struct Node {
        std::uint32_t right = 0; ///< its left child follows it
        std::uint16_t feature = 0;
        std::uint8_t most = 0; ///< codes up to this one go left
        bool leaf = true;
        float value = 0;
    };
    class Grower;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> roots_;
};

} // namespace kl::inline spaces
