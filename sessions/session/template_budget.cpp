// SPDX-License-Identifier: MIT
#include "sessions/session/template_budget.h"

#include "core/base/try.h"
#include "core/codec/json_read.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline session {
namespace {

constexpr double kMostMinutes = 7 * 24 * 60;

} // namespace

Result<std::string> withBudget(const std::string& templateJson, double minutes)
{
    KL_ASSIGN(Json plan, parseJson(templateJson, "session template"));
    const double whole = numberAt(plan, "budget_minutes").value_or(0);
    double least = whole; // of a stage
    for (const Json& phase : plan["phases"])
        least = std::min(least, numberAt(phase, "budget_minutes").value_or(whole));
    const double smallest = least > 0 ? std::ceil(whole / least) : 1;
    if (!std::isfinite(minutes) || minutes < smallest || minutes > kMostMinutes)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("A budget of {} min is not possible for this kind of session.", minutes),
                     .hint = fmt::format("Give {} to {} minutes: each stage needs at least one.", smallest, kMostMinutes),
                     .where = "budget"};
    // Rounded to tenths of a minute, downward, so that the stages never exceed the whole.
    for (Json& phase : plan["phases"])
        phase["budget_minutes"] = std::floor(numberAt(phase, "budget_minutes").value_or(whole) * minutes / whole * 10) / 10;
    plan["budget_minutes"] = minutes;
    return encode(plan);
}

} // namespace kl::inline session
