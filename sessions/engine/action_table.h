// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/evidence.h"
#include "sessions/store/rows.h"

#include <string>
#include <vector>

namespace kl::inline session {
struct SessionModel;
struct SessionTemplate;
} // namespace kl::inline session

namespace kl::inline engine {

class SessionActions;

/// One action of a session. A new one is a row here with its handler, and its word in session_action.cpp: the command line and the window
/// show it by themselves, where a suggestion (next_steps.cpp) names it.
struct ActionRow {
    SessionAction action;
    const char* verb;                                                 ///< `session VERB` of the command line; nullptr: only `session act`
    const char* title;                                                ///< what it does: "Keep the candidate"
    bool (*known)(const SessionTemplate& plan);                       ///< whether a kind of session has it
    std::vector<Evidence> needs;                                      ///< what has to be there before, in this order
    Status (*guard)(const SessionModel& model, SessionAction action); ///< the rules besides; nullptr: none
    /// Carries it out, once all of that allows it: measures where it has to, and returns the event that records it. The argument is that of
    /// NextAction; empty where there is none. nullptr for what is carried out by a function of SessionEngine.
    Result<SessionEvent> (SessionActions::*handler)(const std::string& argument);
};

/// All actions in the enumeration's order.
const std::vector<ActionRow>& actionTable();
const ActionRow& lookUpRow(SessionAction action);

} // namespace kl::inline engine
