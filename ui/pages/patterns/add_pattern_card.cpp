// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/add_pattern_card.h"

#include "sessions/patterns/pattern_library.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

namespace {

QPlainTextEdit* makeText(const char* name, QWidget* parent)
{
    auto* text = new QPlainTextEdit(parent);
    text->setObjectName(QString::fromLatin1(name));
    text->setTabChangesFocus(true);
    text->setMaximumHeight(96);
    return text;
}

} // namespace

AddPatternCard::AddPatternCard(QWidget* parent)
    : Card(tr("Add pattern"), parent), title_(new QLineEdit(this)), problem_(makeText("patternProblem", this)),
      advice_(makeText("patternAdvice", this)), when_(new QComboBox(this)), minutes_(new QDoubleSpinBox(this)),
      save_(new ReasonedButton(tr("Save pattern"), true, this))
{
    setTone(QStringLiteral("accent"));
    title_->setObjectName(QStringLiteral("patternTitle"));
    when_->setObjectName(QStringLiteral("patternWhen"));
    for (const std::string& occasion : occasions())
        when_->addItem(q(occasion), q(occasion));
    minutes_->setObjectName(QStringLiteral("patternMinutes"));
    minutes_->setRange(0, 10000);
    minutes_->setDecimals(0);
    minutes_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    minutes_->setSuffix(tr(" min"));
    minutes_->setSpecialValueText(tr("not quoted"));
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->addRow(tr("Title"), title_);
    form->addRow(tr("Problem it avoids"), problem_);
    form->addRow(tr("What to do"), advice_);
    form->addRow(tr("When to suggest it"), when_);
    form->addRow(tr("Minutes saved per use"), minutes_);
    body()->addLayout(form);
    auto* buttons = new QHBoxLayout;
    save_->button()->setObjectName(QStringLiteral("savePattern"));
    auto* cancel = makeButton(tr("Cancel"), false, this);
    buttons->addWidget(save_);
    buttons->addWidget(cancel);
    buttons->addStretch(1);
    body()->addLayout(buttons);
    body()->addStretch(1);
    connect(save_, &ReasonedButton::clicked, this, &AddPatternCard::submit);
    connect(cancel, &QPushButton::clicked, this, &AddPatternCard::canceled);
}

void AddPatternCard::setDraft(const Pattern& draft)
{
    draft_ = draft;
    setCaption(draft.origin.empty() ? tr("Your own pattern") : tr("Drafted from %1. Edit as needed.").arg(q(draft.origin)));
    title_->setText(q(draft.title));
    problem_->setPlainText(q(draft.problem));
    advice_->setPlainText(q(draft.advice));
    when_->setCurrentIndex(std::max(0, when_->findData(q(draft.when))));
    minutes_->setValue(draft.quotedMinutes.value_or(0));
    title_->setFocus();
}

void AddPatternCard::setLocked(const QString& reason)
{
    save_->setReason(reason);
}

void AddPatternCard::submit()
{
    Pattern pattern = draft_;
    pattern.title = utf8(title_->text().trimmed());
    pattern.problem = utf8(problem_->toPlainText().trimmed());
    pattern.advice = utf8(advice_->toPlainText().trimmed());
    pattern.when = utf8(when_->currentData().toString());
    pattern.slug.clear(); // derived from the current title
    pattern.quotedMinutes = minutes_->value() > 0 ? std::optional(minutes_->value()) : std::nullopt;
    emit saved(pattern);
}

} // namespace kl::ui
