// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/format.h"
#include "sessions/session/session_view.h"

#include <optional>

namespace kl::inline session {

/// "Update every 2-3 minutes during active work": pattern 11, communication cadence, of the October 2025 documents.
inline constexpr double kLogDueMinutes = 3;
/// From here on nobody is working: the pause is nobody's silence.
inline constexpr double kLogIdleMinutes = 120;

/// Minutes since the last entry of an open session's log, where a new one is due: more than kLogDueMinutes, and no pause. Unset otherwise.
std::optional<double> logDueSince(const SessionView& view, TimePoint now);

} // namespace kl::inline session
