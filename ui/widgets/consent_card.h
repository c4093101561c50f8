// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QFormLayout;
class QPushButton;

namespace kl::ui {

/// Asks whether a command from a file may run: file, command, folder, and two buttons. Shown only while ConsentDesk has a question.
class ConsentCard : public Card {
    Q_OBJECT
public:
    explicit ConsentCard(QWidget* parent = nullptr);
    ~ConsentCard() override;

private:
    void refresh();
    void addRow(const QString& word, const QString& text);

    QFormLayout* rows_;
    QPushButton* run_;
    QPushButton* refuse_;
};

} // namespace kl::ui
