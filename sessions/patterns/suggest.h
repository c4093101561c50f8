// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/session/session_view.h"

#include <string>
#include <vector>

namespace kl::inline patterns {

/// A pattern worth applying now, with the reason.
struct Suggestion {
    std::string slug;
    std::string why;      ///< "a session starts", "the speedup is 0.25×", "the finding is bank conflicts", "the stage \"One fix\""
    bool applied = false; ///< in this session already
    std::vector<NextStep> next = {}; ///< applies it in the session, where it is open and has not; then shows it

    bool operator==(const Suggestion&) const = default;
};

/// Patterns for the current state of a session, each once, the method's own order first: by its phase (the template's list, session start
/// at its start), by a build that failed or an incorrect result, by a speedup below 1 before the profile, by the finding's class after it,
/// by a kept change. `patterns`: all of the store; those of kind "own" are suggested on the occasion that they name.
std::vector<Suggestion> suggestionsFor(const PatternLibrary& library, const std::vector<Pattern>& patterns, const SessionView& view);

/// Patterns for an occasion (see occasions()) outside of a session; `classId` counts for "finding" only.
std::vector<Suggestion> suggestionsOn(const PatternLibrary& library, const std::vector<Pattern>& patterns, const std::string& when,
                                      const std::string& classId = {});

/// The patterns that a kind of session lists for a phase. Errors: badInput for an unknown kind; notFound names the phases.
Result<std::vector<Suggestion>> suggestionsInPhase(const PatternLibrary& library, const std::vector<Pattern>& patterns,
                                                   const std::string& kind, const std::string& phase);

} // namespace kl::inline patterns
