// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/base/result.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// A notice for the user, with its subject.
struct Alert {
    std::string code;    ///< "over-budget", "over-cost", "near-cost", "regression"
    std::string text;    ///< one sentence with the figures
    std::string subject; ///< "session:ID" or "run:ID"
    std::optional<NextStep> next;

    bool operator==(const Alert&) const = default;
};

/// A slow-down found in a series.
struct Regression {
    double level = 0;  ///< robust level before: the median
    double limit = 0;  ///< threshold that the last two points exceed
    double change = 0; ///< smaller of the last two / level − 1
};

/// Points needed before the last two: fewer never raise an alarm.
inline constexpr std::size_t kRegressionPoints = 10;

/// Whether the last two points are above the level of the points before by more than max(1 %, 3 robust sigma, 1.4826 × MAD;
/// both points, so that a single slow run raises no alarm). Unset when they do not, or with fewer than kRegressionPoints
/// points before them.
std::optional<Regression> findRegression(const std::vector<double>& series);

/// Slow-downs between runs of the same kernel, problem and device: live, correct, timed ones. A series starts again after the
/// setting "new-normal:KERNEL|PROBLEM|DEVICE", which holds the time from which the current level counts as normal.
Result<std::vector<Alert>> regressionAlerts(const Store& store);

} // namespace kl
