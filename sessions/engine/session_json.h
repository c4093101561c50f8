// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/engine/session_view.h"

namespace kl {

/// The `gate` part of the `session …` answer: {id, result, requirement, progress, checks[]}, with title, rule and verdict after them.
Json gateToJson(const GateView& gate);

} // namespace kl
