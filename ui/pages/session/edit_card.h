// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/engine/attempts.h"
#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace kl::ui {

class AttemptsLine;
class DiffView;
class MarkLabel;
class ReasonedButton;

/// Whether an edit is in progress or was continued since it was used; SessionEngine::edit reads the files.
bool inEdit(const SessionView& view);

/// The user's own edit as the session's change: the file to edit, its changes so far, whether rule one-variable allows
/// them, what each measured save brought, and whether they are committed to git when kept. Hidden without an edit.
class EditCard : public Card {
    Q_OBJECT
public:
    explicit EditCard(QWidget* parent = nullptr);

    /// `now`: the result of SessionEngine::edit while an edit is in progress or was continued; unset otherwise.
    void setEdit(const SessionView& view, const std::optional<Result<SourceChange>>& now);
    /// What was measured of the edit, and whether more can be; after setEdit.
    void setAttempts(std::vector<Attempt> attempts, bool measurable);
    void setBusy(const QString& reason);
    /// Whether each save of the files is measured.
    bool measuresSaves() const;

signals:
    void openRequested(const QString& file);
    void actionRequested(kl::SessionAction action);
    void gitChosen(bool on);
    void measureRequested();
    void returnRequested(int seq);

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
    QCheckBox* saves_;
    QPushButton* measure_;
    AttemptsLine* attempts_;
    QString path_;
    bool waits_ = false; ///< for the edit
    std::string source_; ///< hash of the files as they are
    QString takeReason_; ///< what the engine says to the edit, where it cannot be taken
};

} // namespace kl::ui
