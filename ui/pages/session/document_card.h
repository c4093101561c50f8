// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace kl::ui {

/// Stage "Document": the outcome, the report in every format, the prompt for the next session, and, at the end, that session.
class DocumentCard : public Card {
    Q_OBJECT
public:
    explicit DocumentCard(QWidget* parent = nullptr);
    void setView(const SessionView& view);

signals:
    /// format: "html", "pdf", "md", "json", "csv"; "prompt" for the next session's prompt.
    void exportRequested(const QString& format);
    /// The session is finished: what comes next.
    void stepRequested(const kl::NextStep& step);

private:
    QLabel* outcome_;
    QPushButton* next_;
    std::optional<NextStep> step_;
};

} // namespace kl::ui
