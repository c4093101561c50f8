// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace kl::ui {

class DiffView;
class MarkLabel;
class ReasonedButton;

/// Whether an edit is in progress or was continued since it was used; SessionEngine::edit reads the files.
bool inEdit(const SessionView& view);

/// The user's own edit as the session's change: the file to edit, its changes so far, whether rule one-variable allows
/// them, and whether they are committed to git when kept. Hidden without an edit.
class EditCard : public Card {
    Q_OBJECT
public:
    explicit EditCard(QWidget* parent = nullptr);

    /// `now`: the result of SessionEngine::edit while an edit is in progress or was continued; unset otherwise.
    void setEdit(const SessionView& view, const std::optional<Result<SourceChange>>& now);
    void setBusy(const QString& reason);

signals:
    void openRequested(const QString& file);
    void actionRequested(kl::SessionAction action);
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

} // namespace kl::ui
