// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"
#include "sessions/session/session_action.h"

namespace kl::cli {

// Commands of `kloop session`.
Runner addSessionNew(CLI::App& app);
Runner addSessionList(CLI::App& app);
Runner addSessionKinds(CLI::App& app);
Runner addSessionBatch(CLI::App& app);
Runner addSessionShow(CLI::App& app);
Runner addSessionGate(CLI::App& app);
Runner addSessionDiff(CLI::App& app);
Runner addSessionResume(CLI::App& app);
Runner addSessionStep(CLI::App& app);
Runner addSessionFix(CLI::App& app);
Runner addSessionAct(CLI::App& app);
Runner addSessionWaive(CLI::App& app);
Runner addSessionPlan(CLI::App& app);
Runner addSessionChecklist(CLI::App& app);
Runner addSessionCompare(CLI::App& app);
Runner addSessionWrite(CLI::App& app);
Runner addSessionNote(CLI::App& app);
Runner addSessionPattern(CLI::App& app);
Runner addSessionClaim(CLI::App& app);
Runner addSessionOptionSwitch(CLI::App& app);
Runner addSessionRename(CLI::App& app);
Runner addSessionDelete(CLI::App& app);
Runner addSessionTag(CLI::App& app, bool on); ///< off: takes tags away

/// A command that does an action.
Runner addSessionAction(CLI::App& app, SessionAction action);

} // namespace kl::cli
