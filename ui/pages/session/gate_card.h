// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace kl::ui {

class FlowLayout;
class MarkLabel;
class ReasonedButton;

/// One gate: its rule in a sentence, its checks as rows, why it blocks, the recommended action as a button, and the waiver.
class GateCard : public Card {
    Q_OBJECT
public:
    explicit GateCard(QWidget* parent = nullptr);

    /// `next`: what the button does; nullptr hides it (the stage is not the current one). `why`: why the session is blocked. `over`: the
    /// session ended, and a gate that did not pass waits for nobody.
    void setGate(const GateView& gate, const NextAction* next, const QString& why, bool over = false);
    /// A stage without a gate: only the button.
    void setPlain(const QString& title, const QString& words, const NextAction* next);
    /// Other possible actions as links below the button: all of `next` except the first one and those with their own controls.
    void setOthers(const std::vector<NextAction>& next);
    /// The next action has its button elsewhere on the page.
    void hideButton();
    /// While a job runs, the button is disabled with this reason; empty leaves what the next action says.
    void setBusy(const QString& reason);

signals:
    void actionRequested(kl::SessionAction action, const QString& argument);
    void waiveRequested(const QString& gate);
    void evidenceRequested(const QString& evidence);
    void stepRequested(const kl::NextStep& step);

private:
    void setNext(const NextAction* next);
    /// A gate that is not finished waits for the user, unless a job is running.
    void showMark();
    void addRow(const CheckRow& row, int at);
    QWidget* makeFound(const CheckRow& row, const QString& tip);

    std::string gate_;
    SessionAction action_ = SessionAction::checkEnvironment;
    QString argument_;
    QString locked_;
    QString refused_; ///< why the engine does not take the next action
    GateProgress progress_ = GateProgress::notStarted;
    GateResult result_ = GateResult::unknown;
    MarkLabel* mark_;
    QLabel* rule_;
    QWidget* rows_;
    QGridLayout* grid_;
    QLabel* verdict_;
    QLabel* stale_;
    QLabel* why_;
    ReasonedButton* button_;
    QPushButton* waive_;
    QWidget* others_;
    FlowLayout* otherLinks_;
};

} // namespace kl::ui
