// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace kl::ui {

/// The side column of a session: the stage's purpose, applicable patterns with their minutes, notes, the event log.
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

    QLabel* purpose_;
    QVBoxLayout* patterns_;
    QVBoxLayout* notes_;
    QLineEdit* note_;
    QVBoxLayout* events_;
    bool readOnly_ = false;
};

} // namespace kl::ui
