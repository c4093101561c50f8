// SPDX-License-Identifier: MIT
#include "sessions/search/tuner.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace kl {
namespace {

bool areNeighbors(const Params& a, const Params& b)
{
    int differences = 0;
    for (const auto& [name, value] : a) {
        const auto other = b.find(name);
        differences += other == b.end() || other->second != value;
    }
    return differences == 1;
}

} // namespace

std::optional<TuneStrategy> strategyFrom(const std::string& word)
{
    if (word == "brute_force")
        return TuneStrategy::bruteForce;
    if (word == "random_sample")
        return TuneStrategy::random;
    if (word == "greedy_mls")
        return TuneStrategy::greedy;
    return {};
}

TuneOrder::TuneOrder(TuneStrategy strategy, std::uint64_t seed, std::vector<Params> points, const Params& start)
    : strategy_(strategy), points_(std::move(points)), order_(points_.size()), given_(points_.size(), false), times_(points_.size())
{
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (strategy_ == TuneStrategy::bruteForce)
        return;
    std::mt19937_64 random(seed);
    for (std::size_t i = order_.size(); i > 1; --i) // not std::shuffle: the same order from every standard library
        std::swap(order_[i - 1], order_[random() % i]);
    if (const auto found = std::ranges::find(points_, start); strategy_ == TuneStrategy::greedy && found != points_.end())
        std::rotate(order_.begin(), std::ranges::find(order_, static_cast<std::size_t>(found - points_.begin())), order_.end());
}

std::optional<std::size_t> TuneOrder::next()
{
    if (strategy_ == TuneStrategy::greedy && center_)
        if (const std::optional<std::size_t> neighbor = nextNeighbor())
            return neighbor;
    while (at_ < order_.size() && given_[order_[at_]])
        ++at_;
    if (at_ == order_.size())
        return {};
    const std::size_t index = order_[at_];
    given_[index] = true;
    if (strategy_ == TuneStrategy::greedy)
        center_ = index; // a start, the first or after a summit
    return index;
}

std::optional<std::size_t> TuneOrder::nextNeighbor()
{
    while (true) {
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (!given_[i] && areNeighbors(points_[*center_], points_[i])) {
                given_[i] = true;
                return i;
            }
        std::size_t best = *center_;
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (times_[i] && areNeighbors(points_[*center_], points_[i]) && (!times_[best] || *times_[i] < *times_[best]))
                best = i;
        if (best == *center_)
            return {}; // a summit
        center_ = best;
    }
}

void TuneOrder::tell(std::size_t index, std::optional<double> ns)
{
    times_[index] = ns;
}

} // namespace kl
