// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_model.h"

#include <string>
#include <vector>

namespace kl::inline session {

/// Writes SessionView::next: the first is the session's recommended step, the others name their action. Every step names its session,
/// device and database, so that it means the same wherever it is taken.
class Suggestions {
public:
    Suggestions(SessionModel& model, std::string location) : model_(model), location_(std::move(location)) {}

    void add(SessionAction action, const std::string& title, const std::string& argument = {}, const std::string& locked = {});
    /// An action whose argument is free text.
    void addText(SessionAction action, const std::string& title, const std::string& question);
    void addWaiver(const GateView& gate);

private:
    void finish(NextAction next);

    SessionModel& model_;
    std::string location_;
};

/// Completes steps that concern a session, but do not name one, by its id, its device where that is the sample, and its database where
/// that is not the default one.
void nameSession(std::vector<NextStep>& steps, const SessionHeader& header, const std::string& location);

/// The session after one that is finished: its name and objective are the user's.
NextStep openNext(const SessionHeader& header);

/// Error badInput for a fix that no variant has, of a kernel whose source cannot be edited.
Error needsEdit(const Fix& fix);

/// Error refused for whatever is asked of a finished session.
Error makeFinishedError(const SessionHeader& header);

} // namespace kl::inline session
