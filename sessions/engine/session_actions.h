// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/measure/workbench.h"
#include "sessions/session/session_model.h"
#include "sessions/subject/subject.h"

#include <memory>
#include <string>

namespace kl::inline engine {

class SessionReporter;

/// Carries out one action of a session: measures where it has to, and returns the event that records it. The rules have been checked
/// before (guards.h); choose-fix checks its candidate itself. Those of a change are in change_actions.cpp.
class SessionActions {
public:
    SessionActions(Workbench& bench, SessionReporter& reporter, const SessionModel& model, const Job& job)
        : bench_(bench), reporter_(reporter), model_(model), job_(job), subject_(model.family ? makeSubject(bench, *model.family) : nullptr)
    {
    }

    /// What the action's row names.
    Result<SessionEvent> perform(SessionAction action, const std::string& argument);

    Result<SessionEvent> checkEnvironment(const std::string&);
    Result<SessionEvent> validateBuild(const std::string&);
    Result<SessionEvent> verifySmallest(const std::string&);
    Result<SessionEvent> verifyStart(const std::string&);
    Result<SessionEvent> measureBaseline(const std::string&);
    /// `report`: a report of another profiler; empty: measured now.
    Result<SessionEvent> profile(const std::string& report);
    Result<SessionEvent> hypothesis(const std::string& words);
    Result<SessionEvent> instrument(const std::string& words);
    Result<SessionEvent> findFailing(const std::string&);
    Result<SessionEvent> analyze(const std::string& words);
    /// `fix`: id of a fix of the finding, a variant, kOwnEdit, or kSearchFix; empty: the best that is ready.
    Result<SessionEvent> chooseFix(const std::string& fix);
    Result<SessionEvent> takeEdit(const std::string&);
    Result<SessionEvent> verifyMinimal(const std::string&);
    Result<SessionEvent> verifySuite(const std::string&);
    Result<SessionEvent> checkMemory(const std::string&);
    Result<SessionEvent> evaluate(const std::string&);
    Result<SessionEvent> park(const std::string&);
    /// `tool` of compute-sanitizer; empty: all.
    Result<SessionEvent> sanitize(const std::string& tool);
    Result<SessionEvent> repeat(const std::string& learned);
    /// `git`: kKeepWithGit, kKeepWithoutGit; empty: as the session's option says.
    Result<SessionEvent> keep(const std::string& git);
    Result<SessionEvent> revert(const std::string&);
    Result<SessionEvent> undo(const std::string&);
    /// `good`: a revision that worked; empty: the oldest one that has the kernel's descriptor.
    Result<SessionEvent> bisect(const std::string& good);
    Result<SessionEvent> document(const std::string&);
    Result<SessionEvent> finish(const std::string&);

private:
    Result<SessionEvent> chooseBySearch(const std::string& argument);
    Result<SessionEvent> measure(const char* type, const Address& address, const Params& problem, bool suite);
    /// The candidate's first check: its build apart from its run, so that each is timed.
    Result<SessionEvent> verify(const char* type, const Params& problem, bool suite);
    /// Seconds that the candidate's build takes, log kept; nothing where it fails, which its run reports, or is not recorded.
    Result<std::optional<double>> rebuild();
    Result<SessionEvent> write(Evidence kind, const std::string& text);
    Result<SessionEvent> beginEdit(const std::string& fix, const std::string& goal);
    SessionEvent event(const char* type, const Json& data) const;
    void keepLogs(const std::vector<SanitizerCheck>& checks);

    Workbench& bench_;
    SessionReporter& reporter_;
    const SessionModel& model_;
    const Job& job_;
    std::unique_ptr<Subject> subject_; ///< null when the catalog no longer has the kernel, for actions that measure nothing
};

} // namespace kl::inline engine
