// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_model.h"

#include <string>

namespace kl::inline session {

/// "kept", "reverted", "nothing to fix" (a valid finding without a variant for it, or no size that fails), "baseline measured" (of a kind
/// that needs no more) or "abandoned".
std::string nameOutcome(const SessionModel& model);

/// Hypotheses, observations and conclusions, in a few lines of plain text from the session's figures.
std::string composeRetrospective(const SessionModel& model);

} // namespace kl::inline session
