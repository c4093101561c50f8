// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/program.h"

namespace kl {

/// Which session a verb means.
enum class Pick {
    open,  ///< the latest open one where none is named
    latest ///< the latest one, done or not: for looking
};

/// The session that --session names, with the device chosen that it was opened on: one begun on the sample goes on there.
/// Error notComparable when --on says another device than the session's.
Result<SessionHeader> pickSession(Program& program, const Options& options, Pick pick);

/// Prints a session's answer and tells the exit code: exitCodeOf(view) where the action is judged, else 0.
int answerWith(Program& program, const SessionView& view, bool judged);

} // namespace kl
