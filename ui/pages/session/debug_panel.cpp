// SPDX-License-Identifier: MIT
#include "ui/pages/session/debug_panel.h"

#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

DebugPanel::DebugPanel(QWidget* parent)
    : QWidget(parent), own_(new Card(tr("Describe it in your own words"), this)), question_(makeLabel({}, TextRole::body, own_)),
      words_(new QLineEdit(own_)), write_(new ReasonedButton(tr("Record"), false, own_)), rows_(new QVBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    question_->setWordWrap(true);
    words_->setObjectName(QStringLiteral("debugWords"));
    write_->button()->setObjectName(QStringLiteral("debugWrite"));
    own_->body()->addWidget(question_);
    own_->body()->addWidget(words_);
    own_->body()->addWidget(write_);
    column->addWidget(own_);
    rows_->setSpacing(kGapBetween);
    column->addLayout(rows_);
    connect(words_, &QLineEdit::returnPressed, this, &DebugPanel::submit);
    connect(write_, &ReasonedButton::clicked, this, &DebugPanel::submit);
}

void DebugPanel::submit()
{
    const QString text = words_->text().trimmed();
    if (text.isEmpty() || !write_->button()->isEnabled())
        return;
    words_->clear();
    emit wordsGiven(action_, text);
}

void DebugPanel::setView(const SessionView& view)
{
    const auto textAction = std::find_if(view.next.begin(), view.next.end(), [](const NextAction& next) {
        return !next.step.inputs.empty() && next.step.inputs.front().argument == StepArgument::text;
    });
    own_->setVisible(textAction != view.next.end());
    if (textAction != view.next.end()) {
        action_ = textAction->action;
        question_->setText(q(textAction->step.inputs.front().question));
        words_->setAccessibleName(question_->text());
    }
    clearLayout(rows_);
    for (auto row = view.iterations.rbegin(); row != view.iterations.rend(); ++row)
        addIteration(*row);
}

void DebugPanel::addIteration(const DebugIteration& row)
{
    auto* card = new Card(tr("Iteration %1").arg(row.number), this);
    card->setProperty("iteration", row.number);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGapBetween);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int at = 0;
    for (const auto& [name, words] :
         {std::pair{tr("Hypothesis"), &row.believed}, std::pair{tr("Instrument"), &row.instrument},
          std::pair{tr("Minimal case"), &row.seen}, std::pair{tr("Sanitizer"), &row.sanitizer}, std::pair{tr("Analysis"), &row.analysis},
          std::pair{tr("Fix"), &row.fix}, std::pair{tr("Validation"), &row.result}, std::pair{tr("Learned"), &row.learned}}) {
        grid->addWidget(makeLabel(name, TextRole::caption, card), at, 0, Qt::AlignTop);
        QLabel* text = makeLabel(words->empty() ? QStringLiteral("–") : q(*words), TextRole::body, card);
        text->setWordWrap(true);
        grid->addWidget(text, at++, 1);
    }
    card->body()->addLayout(grid);
    rows_->addWidget(card);
}

void DebugPanel::setBusy(const QString& reason)
{
    write_->setReason(reason);
}

} // namespace kl::ui
