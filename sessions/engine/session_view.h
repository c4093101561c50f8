// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "sessions/engine/evidence.h"
#include "sessions/engine/session_parts.h"
#include "sessions/store/rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

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
    std::string evidence; ///< "run:ID", "comparison:ID", or empty
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
    std::string staleReason; ///< while progress is stale: what has changed since its evidence
};

/// A word of NextAction::argv that the caller has to replace.
struct ActionInput {
    std::string placeholder;          ///< the placeholder in argv: "REASON"
    std::string question;             ///< what to put there
    std::vector<std::string> choices; ///< empty: any text
};

/// A possible next action; the first of a list is the recommended one.
struct NextAction {
    std::string action; ///< id for SessionEngine::act
    std::string argument;
    std::string title;   ///< "Profile transpose/naive"
    std::string command; ///< "kloop session step --session ID"
    std::vector<std::string> argv;
    bool enabled = true;
    std::string reason; ///< why it is not enabled
    std::vector<ActionInput> inputs;
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

/// Everything about a session: a pure function of its events and the runs they name.
struct SessionView {
    SessionHeader header;
    std::string phase; ///< id of the current phase, "done" at the end
    std::vector<PhaseView> phases;
    std::vector<GateView> gates;
    std::string gate; ///< id of the current gate; empty when done
    bool blocked = false;
    std::optional<std::string> rule; ///< id of the rule that blocks
    std::string why;
    std::vector<NextAction> next;

    Address start;   ///< the kept variant when the session began
    Address current; ///< what the next change starts from: the last parked step's variant, else the start
    std::string fix; ///< id of the chosen fix, empty before
    std::optional<Address> candidate;
    Params problem;
    std::optional<EnvReport> environment; ///< of the newest check
    std::optional<BuildFacts> build;
    std::optional<RunRecord> smallestRun;
    std::optional<RunRecord> startRun; ///< the start variant on every size of the suite
    std::optional<RunRecord> baselineRun;
    std::optional<RunRecord> profileRun;
    std::optional<RunRecord> failingRun; ///< the start variant on the sizes that were tried to find the smallest that fails
    std::optional<RunRecord> minimalRun; ///< the candidate on that size
    std::optional<RunRecord> candidateRun;
    std::optional<Comparison> evaluation;
    std::string outcome;           ///< "kept", "reverted", "nothing to fix", "abandoned"; "" while open
    std::optional<double> speedup; ///< of the variant that is at the end, against the baseline
    double minutes = 0;            ///< working time so far
    double budgetMinutes = 0;
    std::map<std::string, std::string> answers; ///< the five opening questions
    std::vector<SessionEvent> events;
    std::vector<std::string> patternsApplied; ///< slugs
    std::vector<std::string> notes;
    std::string fixTitle;
    std::vector<Address> tried;                                 ///< candidates of this session that were reverted
    std::vector<std::pair<std::string, std::string>> questions; ///< the opening questions, id and text, in the template's order
    std::string retrospective;                                  ///< text of the document step
    std::string artifact;                                       ///< name of the stored report, see Store::artifact
    int refusals = 0;                                           ///< actions that a rule blocked
    std::vector<ClaimView> claims;
    bool cumulative = false;
    std::optional<bool> git; ///< whether kept edits become git commits; unset until chosen
    std::vector<ParkedStep> parked;
    std::optional<Ratio> parkedRatio; ///< of the parked steps together
    std::vector<DebugIteration> iterations;
    std::optional<Params> failingProblem;
    std::optional<SourceChange> sourceChange;
    std::optional<BegunEdit> editing;      ///< an own edit in progress
    std::string commit;                    ///< git commit that a keep made; empty: none
    std::map<Evidence, std::string> stale; ///< stale evidence, with what has changed
    std::vector<std::string> stalls;       ///< notices of work without progress
};

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

} // namespace kl
