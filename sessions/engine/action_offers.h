// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_model.h"

#include <string>
#include <vector>

namespace kl::inline engine {

/// What the session says to each action of its kind, to each fix of its finding, and to an edit and a search in place of one: whether it
/// may still come to it, whether it can be taken now, and else the refusal of checkActionAllowed() or candidateAllowed(), in whose words
/// the action itself would fail. All that a window has controls for follows from it. `location`: of the database, for the steps.
std::vector<ActionOffer> listOffers(const SessionModel& model, const std::string& location);

} // namespace kl::inline engine
