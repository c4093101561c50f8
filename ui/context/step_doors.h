// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "ui/widgets/message_bar.h"

#include <QString>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kl::ui {

/// As the page of a door: what it shows is the name of an action of the window (ui/window/action_table.h), which is performed instead; with
/// what the action begins with after a colon.
inline constexpr const char* kToolPage = "tool";

/// Where the window does a step: the words of the button, the page that it opens, and what that page is to show.
struct StepDoor {
    QString text;
    QString page;
    QString argument;
};

/// What a button for the step says: "Run transpose/naive", "Keep the candidate".
QString stepText(const NextStep& step);

/// Unset for a step of commandLineSteps().
std::optional<StepDoor> findDoor(const NextStep& step);

/// A step that only the command line has, and why the window has neither page nor tool for it.
struct CommandLineStep {
    StepId step;
    const char* why;
};

/// All of them; any other step has a door.
std::span<const CommandLineStep> commandLineSteps();

/// A button for each step that has a door.
std::vector<MessageButton> makeStepButtons(const std::vector<NextStep>& steps,
                                           const std::function<void(const QString& page, const QString& argument)>& navigate);

} // namespace kl::ui
