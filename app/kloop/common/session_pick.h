// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "sessions/session/session_view.h"

namespace kl::cli {

/// Which session a verb means.
enum class Pick {
    open,  ///< the latest open one where none is named
    latest ///< the latest one, done or not: for looking
};

/// The session of that name or id (empty: as `pick` says), with the device chosen that it was opened on: one begun on the sample goes on
/// there. Error notComparable when --on says another device than the session's.
Result<SessionHeader> pickSession(Program& program, const std::string& session, Pick pick);

/// The `session …` answer as JSON: sessionToJson; of a finished session, what can be done afterwards as well.
Json composeAnswer(Program& program, const SessionView& view);

/// A row of `next`: a possible step that is not an action of a session.
Json offerToJson(const char* action, const std::string& title, const NextStep& step);

/// Opening a session, with what the caller has to fill in as inputs; `kernel` as it is known, or empty.
Json newSessionOffer(Program& program, const std::string& kernel, bool sample);

/// What comes with an error of a session command: the session's state, and the actions allowed in it.
Json besideError(const SessionView& view);

/// The error with its steps naming the session: without one, they would mean the latest one that is open.
Error errorIn(Error error, Program& program, const SessionHeader& header);

/// Prints a session's answer and tells the exit code: chooseExitCode(view) where the action is judged, else 0.
int answerWith(Program& program, const SessionView& view, bool judged);

} // namespace kl::cli
