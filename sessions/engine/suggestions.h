// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_model.h"

#include <string>
#include <vector>

namespace kl {

/// Writes SessionView::next: the first is `session step`, the others name their action. Every command names its session, device and
/// database, so that it means the same wherever it is typed.
class Suggestions {
public:
    Suggestions(SessionModel& model, std::string location) : model_(model), location_(std::move(location)) {}

    void add(const std::string& action, const std::string& title, const std::string& argument = {}, const std::string& locked = {});
    /// An action whose argument is free text.
    void addText(const std::string& action, const std::string& title, const std::string& question);
    void addWaiver(const GateView& gate);

private:
    void finish(NextAction& next);

    SessionModel& model_;
    std::string location_;
};

/// What makes a session's command mean the same wherever it is typed: its session, its device where that is the sample, and its database
/// where that is not the default one.
std::vector<std::string> sessionFlags(const SessionHeader& header, const std::string& location);

/// A text with each "kloop session VERB" in it completed by the session's flags, but for the verbs that are of no one session.
std::string inSession(const std::string& text, const SessionHeader& header, const std::string& location);

} // namespace kl
