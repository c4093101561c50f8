// SPDX-License-Identifier: MIT
#include "core/search/regression_forest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace kl::inline spaces {

/// Grows one tree. Splits by the largest decrease of the squared error, found over a histogram of codes.
class RegressionForest::Grower {
public:
    Grower(const PointFeatures& features, const std::vector<PointIndex>& points, const std::vector<double>& values,
           const ForestOptions& options, RandomSource& random, std::vector<Node>& nodes)
        : features_(features), points_(points), values_(values), options_(options), random_(random), nodes_(nodes),
          tried_(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(options.features * static_cast<double>(features.count()))))),
          columns_(features.count())
    {
        std::iota(columns_.begin(), columns_.end(), std::uint16_t{0});
    }

    void grow()
    {
        samples_.resize(points_.size());
        for (std::size_t i = 0; i < samples_.size(); ++i)
            samples_[i] = static_cast<std::uint32_t>(options_.bootstrap ? random_.below(points_.size()) : i);
        split(0, samples_.size());
    }

private:
    struct Bin {
        double sum = 0;
        std::uint32_t count = 0;
    };
    struct Split {
        double gain = 0;
        std::uint16_t feature = 0;
        std::uint8_t most = 0;
    };

    std::uint8_t code(std::uint32_t sample, std::uint16_t feature) const { return features_.codes(points_[sample])[feature]; }

    void split(std::size_t begin, std::size_t end)
    {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += values_[samples_[i]];
        const std::size_t node = nodes_.size();
        nodes_.push_back({});
        nodes_[node].value = static_cast<float>(sum / static_cast<double>(end - begin));
        if (end - begin < 2 * options_.minLeaf)
            return;
        const Split best = findBestSplit(begin, end, sum);
        if (best.gain <= 1e-12)
            return;
        const auto middle =
            std::partition(samples_.begin() + static_cast<std::ptrdiff_t>(begin), samples_.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](std::uint32_t sample) { return code(sample, best.feature) <= best.most; });
        const auto at = static_cast<std::size_t>(middle - samples_.begin());
        split(begin, at);
        nodes_[node].leaf = false;
        nodes_[node].feature = best.feature;
        nodes_[node].most = best.most;
        nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
        split(at, end);
    }

    Split findBestSplit(std::size_t begin, std::size_t end, double sum)
    {
        Split best;
        const double all = static_cast<double>(end - begin);
        for (std::size_t tried = 0; tried < tried_ && tried < columns_.size(); ++tried) {
            std::swap(columns_[tried], columns_[tried + random_.below(columns_.size() - tried)]);
            const std::uint16_t feature = columns_[tried];
            std::uint8_t least = 255;
            std::uint8_t most = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint8_t at = code(samples_[i], feature);
                bins_[at].sum += values_[samples_[i]];
                ++bins_[at].count;
                least = std::min(least, at);
                most = std::max(most, at);
            }
            double left = 0;
            std::size_t count = 0;
            for (int at = least; at < most; ++at) {
                left += bins_[static_cast<std::size_t>(at)].sum;
                count += bins_[static_cast<std::size_t>(at)].count;
                if (bins_[static_cast<std::size_t>(at)].count == 0 || count < options_.minLeaf || end - begin - count < options_.minLeaf)
                    continue;
                const double n = static_cast<double>(count);
                const double gain = left * left / n + (sum - left) * (sum - left) / (all - n) - sum * sum / all;
                if (gain > best.gain)
                    best = {gain, feature, static_cast<std::uint8_t>(at)};
            }
            for (int at = least; at <= most; ++at)
                bins_[static_cast<std::size_t>(at)] = {};
        }
        return best;
    }

    const PointFeatures& features_;
    const std::vector<PointIndex>& points_;
    const std::vector<double>& values_;
    const ForestOptions& options_;
    RandomSource& random_;
    std::vector<Node>& nodes_;
    std::size_t tried_;
    std::vector<std::uint16_t> columns_;
    std::vector<std::uint32_t> samples_;
    std::array<Bin, 256> bins_{};
};

RegressionForest::RegressionForest(const PointFeatures& features, const std::vector<PointIndex>& points, const std::vector<double>& values,
                                   const ForestOptions& options, RandomSource& random)
{
    Grower grower(features, points, values, options, random, nodes_);
    for (int tree = 0; tree < options.trees; ++tree) {
        roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        grower.grow();
    }
}

ForestPrediction RegressionForest::predict(const PointFeatures& features, PointIndex point) const
{
    const std::uint8_t* codes = features.codes(point);
    double sum = 0;
    double squares = 0;
    for (const std::uint32_t root : roots_) {
        const Node* node = &nodes_[root];
        while (!node->leaf)
            node = codes[node->feature] <= node->most ? node + 1 : &nodes_[node->right];
        sum += node->value;
        squares += static_cast<double>(node->value) * node->value;
    }
    const double n = static_cast<double>(roots_.size());
    const double mean = sum / n;
    return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean))};
}

} // namespace kl::inline spaces
