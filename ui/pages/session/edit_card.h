// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace kl {

class DiffView;
class MarkLabel;
class ReasonedButton;

/// Whether an edit is begun, or was edited further since it was taken: SessionEngine::edit says what the files hold.
bool inEdit(const SessionView& view);

/// The user's own edit as the session's one change: the file to edit, what has changed in it up to now and whether rule one-variable takes
/// it, and whether it becomes a git commit once kept. Hidden while no edit is in hand.
class EditCard : public Card {
    Q_OBJECT
public:
    explicit EditCard(QWidget* parent = nullptr);

    /// `now`: what SessionEngine::edit says while an edit is begun, or was edited further; nothing otherwise.
    void setEdit(const SessionView& view, const std::optional<Result<SourceChange>>& now);
    void setBusy(const QString& reason);

signals:
    void openRequested(const QString& file);
    void actionRequested(const QString& action);
    void gitChosen(bool on);

private:
    void showState(const SessionView& view, const std::optional<Result<SourceChange>>& now);

    QLabel* file_;
    QPushButton* open_;
    MarkLabel* mark_;
    QLabel* state_;
    DiffView* diff_;
    ReasonedButton* take_;
    QPushButton* giveUp_;
    QCheckBox* git_;
    QString path_;
    QString takeReason_;
};

} // namespace kl
