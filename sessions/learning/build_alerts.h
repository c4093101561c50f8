// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/format.h"
#include "sessions/learning/alerts.h"
#include "sessions/learning/session_trace.h"

#include <optional>

namespace kl::inline learning {

/// "NEVER: spend more than 30 min debugging a build without checking git history": session N+1 in the learning-loop document.
inline constexpr double kHistoryAfterMinutes = 30;
/// The time-out of the same session: stop after 60 min.
inline constexpr double kStopAfterMinutes = 60;

/// Attempts to build or correct the user's own source that all failed so far.
struct FailingAttempts {
    int attempts = 0;
    double minutes = 0;         ///< working time since the first of them
    bool historyLooked = false; ///< the git history was looked at since then: a bisect, or a tick of the checklist

    bool operator==(const FailingAttempts&) const = default;
};

/// Of an open session, up to its last event, with the time to `now` unless that is a pause. An attempt is a build, or a check of an edited
/// kernel; a success, a revert or a kept change ends them. Unset without a failed attempt. `idleMinutes`: a longer time is a pause.
std::optional<FailingAttempts> findFailingAttempts(const SessionTrace& trace, TimePoint lastEvent, TimePoint now, double idleMinutes);

/// "build-history" after kHistoryAfterMinutes without a look at the history, whose step is to bisect; "build-time-out" after
/// kStopAfterMinutes, whose step is to document and end the session. None for a finished session. Errors: the store's.
Result<std::vector<Alert>> buildAlerts(const Store& store, const SessionTrace& trace, TimePoint now);

} // namespace kl::inline learning
