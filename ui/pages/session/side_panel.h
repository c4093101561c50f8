// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QTimer;
class QVBoxLayout;

namespace kl::ui {

class Card;

/// The side column of a session: the stage's purpose, applicable patterns with their minutes, the time of the fix in its five parts, notes,
/// the event log, which asks for an entry when work goes on without one.
class SidePanel : public QWidget {
    Q_OBJECT
public:
    explicit SidePanel(QWidget* parent = nullptr);

    /// `phase`: the stage shown. `library`: every pattern, to find titles and minutes by slug.
    void setView(const SessionView& view, const PhaseView& phase, const std::vector<Pattern>& library);
    void setReadOnly(const QString& reason);

signals:
    void patternRequested(const QString& slug);
    void noteRequested(const QString& text);

private:
    void showPatterns(const SessionView& view, const PhaseView& phase, const std::vector<Pattern>& library);
    void showNotes(const SessionView& view);
    void showEvents(const SessionView& view);
    void showParts(const SessionView& view);
    void showPrompt();

    QLabel* purpose_;
    QVBoxLayout* patterns_;
    QVBoxLayout* notes_;
    QLineEdit* note_;
    QVBoxLayout* events_;
    Card* fix_;
    QGridLayout* parts_;
    QLabel* prompt_;
    QTimer* clock_;
    std::optional<SessionView> view_;
    bool readOnly_ = false;
};

} // namespace kl::ui
