// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/point_features.h"
#include "core/search/random_source.h"

namespace kl::inline spaces {

/// The space that a strategy searches, with what is known of it before anything is measured. Shared by any number of strategies.
struct SearchSetting {
    explicit SearchSetting(TuningSpace points, const std::vector<FeatureColumn>& known = {})
        : space(std::move(points)), features(space, known)
    {
    }
    TuningSpace space;
    PointFeatures features;
    std::vector<PointIndex> start; ///< points worth measuring first: the default, the best of an earlier search
};

/// A measured point.
struct Trial {
    PointIndex point = 0;
    std::optional<double> value; ///< a time, above 0: less is better; unset when it failed
};

/// What a search knows: which points it has proposed, and the answers.
class SearchState {
public:
    SearchState(const SearchSetting& setting, std::uint64_t seed);

    const TuningSpace& space() const { return setting_.space; }
    const SearchSetting& setting() const { return setting_; }
    RandomSource& random() { return random_; }

    bool isGiven(PointIndex point) const { return given_[point]; }
    std::size_t givenCount() const { return givenCount_; }
    bool allGiven() const { return givenCount_ == given_.size(); }
    /// In the order of proposals.
    const std::vector<Trial>& trials() const { return trials_; }
    /// Of a point with an answer that did not fail.
    std::optional<double> findValue(PointIndex point) const;
    bool isAnswered(PointIndex point) const { return trialOf_[point] != 0; }
    /// The slowest time so far, which a failed point counts as; 1 when there is none.
    double worst() const { return worst_; }
    double valueOrWorst(const Trial& trial) const { return trial.value.value_or(worst_); }
    /// The best trials so far, best first, at most kElite.
    const std::vector<Trial>& elite() const { return elite_; }
    static constexpr std::size_t kElite = 5;

    /// Uniform among the points that were not proposed. Precondition: !allGiven().
    PointIndex randomPoint();
    /// A random point with every axis at most one place away. Unset: the combination is not valid, or it is the point itself.
    std::optional<PointIndex> boxNeighbor(PointIndex point);

    /// Precondition: it was not given.
    void give(PointIndex point);
    void answer(const Trial& trial);

private:
    const SearchSetting& setting_;
    RandomSource random_;
    std::vector<bool> given_;
    std::size_t givenCount_ = 0;
    std::vector<Trial> trials_;
    std::vector<std::uint32_t> trialOf_; ///< by point: index into trials_ + 1
    std::vector<Trial> elite_;
    double worst_ = 1;
    std::vector<PointIndex> left_; ///< points not given, and some that were, which randomPoint() drops as it meets them
};

} // namespace kl::inline spaces
