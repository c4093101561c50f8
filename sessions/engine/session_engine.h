// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "sessions/measure/workbench.h"
#include "sessions/session/session_view.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline session {
struct SessionModel;
}

namespace kl::inline engine {

class SessionReporter;

/// What a user gives to open a session. Answers to the five opening questions, by id (target-gpu, baseline, tools,
/// smallest-size, success-criteria); those left out get defaults from the descriptor and the device.
struct NewSession {
    std::string name; ///< "N+6"; empty: the next free name
    std::string objective;
    std::string kind = "optimize";
    std::string kernel; ///< family, or family/variant to start from
    Params problem;     ///< empty: the family's default
    std::map<std::string, std::string> answers;
    std::vector<Claim> claims;
    bool cumulative = false;             ///< gate 5's option: small certain gains are parked and kept together
    std::optional<bool> git;             ///< whether a kept edit of the user's source becomes a git commit; unset: ask at the first keep
    std::optional<double> budgetMinutes; ///< replaces the kind's; its stages keep their shares
};

/// One use of a pattern; missing values come from the pattern and the session.
struct PatternUse {
    std::string phase;                   ///< id; empty: the current one
    std::optional<double> quotedMinutes; ///< replaces the figure of the pattern
    std::optional<double> quotedDollars;
    std::string note;
};

/// Runs gated sessions. Every action goes through here, from the window and the command line alike; a rule of the method
/// that blocks one is an Error `refused` whose `where` is the rule's id. Blocking.
class SessionEngine {
public:
    SessionEngine(Workbench& bench, SessionReporter& reporter);

    Result<SessionView> create(const NewSession& request);
    Result<SessionView> view(const SessionId& id) const;

    /// The latest session that is not done; error notFound when none is open. `name` may be a name, an id or a prefix of one.
    Result<SessionId> find(const std::string& name) const;
    Result<SessionId> latestOpen() const;

    /// The next free name: N, N+1, N+2 …
    Result<std::string> nextName() const;

    /// Executes the first of view.next. At the end of the method the phase is "done".
    Result<SessionView> step(const SessionId& id, const Job& job = {});

    /// Carries out the action if its row (action_table.h) allows it; session_actions.h says what `argument` is. Errors: refused,
    /// where it is not allowed now; usage, badInput or notFound for the argument; those of what it measures.
    /// Job::notice reports work without progress after the session's own silence_timeout_s, and the session records it.
    Result<SessionView> act(const SessionId& id, SessionAction action, const std::string& argument = {}, const Job& job = {});

    /// The action of that word. Error usage, with those that a session of its kind has.
    Result<SessionAction> action(const SessionId& id, const std::string& word) const;

    /// Only evaluates the gate ("G1"; empty: the current one).
    Result<GateView> gate(const SessionId& id, const std::string& gate) const;

    Result<SessionView> waive(const SessionId& id, const std::string& gate, const std::string& reason);
    Result<SessionView> note(const SessionId& id, const std::string& text);
    /// Writes an answer of the document stage (session_document.h), also of a finished session; a new one replaces the one before, and the
    /// stored report is written again. Error usage for an unknown question or an empty text.
    Result<SessionView> write(const SessionId& id, const std::string& question, const std::string& text);
    /// Ticks an item of the checklist with a note, as long as no evidence decides it; an empty note takes that back. Errors: notFound for
    /// the item; usage for a gate, which is waived instead.
    Result<SessionView> tick(const SessionId& id, const std::string& item, const std::string& note);
    /// The changes of the edit in progress so far, as take-edit would take them; read-only. Errors: badInput when there is no
    /// edit; those of take-edit.
    Result<SourceChange> edit(const SessionId& id) const;
    /// Notes that a pattern was applied, once per session. Errors: notFound for the pattern or the phase; badInput for a figure below 0.
    Result<SessionView> claim(const SessionId& id, const Claim& claim);
    /// Sets an option of the session: "cumulative", or "git", which commits a kept edit of the user's source.
    Result<SessionView> option(const SessionId& id, const std::string& name, bool on);
    /// Resumes after a pause, which is not counted. The view is unchanged.
    Result<SessionView> resume(const SessionId& id);
    Result<SessionView> applyPattern(const SessionId& id, const std::string& slug, const PatternUse& use = {});

private:
    /// Records a change of driver or GPU, which makes older evidence stale. Only on a live device.
    Result<SessionModel> upToDate(const SessionId& id, SessionAction action);
    Result<SessionView> remark(const SessionId& id, const char* type, const Json& data);

    Workbench& bench_;
    SessionReporter& reporter_;
};

} // namespace kl::inline engine
