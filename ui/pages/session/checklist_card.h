// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QPushButton;
class QWidget;

namespace kl::ui {

/// The documents' validation checklist, live: each item is ticked by evidence of the session, or by a note of the user's where there is
/// none. The configuration has the calculators' figures for the session's kernel on its GPU.
class ChecklistCard : public Card {
    Q_OBJECT
public:
    explicit ChecklistCard(QWidget* parent = nullptr);

    /// `open`: unfolded, unless the user has chosen.
    void setView(const SessionView& view, bool open);
    /// Why nothing can be ticked; empty if it can.
    void setBusy(const QString& reason);

signals:
    void evidenceRequested(const QString& evidence);
    void stepRequested(const kl::NextStep& step);
    void noteRequested(const QString& item, const QString& title, const QString& note);
    /// Page "Calculate", by the name of its tab.
    void calculatorRequested(const QString& tab);

private:
    void addItem(const ChecklistItem& item, int row);
    void unfold(bool open);

    QWidget* list_;
    QGridLayout* rows_;
    QPushButton* fold_;
    bool touched_ = false;
    bool busy_ = false;
};

} // namespace kl::ui
