// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline session {

/// A question of the document stage, after phase 5 of the learning-loop document of October 2025.
struct DocumentQuestion {
    std::string_view id;    ///< "root-cause", "worked", "failed", "expert", "next"
    std::string_view title; ///< "Root cause"
    std::string_view text;  ///< "What was the root cause?"
};
inline constexpr DocumentQuestion kDocumentQuestions[] = {
    {"root-cause", "Root cause", "What was the root cause?"},
    {"worked", "What worked", "Which fix worked, and what else went well?"},
    {"failed", "What failed", "What did not work?"},
    {"expert", "What an expert would have done", "What would an expert have done differently?"},
    {"next", "Next session", "What should the next session do first?"},
};

/// Null for any other id.
const DocumentQuestion* documentQuestion(std::string_view id);

/// One answer: the engineer's own, or a draft from the session's events.
struct DocumentAnswer {
    const DocumentQuestion* question = nullptr;
    std::string text; ///< may be empty: the events say nothing
    bool drafted = true;
};

/// The document of a session, one answer per question.
std::vector<DocumentAnswer> composeDocument(const SessionView& view);

/// The text that the events give for one question; empty where they say nothing.
std::string draftAnswer(const SessionView& view, std::string_view question);

/// One of the five parts of applying a fix, with the minutes that the October 2025 guide plans and those between the events.
struct FixPart {
    std::string_view id; ///< "edit", "rebuild", "test", "measure", "verify"
    std::string_view title;
    double planned = 0;
    std::optional<double> minutes; ///< unset while it has not ended
};

/// The parts of the newest fix. Edit: from its choice to the end of the candidate's first check, less its build and its run; rebuild: its
/// build, where the session made it apart from the run; test: that run; measure: from then to the evaluation; verify: to the decision. On
/// recorded data nothing is built or run: the time is all in edit. Empty before a fix was chosen.
std::vector<FixPart> fixParts(const SessionView& view);

/// The parts that have ended, on one line: "edit 12 min, rebuild 3 s, test 40 s"; empty before the first.
std::string fixPartsText(const SessionView& view);

} // namespace kl::inline session
