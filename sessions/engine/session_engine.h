// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "sessions/engine/session_view.h"
#include "sessions/engine/workbench.h"

#include <map>
#include <string>
#include <vector>

namespace kl {

/// What a user gives to open a session. Answers to the five opening questions, by id (target-gpu, baseline, tools,
/// smallest-size, success-criteria); those left out get defaults from the descriptor and the device.
struct NewSession {
    std::string name; ///< "N+6"; empty: the next free name
    std::string objective;
    std::string kind = "optimize";
    std::string kernel; ///< family, or family/variant to start from
    Params problem;     ///< empty: the family's default
    std::map<std::string, std::string> answers;
};

/// What somebody says about one use of a pattern; what is left out comes from the pattern and the session.
struct PatternUse {
    std::string phase;                   ///< id; empty: the present one
    std::optional<double> quotedMinutes; ///< in the place of what the pattern quotes
    std::optional<double> quotedDollars;
    std::string note;
};

/// Walks gated sessions. Every action goes through here, from the window and the command line alike; a rule of the method
/// that blocks one is an Error `refused` whose `where` is the rule's id. Blocking.
class SessionEngine {
public:
    explicit SessionEngine(Workbench& bench);

    Result<SessionView> create(const NewSession& request);
    Result<SessionView> view(const SessionId& id) const;

    /// The latest session that is not done; error notFound when none is open. `name` may be a name, an id or a prefix of one.
    Result<SessionId> find(const std::string& name) const;
    Result<SessionId> latestOpen() const;

    /// The next free name: N, N+1, N+2 …
    Result<std::string> nextName() const;

    /// Executes the first of view.next. At the end of the method the phase is "done".
    Result<SessionView> step(const SessionId& id, const Job& job = {});

    /// Executes one action by id ("check-environment", "measure-baseline", "profile", "choose-fix", "verify-suite",
    /// "evaluate", "keep", "revert", "document", "finish"), with its argument where it takes one (choose-fix: the fix id).
    Result<SessionView> act(const SessionId& id, const std::string& action, const std::string& argument = {}, const Job& job = {});

    /// Only evaluates: the gate as it stands ("G1"; empty: the current one).
    Result<GateView> gate(const SessionId& id, const std::string& gate) const;

    Result<SessionView> waive(const SessionId& id, const std::string& gate, const std::string& reason);
    Result<SessionView> note(const SessionId& id, const std::string& text);
    /// Notes that a pattern was applied, once a session. Errors: notFound for the pattern or the phase; badInput for a figure below 0.
    Result<SessionView> applyPattern(const SessionId& id, const std::string& slug, const PatternUse& use = {});

private:
    Workbench& bench_;
};

/// The `session …` answer of DESIGN: {schema, session, kind, phase, gate, blocked, rule, why, next}, with more fields after them.
Json sessionToJson(const SessionView& view);

} // namespace kl
