// SPDX-License-Identifier: MIT
#include "sessions/session/log_cadence.h"

#include <chrono>

namespace kl::inline session {

std::optional<double> logDueSince(const SessionView& view, TimePoint now)
{
    if (view.finished || view.events.empty())
        return {};
    const std::optional<TimePoint> last = parseIsoTime(view.events.back().at);
    if (!last)
        return {};
    const double minutes = std::chrono::duration<double, std::ratio<60>>(now - *last).count();
    return minutes > kLogDueMinutes && minutes <= kLogIdleMinutes ? std::optional(minutes) : std::nullopt;
}

} // namespace kl::inline session
