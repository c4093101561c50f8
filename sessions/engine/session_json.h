// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/engine/session_view.h"

namespace kl {

/// The `gate` part of the `session …` answer: {id, result, requirement, progress, checks[]}, with title, rule and verdict after them.
Json gateToJson(const GateView& gate);

/// The exit code of a step that led here: 0 where the session can go on, 1 where a failed gate blocks it, 3 where the gate that
/// blocks could give no verdict. A change that was reverted after its gate failed leads on: 0.
int exitCodeOf(const SessionView& view);

} // namespace kl
