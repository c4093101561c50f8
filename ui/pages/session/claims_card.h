// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLineEdit;

namespace kl::ui {

class ReasonedButton;

/// Claims from other sources next to what is measured here, one row per claim, and a form to add one.
class ClaimsCard : public Card {
    Q_OBJECT
public:
    explicit ClaimsCard(QWidget* parent = nullptr);

    void setView(const SessionView& view);
    void setBusy(const QString& reason);

signals:
    void claimed(const QString& source, const QString& figure);

private:
    void submit();

    QWidget* rows_;
    QGridLayout* grid_;
    QWidget* entry_;
    QLineEdit* source_;
    QLineEdit* figure_;
    ReasonedButton* add_;
};

} // namespace kl::ui
