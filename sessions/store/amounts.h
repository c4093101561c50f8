// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>

namespace kl::inline store {

/// The most that an entered amount can be; a figure beyond it is a slip of the keyboard. Two years of minutes.
inline constexpr double kMostMinutes = 1e6;
inline constexpr double kMostDollars = 1e9;
inline constexpr double kMostDollarsPerHour = 1e5;

/// Error badInput for minutes or dollars that are below 0, not finite or beyond the most; `where` names what they are of.
Status checkAmounts(const std::optional<double>& minutes, const std::optional<double>& dollars, const std::string& where);

} // namespace kl::inline store
