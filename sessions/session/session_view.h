// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "sessions/session/checklist.h"
#include "sessions/session/events.h"
#include "sessions/session/session_parts.h"
#include "sessions/store/rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

enum class GateResult { pass, fail, unknown };
enum class GateProgress { notStarted, running, done, waived, stale };

/// One check of a gate, as a row: requirement, what was found, threshold, evidence.
struct CheckRow {
    std::string id;
    Requirement requirement = Requirement::required;
    GateResult result = GateResult::unknown;
    std::string title;
    std::string found;
    std::string threshold;
    std::string why;
    std::string fix;
    std::string evidence;            ///< "run:ID", "comparison:ID", or empty
    std::vector<NextStep> next = {}; ///< how to do what `fix` says
    bool blocks = true;              ///< false: fails the gate, but the next phase is open all the same
};

struct GateView {
    std::string id;    ///< "G1"
    std::string title; ///< "Environment"
    std::string rule;  ///< one sentence
    GateResult result = GateResult::unknown;
    Requirement requirement = Requirement::required;
    GateProgress progress = GateProgress::notStarted;
    std::vector<CheckRow> checks;
    std::string verdict; ///< one sentence, once evaluated
    std::string waivedReason;
    std::string staleReason;  ///< while progress is stale: what has changed since its evidence
    bool canBeWaived = false; ///< with a reason, now
    bool blocks = false;      ///< a required row that blocks fails or is unknown
    std::string level;        ///< of the speedup, where the gate judges one: "critical", "high", "medium", "success"
};

/// A possible next action; the first of a list is the recommended one.
struct NextAction {
    SessionAction action = SessionAction::checkEnvironment; ///< for SessionEngine::act
    std::string argument;
    std::string title; ///< "Profile transpose/naive"
    NextStep step;     ///< the same for the command line, with what has to be added
    bool enabled = true;
    std::string reason; ///< why it is not enabled
};

/// Whether an action can be taken now, by the rules and gates that would refuse it; see listOffers() of the engine.
struct ActionOffer {
    SessionAction action = SessionAction::checkEnvironment;
    std::string argument;            ///< of a fix: its id; empty for the action as such
    bool offered = false;            ///< the session may still come to it: there is a control for it
    bool enabled = false;            ///< now
    std::string reason;              ///< the refusal's message, where it is not enabled
    std::string hint;                ///< and what to do, in words
    std::vector<NextStep> next = {}; ///< how

    bool operator==(const ActionOffer&) const = default;
};

enum class PhaseState { upcoming, current, done, skipped };

struct PhaseView {
    std::string id; ///< "environment", "baseline" …, as the kind's template names them
    std::string title;
    std::string purpose; ///< purpose of the stage
    double budgetMinutes = 0;
    double elapsedMinutes = 0;
    PhaseState state = PhaseState::upcoming;
    std::vector<std::string> gates;
    std::vector<std::string> patterns; ///< slugs that apply here
    std::vector<Evidence> evidence;    ///< evidence gathered here, in order; empty for the phase that documents the session
};

/// Everything about a session: what its events say, and what follows from them and from the runs they name.
struct SessionView : SessionFacts {
    SessionHeader header;
    std::string phase; ///< id of the current phase, "done" at the end
    std::vector<PhaseView> phases;
    std::vector<GateView> gates;
    std::string gate; ///< id of the current gate; empty when done
    bool blocked = false;
    std::optional<std::string> rule; ///< id of the rule that blocks
    std::string why;
    std::vector<NextAction> next;
    std::vector<ActionOffer> offers; ///< of each action that the kind of session has, then of each fix; filled by the engine

    std::optional<RunRecord> smallestRun;
    std::optional<RunRecord> startRun; ///< the start variant on every size in the suite
    std::optional<RunRecord> baselineRun;
    std::optional<RunRecord> profileRun;
    std::optional<RunRecord> failingRun; ///< the start variant on the sizes that were tried to find the smallest that fails
    std::optional<RunRecord> minimalRun; ///< the candidate on that size
    std::optional<RunRecord> candidateRun;
    std::optional<Comparison> evaluation;
    std::optional<double> speedup; ///< of the variant that is at the end, against the baseline
    double minutes = 0;            ///< working time so far
    double budgetMinutes = 0;
    std::vector<SessionEvent> events;
    std::vector<std::pair<std::string, std::string>> questions; ///< the opening questions, id and text, in the template's order
    std::vector<ClaimView> claims;
    std::optional<Ratio> parkedRatio;      ///< of the parked steps together
    std::map<Evidence, std::string> stale; ///< stale evidence, with what has changed
    std::vector<ChecklistItem> checklist;
    std::vector<NextStep> afterwards; ///< of a finished session: what comes next, the recommended step first
};

/// What the session itself brought, old time / new time: of the kept change, with those parked below it. Unset without one.
std::optional<double> computeGain(const SessionView& view);

/// What the session says to an action: the first of `next` that is it, else its offer. Neither offered nor enabled where it has none.
ActionOffer findOffer(const SessionView& view, SessionAction action, const std::string& argument = {});

/// Whether the session is finished: nothing is done in it any more.
inline bool isOver(const SessionView& view)
{
    return view.finished || view.phase == "done";
}

/// Whether a stage gathers a kind of evidence.
inline bool gathers(const PhaseView& stage, Evidence kind)
{
    return std::find(stage.evidence.begin(), stage.evidence.end(), kind) != stage.evidence.end();
}

/// Whether the session debugs an incorrect kernel, or measures a correct one.
inline bool debugs(const SessionView& view)
{
    return std::any_of(view.phases.begin(), view.phases.end(),
                       [](const PhaseView& stage) { return gathers(stage, Evidence::failingCase); });
}

} // namespace kl::inline session
