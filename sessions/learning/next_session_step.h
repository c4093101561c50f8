// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/roadmap.h"
#include "sessions/session/session_view.h"

namespace kl::inline learning {

/// Puts a session's answer to "what should the next session do first?" on the roadmap, in the first week that has a step to come, else the
/// last one. A step that the roadmap has already is left as it is. Errors: badInput when the answer is empty; the roadmap's.
Result<RoadmapStep> planNextSession(Store& store, const SessionView& view);

/// The step of the roadmap that has that answer as its title; unset without one.
std::optional<RoadmapStep> nextStepIn(const Roadmap& roadmap, const SessionView& view);

} // namespace kl::inline learning
