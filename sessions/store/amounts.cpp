// SPDX-License-Identifier: MIT
#include "sessions/store/amounts.h"

#include "core/base/format.h"

#include <fmt/format.h>

namespace kl::inline store {

Status checkAmounts(const std::optional<double>& minutes, const std::optional<double>& dollars, const std::string& where)
{
    const auto fits = [](const std::optional<double>& value, double most) { return !value || (*value >= 0 && *value <= most); };
    if (fits(minutes, kMostMinutes) && fits(dollars, kMostDollars))
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message =
                     fmt::format("{} is out of range.", fits(minutes, kMostMinutes) ? "The amount in dollars" : "The number of minutes"),
                 .hint = fmt::format("Minutes: 0 to {:.0f}. Dollars: 0 to {}.", kMostMinutes, formatMoney(kMostDollars)),
                 .where = where};
}

} // namespace kl::inline store
