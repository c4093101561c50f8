// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/engine/session_engine.h"

#include <string>
#include <vector>

namespace kl::inline engine {

/// A gate of a session to come.
struct GatePreview {
    std::string id;
    std::string title;
    std::string rule; ///< one sentence
};

/// A stage of a session to come.
struct StagePreview {
    std::string id;
    std::string title;
    std::string purpose;
    double budgetMinutes = 0;
    std::vector<std::string> steps; ///< what is done and measured, in order: "Measure the kernel and its baseline"
    std::vector<GatePreview> gates;
};

/// An opening question with its answer, given or by default.
struct AnswerPreview {
    std::string id;
    std::string question;
    std::string answer;
};

/// What a session would do, were it opened: the same start, problem and plan that SessionEngine::create takes.
struct SessionPreview {
    std::string kind;
    std::string title; ///< of the kind
    Address start;
    Params problem;
    std::string device;
    double budgetMinutes = 0;
    std::vector<StagePreview> stages;
    std::vector<AnswerPreview> answers;
    std::vector<std::string> caveats; ///< what to know before it is opened, e.g. that a recording shows no fault
    std::string missing;              ///< what a recording lacks for it, one sentence; empty: it can be walked to its end
};

/// Errors: those of SessionEngine::create. Nothing is stored. On a recording it looks up what the stages will ask for.
Result<SessionPreview> previewSession(const NewSession& request, Workbench& bench);

/// {schema, kind, title, start, problem, device, budget_minutes, stages[{id, title, purpose, budget_minutes, steps[], gates[{id, title,
/// rule}]}], answers, caveats[], missing: sentence|null}
Json previewToJson(const SessionPreview& preview);

/// Something that can be chosen for a session, with the reason why not now.
struct SessionChoice {
    std::string id; ///< of a variant, a problem as text, a kind
    std::string title;
    std::string reason; ///< empty: it can be chosen
};

/// What a new session of the family in `request` can choose from, given the rest of the request. On a GPU everything can be chosen; on a
/// recording what it holds.
struct SessionChoices {
    std::vector<SessionChoice> variants; ///< of the family, with `request.kind` on any of its problems
    std::vector<SessionChoice> problems; ///< the family's, with that kind and start
    std::vector<SessionChoice> kinds;    ///< with that start on any of the family's problems
};

/// Errors: notFound (kernel), badInput (kind).
Result<SessionChoices> sessionChoices(const NewSession& request, Workbench& bench);

} // namespace kl::inline engine
