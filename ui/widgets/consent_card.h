// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QFormLayout;
class QPushButton;

namespace kl {

/// Asks whether a command that a file names may run: file, command, folder, and two buttons. There only while ConsentDesk has a question.
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

} // namespace kl
