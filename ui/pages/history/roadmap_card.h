// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/roadmap.h"
#include "ui/context/app_context.h"
#include "ui/widgets/card.h"

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace kl::ui {

class ReasonedButton;

/// The plan over several weeks: check off, edit, move, add and remove steps, and link them to the current session.
class RoadmapCard : public Card {
    Q_OBJECT
public:
    explicit RoadmapCard(AppContext& context, QWidget* parent = nullptr);
    void show(const Roadmap& roadmap, const std::vector<StepState>& states); ///< computeStates() its steps

private:
    QWidget* makeStep(const RoadmapStep& step, StepState state);
    /// Applies a change to the current plan in the database.
    void change(std::function<Status(Roadmap&)> work);

    AppContext& context_;
    BackgroundJob writer_;
    QVBoxLayout* weeks_;
    QLineEdit* title_;
    QComboBox* week_;
    ReasonedButton* add_;
    ReasonedButton* reset_;
};

} // namespace kl::ui
