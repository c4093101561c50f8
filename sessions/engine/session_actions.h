// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/engine/session_model.h"
#include "sessions/engine/workbench.h"

#include <string>

namespace kl {

struct SanitizerCheck;

/// Carries out one action of a session: measures where it has to, and returns the event that records it. The rules have been checked
/// before (guards.h); choose-fix checks its candidate itself. Those of a change are in change_actions.cpp.
class SessionActions {
public:
    SessionActions(Workbench& bench, const SessionModel& model, const Job& job) : bench_(bench), model_(model), job_(job) {}

    Result<SessionEvent> perform(const std::string& action, const std::string& argument);

private:
    Result<SessionEvent> checkEnvironment();
    Result<SessionEvent> gather(Evidence kind, const std::string& argument);
    Result<SessionEvent> validateBuild();
    Result<SessionEvent> measure(const char* type, const Address& address, const Params& problem, bool suite);
    Result<SessionEvent> findFailing();
    Result<SessionEvent> write(const char* type, const std::string& action, const std::string& text);
    Result<SessionEvent> profile();
    Result<SessionEvent> chooseFix(const std::string& argument);
    Result<SessionEvent> beginEdit(const std::string& fix, const std::string& goal);
    Result<SessionEvent> takeEdit();
    Result<SessionEvent> undo();
    Result<SessionEvent> evaluate();
    Result<SessionEvent> park();
    Result<SessionEvent> repeat(const std::string& text);
    Result<SessionEvent> sanitize(const std::string& tool);
    Result<SessionEvent> checkMemory();
    Result<SessionEvent> keep(const std::string& argument);
    Result<SessionEvent> revert();
    Result<SessionEvent> document();
    Result<SessionEvent> finish();

    SessionEvent event(const char* type, const Json& data) const;
    void keepLogs(const std::vector<SanitizerCheck>& checks);

    Workbench& bench_;
    const SessionModel& model_;
    const Job& job_;
};

/// Names of the stored reports of a session.
std::string reportArtifact(const SessionId& id, const char* extension);

} // namespace kl
