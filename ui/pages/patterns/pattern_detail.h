// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot read libstdc++'s concepts
#include "sessions/patterns/pattern_body.h"
#endif
#include "ui/models/pattern_table_model.h"
#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace kl::ui {

class CodePair;
class CopyCard;
class ReasonedButton;

/// One pattern as a whole: when, problem, what to do, why, evidence, steps, code before and after, example, checklist, savings and uses.
class PatternDetail : public Card {
    Q_OBJECT
public:
    explicit PatternDetail(QWidget* parent = nullptr);

    /// `uses`: each application in words.
    void show(const PatternRow& row, const PatternBody& body, bool retired, const QString& uses);
    /// Why it cannot be applied, and why nothing can be written; empty when it can.
    void setReasons(const QString& apply, const QString& write);

    /// The build recipe, filled in; until another pattern is shown.
    void setRecipe(const QString& markdown);

signals:
    void applyRequested();
    void editRequested(); ///< of a pattern of the user's own; of a shipped one: as a new one that begins as its copy
    void retireRequested(bool retired);
    void recipeRequested();

private:
    QLabel* addPart(const QString& heading, const char* name);
    static void setPart(QLabel* label, const QString& text);

    QLabel* when_;
    QLabel* problem_;
    QLabel* advice_;
    QLabel* why_;
    QLabel* evidence_;
    QLabel* steps_;
    CodePair* code_;
    QLabel* example_;
    QLabel* checklist_;
    QLabel* savings_;
    QLabel* return_;
    QLabel* uses_;
    QLabel* origin_;
    ReasonedButton* apply_;
    ReasonedButton* edit_;
    ReasonedButton* retire_;
    QPushButton* fill_;
    CopyCard* recipe_;
    bool retired_ = false;
};

} // namespace kl::ui
