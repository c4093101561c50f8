// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <optional>
#include <string_view>

namespace kl::inline session {

/// What can be done in a session, in the method's order. The table in sessions/engine/action_table.cpp lists what each needs, which rules
/// guard it and what carries it out.
enum class SessionAction {
    checkEnvironment,
    validateBuild,
    verifySmallest,
    verifyStart,
    measureBaseline,
    profile,
    hypothesis,
    instrument,
    findFailing,
    analyze,
    chooseFix,
    takeEdit,
    verifyMinimal,
    verifySuite,
    checkMemory,
    evaluate,
    park,
    sanitize,
    repeat,
    keep,
    revert,
    undo,
    bisect, ///< searches the git history of the user's kernel for the commit that broke it
    document,
    finish,
    waive, ///< a gate, with a reason: SessionEngine::waive
};

/// The stable word of an action, as it appears in JSON, templates and stored events: "choose-fix".
const char* toString(SessionAction action);
/// Inverse of toString.
std::optional<SessionAction> parseAction(std::string_view word);

/// An action as a step that an error or a gate offers. Keep, revert and the like need no argument.
NextStep makeActionStep(SessionAction action, const std::string& argument = {});

} // namespace kl::inline session
