// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "ui/widgets/message_bar.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace kl::ui {

/// Where the window does a step: the words of the button, the page that it opens, and what that page is to show.
struct StepDoor {
    QString text;
    QString page;
    QString argument;
};

/// What a button for the step says: "Run transpose/naive", "Keep the candidate".
QString stepText(const NextStep& step);

/// Unset for a step that the window has no page for: what this machine lacks, other programs, files.
std::optional<StepDoor> doorOf(const NextStep& step);

/// A button for each step that has a door.
std::vector<MessageButton> buttonsOf(const std::vector<NextStep>& steps,
                                     const std::function<void(const QString& page, const QString& argument)>& navigate);

} // namespace kl::ui
