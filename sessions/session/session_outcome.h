// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_model.h"

#include <string>

namespace kl {

/// "kept", "reverted", "nothing to fix" (a valid finding with no ready change, or no size that fails), "baseline measured" (of a kind
/// that asks for no more) or "abandoned".
std::string outcomeOf(const SessionModel& model);

/// What was believed, seen and learned, in a few lines of plain text from the session's figures.
std::string retrospectiveOf(const SessionModel& model);

} // namespace kl
