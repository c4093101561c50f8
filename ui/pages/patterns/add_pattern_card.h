// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot read libstdc++'s concepts
#include "sessions/patterns/pattern_body.h"
#endif
#include "sessions/store/rows.h"
#include "ui/widgets/card.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;

namespace kl::ui {

class ReasonedButton;

/// A form for a user's own pattern: blank, drafted from a session, copied from a shipped one, or one that is edited.
class AddPatternCard : public Card {
    Q_OBJECT
public:
    explicit AddPatternCard(QWidget* parent = nullptr);

    /// A new pattern that begins like this.
    void setDraft(const Pattern& draft, const PatternBody& body = {});
    /// An own pattern; it keeps its id.
    void setEdited(const Pattern& pattern, const PatternBody& body);
    /// Why nothing can be saved; empty when it can.
    void setLocked(const QString& reason);

signals:
    /// `replace`: it is one that was edited.
    void saved(const kl::Pattern& pattern, const kl::PatternBody& body, bool replace);
    void canceled();

private:
    QPlainTextEdit* addText(const QString& label, const char* name, bool code = false);
    void fill(const Pattern& pattern, const PatternBody& body);
    void submit();

    Pattern draft_;
    bool replace_ = false;
    QFormLayout* form_;
    QLineEdit* title_;
    QComboBox* when_;
    QPlainTextEdit* problem_;
    QPlainTextEdit* advice_;
    QPlainTextEdit* why_;
    QPlainTextEdit* evidence_;
    QPlainTextEdit* steps_;
    QPlainTextEdit* before_;
    QPlainTextEdit* after_;
    QPlainTextEdit* example_;
    QPlainTextEdit* checklist_;
    QDoubleSpinBox* minutes_;
    ReasonedButton* save_;
};

} // namespace kl::ui
