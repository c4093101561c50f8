// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/report/review.h"
#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace kl::ui {

/// Stage "Document": review comments, a form to add one, and the export and import of a review file.
class ReviewCard : public Card {
    Q_OBJECT
public:
    explicit ReviewCard(QWidget* parent = nullptr);
    void setReview(const SessionView& view, const std::vector<ReviewComment>& comments);
    /// Why nothing can be written; empty when it can.
    void setBusy(const QString& reason);

signals:
    void commented(const QString& target, const QString& author, const QString& text);
    void exportRequested();
    void importRequested();

private:
    void showComments(const std::vector<ReviewComment>& comments);
    void send();

    QVBoxLayout* rows_;
    QComboBox* target_;
    QLineEdit* author_;
    QLineEdit* text_;
    QPushButton* add_;
    QPushButton* import_;
};

} // namespace kl::ui
