// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

#include <map>
#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace kl::ui {

class ReasonedButton;

/// What a session's lesson and its next step have become, outside the session.
struct SentOn {
    QString pattern; ///< slug; empty: the lesson is not a pattern yet
    QString step;    ///< id of the roadmap's step; empty: none
};

/// Stage "Document": root cause, what worked, what failed, what an expert would have done, next session. Drafted from the session's events,
/// edited in place, saved as part of the report. A field that was edited keeps its text while the session goes on.
class WrittenDocumentCard : public Card {
    Q_OBJECT
public:
    explicit WrittenDocumentCard(QWidget* parent = nullptr);

    void setView(const SessionView& view, const SentOn& sent);
    /// Why nothing can be written; empty if it can.
    void setBusy(const QString& reason);
    /// The answers to store, by question: those that were edited or are only drafted, without empty ones.
    std::map<std::string, std::string> answers() const;

signals:
    void saveRequested();
    void lessonRequested();
    void nextStepRequested();
    void patternRequested(const QString& slug);
    void roadmapRequested();

private:
    struct Field {
        std::string id;
        QPlainTextEdit* text;
        QLabel* origin;
        QString shown; ///< text that the session has, own or drafted
        bool drafted = true;
    };

    void showReason();
    void fitHeight(QPlainTextEdit* text);

    std::vector<Field> fields_;
    ReasonedButton* save_;
    QPushButton* lesson_;
    QPushButton* nextStep_;
    QPushButton* pattern_;
    QPushButton* roadmap_;
    QString locked_;
    SentOn sent_;
    std::string session_;
};

} // namespace kl::ui
