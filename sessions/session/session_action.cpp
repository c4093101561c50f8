// SPDX-License-Identifier: MIT
#include "sessions/session/session_action.h"

#include <algorithm>
#include <array>

namespace kl::inline session {
namespace {

constexpr std::array kWords{
    std::pair{SessionAction::checkEnvironment, "check-environment"},
    std::pair{SessionAction::validateBuild, "validate-build"},
    std::pair{SessionAction::verifySmallest, "verify-smallest"},
    std::pair{SessionAction::verifyStart, "verify-start"},
    std::pair{SessionAction::measureBaseline, "measure-baseline"},
    std::pair{SessionAction::profile, "profile"},
    std::pair{SessionAction::hypothesis, "hypothesis"},
    std::pair{SessionAction::instrument, "instrument"},
    std::pair{SessionAction::findFailing, "find-failing"},
    std::pair{SessionAction::analyze, "analyse"}, // as sessions of earlier versions have stored it
    std::pair{SessionAction::chooseFix, "choose-fix"},
    std::pair{SessionAction::takeEdit, "take-edit"},
    std::pair{SessionAction::verifyMinimal, "verify-minimal"},
    std::pair{SessionAction::verifySuite, "verify-suite"},
    std::pair{SessionAction::checkMemory, "check-memory"},
    std::pair{SessionAction::evaluate, "evaluate"},
    std::pair{SessionAction::park, "park"},
    std::pair{SessionAction::sanitize, "sanitize"},
    std::pair{SessionAction::repeat, "repeat"},
    std::pair{SessionAction::keep, "keep"},
    std::pair{SessionAction::revert, "revert"},
    std::pair{SessionAction::undo, "undo"},
    std::pair{SessionAction::bisect, "bisect"},
    std::pair{SessionAction::document, "document"},
    std::pair{SessionAction::finish, "finish"},
    std::pair{SessionAction::waive, "waive"},
};

} // namespace

const char* toString(SessionAction action)
{
    return std::ranges::find(kWords, action, &std::pair<SessionAction, const char*>::first)->second;
}

std::optional<SessionAction> parseAction(std::string_view word)
{
    const auto found = std::ranges::find_if(kWords, [word](const auto& row) { return row.second == word; });
    return found == kWords.end() ? std::nullopt : std::optional(found->first);
}

NextStep makeActionStep(SessionAction action, const std::string& argument)
{
    NextStep step{StepId::actInSession, {{StepArgument::action, toString(action)}}};
    step.set(StepArgument::argument, argument);
    return step;
}

} // namespace kl::inline session
