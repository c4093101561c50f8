// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Something the user should look at, with the place to look.
struct Alert {
    std::string code;    ///< "over-budget", "over-cost", "near-cost", "regression"
    std::string text;    ///< one sentence with the figures
    std::string subject; ///< "session:ID" or "run:ID"
    std::string command; ///< what to type; empty when there is nothing to type

    bool operator==(const Alert&) const = default;
};

/// A slow-down found in a series.
struct Regression {
    double level = 0;  ///< robust level before: the median
    double limit = 0;  ///< what the last two points exceed
    double change = 0; ///< smaller of the last two / level − 1
};

/// Points needed before the last two: fewer never raise an alarm.
inline constexpr std::size_t kRegressionPoints = 10;

/// Whether the last two points lie above the level of the points before by more than max(1 %, 3 robust sigma, 1.4826 × MAD;
/// both points, so that a single slow run is no alarm). Nothing when they do not, or with fewer than kRegressionPoints
/// points before them.
std::optional<Regression> findRegression(const std::vector<double>& series);

/// Slow-downs between runs of the same kernel, problem and device: live, right, timed ones. A series starts anew after the
/// setting "new-normal:KERNEL|PROBLEM|DEVICE", which holds the time from which on the present level counts as normal.
Result<std::vector<Alert>> regressionAlerts(const Store& store);

} // namespace kl
