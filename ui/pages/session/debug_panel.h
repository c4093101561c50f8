// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace kl::ui {

class Card;
class ReasonedButton;

/// The debugging loop: each iteration with its hypothesis, instruments, analysis, fix and lesson, newest first; and a
/// field to describe the current step.
class DebugPanel : public QWidget {
    Q_OBJECT
public:
    explicit DebugPanel(QWidget* parent = nullptr);

    void setView(const SessionView& view);
    void setBusy(const QString& reason);

signals:
    void wordsGiven(kl::SessionAction action, const QString& text);

private:
    void addIteration(const DebugIteration& row);
    void submit();

    Card* own_;
    QLabel* question_;
    QLineEdit* words_;
    ReasonedButton* write_;
    SessionAction action_ = SessionAction::hypothesis;
    QVBoxLayout* rows_;
};

} // namespace kl::ui
