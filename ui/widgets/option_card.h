// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"
#include "ui/widgets/card.h"

class QPushButton;
class QVBoxLayout;

namespace kl::ui {

/// One of several things to choose from (a fix, a pattern): headline, a line of small facts, an explanation, a monospaced
/// difference, one button. Chosen: framed in the accent. Locked: grayed out, with the reason instead of the button.
class OptionCard : public Card {
    Q_OBJECT
public:
    explicit OptionCard(const QString& title, QWidget* parent = nullptr);

    void addFact(const QString& name, const QString& value, Token token = Token::text); ///< "expected gain", "60 %"
    void setText(const QString& text);
    void setDiff(const QString& diff);                ///< lines that start with + or − are colored
    QVBoxLayout* details() const { return details_; } ///< between the difference and the button, for what a page adds
    void setButton(const QString& text, bool primary);
    void setChosen(bool chosen);
    void setLocked(const QString& reason); ///< empty unlocks
    QPushButton* button() const { return button_; }

signals:
    void activated();

private:
    QHBoxLayout* facts_;
    QLabel* text_;
    QLabel* diff_;
    QVBoxLayout* details_;
    QLabel* reason_;
    QPushButton* button_;
};

} // namespace kl::ui
