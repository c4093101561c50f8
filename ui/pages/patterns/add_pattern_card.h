// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/rows.h"
#include "ui/widgets/card.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPlainTextEdit;

namespace kl::ui {

class ReasonedButton;

/// A form for a user's own pattern, drafted from a session.
class AddPatternCard : public Card {
    Q_OBJECT
public:
    explicit AddPatternCard(QWidget* parent = nullptr);

    void setDraft(const Pattern& draft);
    /// Why nothing can be saved; empty when it can.
    void setLocked(const QString& reason);

signals:
    void saved(const kl::Pattern& pattern);
    void canceled();

private:
    void submit();

    Pattern draft_;
    QLineEdit* title_;
    QPlainTextEdit* problem_;
    QPlainTextEdit* advice_;
    QComboBox* when_;
    QDoubleSpinBox* minutes_;
    ReasonedButton* save_;
};

} // namespace kl::ui
