// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/fix_case.h"

#include <array>
#include <string>
#include <vector>

namespace kl::inline learning {

/// With fewer similar cases of a kind, the sentence names the tree as its source.
inline constexpr int kFewCases = 3;

/// The expected effect of a kind of change.
struct FixChance {
    std::string kind;
    double chance = 0;    ///< that it pays, 0 to 1; calibrated, or the tree's confidence where there is too little to calibrate by
    double gain = 0;      ///< expected ln(time before / time after)
    int cases = 0;        ///< measured changes of this kind, of the same class and alike: similarity 0.2 and more
    int kernels = 0;      ///< families of these cases
    bool learned = false; ///< at least kFewCases of them; otherwise the expectation is mostly the tree's

    double reduction() const; ///< expected runtime reduction, 0 to 1
};

/// Expects of a change the tree's estimate times the part of such estimates that this kind of change has realized, and turns that into a
/// chance. What was measured of the very same kernel and problem is not evidence about it. Every figure can be reproduced with a pocket
/// calculator:
///
///   similarity  w = exp(-d^2 / 2) of the same class, 0.1 of another, and never less: what a kind gave elsewhere says a little.
///               d: root mean square difference of the features that both states have (four at least), in standard deviations of the
///               training states.
///   promise     L of computePromise(): the estimate of the finding that names the kind, else of the first finding.
///   realized    part = (2 t + sum w part_i) / (2 + sum w): the mean of the similar cases' gain / L, each within -1 and 2, shrunk towards
///               the tree's confidence t in this kind (0.05 where it does not name it). Cases of one family count as the root of their
///               number: sizes of one kernel say little more than one of them.
///   expected    g = part x L
///   chance      logistic(a + b ln(g / ln 1.2) + c), c only for kinds that the tree names; b at least 0.25. Fitted, ridge 1 towards b = 1
///   and
///               c = 0, to what the model, trained without the family of a case, expected of that case.
///   gain        ln 1.2 + g - e from e on, g ln 1.2 / e below, where e is the expectation whose chance is 50 %; g where it is not positive.
///               So a chance is above 50 % just where the gain is above what pays: the two cannot contradict each other. On the shipped
///               cases, each expected without its family, the mean error falls from 0.50 to 0.48, the bias from -0.38 to -0.25.
class FixModel {
public:
    /// Borrows nothing. With fewer than 20 measured changes, or of fewer than 4 families, chances are the tree's confidence.
    static FixModel makeTrained(std::vector<FixState> states);

    /// Every kind that the tree trusts at this state or that was measured anywhere, the largest expected gain first.
    std::vector<FixChance> rank(const FixState& state) const;
    FixChance estimateChance(const FixState& state, const std::string& kind) const;

    const std::vector<FixState>& states() const noexcept { return states_; }
    int cases() const noexcept;
    int ownCases() const noexcept;
    bool calibrated() const noexcept { return calibrated_; }

private:
    struct Scale {
        double mean = 0;
        double deviation = 1;
    };
    struct Expectation {
        double gain = 0;
        int cases = 0;
        int kernels = 0;
    };

    using Scales = std::vector<Scale>; ///< by feature

    explicit FixModel(std::vector<FixState> states);
    void calibrate();
    /// Of the states of every family but `except`; null: of all.
    Scales scalesWithout(const std::string* except) const;
    /// As a model expects that has not seen the family `except`: `scales` are scalesWithout() it.
    Expectation expectWithout(const std::string* except, const Scales& scales, const FixState& state, const std::string& kind) const;

    std::vector<FixState> states_;
    Scales scales_;
    bool calibrated_ = false;
    std::array<double, 3> curve_{0, 1, 0}; ///< a, b, c
};

} // namespace kl::inline learning
