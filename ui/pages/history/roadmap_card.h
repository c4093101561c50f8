// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/roadmap.h"
#include "ui/context/app_context.h"
#include "ui/widgets/card.h"

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace kl {

class ReasonedButton;

/// The plan over several weeks: tick steps off, reword, move, link them to the session in hand, add and remove.
class RoadmapCard : public Card {
    Q_OBJECT
public:
    explicit RoadmapCard(AppContext& context, QWidget* parent = nullptr);
    void show(const Roadmap& roadmap, const std::vector<HistoryRow>& rows);

private:
    QWidget* makeStep(const RoadmapStep& step, StepState state);
    /// Applies a change to the plan as it stands in the database now.
    void change(std::function<Status(Roadmap&)> work);

    AppContext& context_;
    BackgroundJob writer_;
    QVBoxLayout* weeks_;
    QLineEdit* title_;
    QComboBox* week_;
    ReasonedButton* add_;
    ReasonedButton* reset_;
};

} // namespace kl
