// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace kl {

class Card;
class ReasonedButton;

/// The debugging loop: each iteration with what was believed, how it was looked at, what was seen, tried and learned, newest first; and a
/// line to say the step in hand in one's own words.
class DebugPanel : public QWidget {
    Q_OBJECT
public:
    explicit DebugPanel(QWidget* parent = nullptr);

    void setView(const SessionView& view);
    void setBusy(const QString& reason);

signals:
    void wordsGiven(const QString& action, const QString& text);

private:
    void addIteration(const DebugIteration& row);
    void submit();

    Card* own_;
    QLabel* question_;
    QLineEdit* words_;
    ReasonedButton* write_;
    QString action_;
    QVBoxLayout* rows_;
};

} // namespace kl
