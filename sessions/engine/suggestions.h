// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_model.h"

#include <string>

namespace kl {

/// Writes SessionView::next: the first is `session step`, the others name their action. Every command names its session, device and
/// database, so that it means the same wherever it is typed.
class Suggestions {
public:
    Suggestions(SessionModel& model, std::string location) : model_(model), location_(std::move(location)) {}

    void add(const std::string& action, const std::string& title, const std::string& argument = {}, const std::string& locked = {});
    /// An action whose argument is the caller's own words.
    void addText(const std::string& action, const std::string& title, const std::string& question);
    void addWaiver(const GateView& gate);

private:
    void finish(NextAction& next);

    SessionModel& model_;
    std::string location_;
};

/// A command line as a shell takes it.
std::string commandOf(const std::vector<std::string>& argv);

} // namespace kl
