// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QPlainTextEdit;

namespace kl::ui {

/// A text to copy into a shell or a file.
class CopyCard : public Card {
    Q_OBJECT
public:
    /// `name`: object name of the text; that of its button is `name` + "Copy".
    CopyCard(const QString& title, const QString& name, QWidget* parent = nullptr);
    void setText(const QString& text);

private:
    QPlainTextEdit* text_;
};

} // namespace kl::ui
