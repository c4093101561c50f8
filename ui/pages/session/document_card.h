// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_view.h"
#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace kl {

/// Stage "Document": the outcome in words and the report, as HTML, PDF or Markdown.
class DocumentCard : public Card {
    Q_OBJECT
public:
    explicit DocumentCard(QWidget* parent = nullptr);
    void setView(const SessionView& view);

signals:
    /// format: "html", "pdf" or "md".
    void exportRequested(const QString& format);

private:
    QLabel* outcome_;
};

/// The outcome of a session in one sentence.
QString outcomeWords(const SessionView& view);

} // namespace kl
