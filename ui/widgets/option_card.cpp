// SPDX-License-Identifier: MIT
#include "ui/widgets/option_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"

#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace kl::ui {

OptionCard::OptionCard(const QString& title, QWidget* parent) : Card(title, parent)
{
    facts_ = new QHBoxLayout;
    facts_->setSpacing(kGapBetween);
    facts_->addStretch(1);
    text_ = makeLabel({}, TextRole::body, this);
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignTop | Qt::AlignLeft); // in a row of cards all texts start at the same height
    diff_ = makeLabel({}, TextRole::code, this);
    diff_->setTextFormat(Qt::RichText);
    details_ = new QVBoxLayout;
    details_->setSpacing(kGapTight);
    reason_ = makeLabel({}, TextRole::caption, this);
    reason_->setWordWrap(true);
    button_ = makeButton({}, false, this);
    for (QWidget* widget :
         {static_cast<QWidget*>(text_), static_cast<QWidget*>(diff_), static_cast<QWidget*>(reason_), static_cast<QWidget*>(button_)})
        widget->hide();
    body()->addLayout(facts_);
    body()->addWidget(text_);
    body()->addWidget(diff_);
    body()->addLayout(details_);
    body()->addWidget(reason_);
    body()->addWidget(button_, 0, Qt::AlignLeft);
    connect(button_, &QPushButton::clicked, this, &OptionCard::activated);
}

void OptionCard::addFact(const QString& name, const QString& value, Token token)
{
    auto* cell = new QHBoxLayout;
    cell->setSpacing(kGapTight);
    auto* nameLabel = makeLabel(name, TextRole::caption, this);
    auto* valueLabel = makeLabel(value, TextRole::body, this);
    setTextToken(valueLabel, token);
    cell->addWidget(nameLabel);
    cell->addWidget(valueLabel);
    facts_->insertLayout(facts_->count() - 1, cell);
}

void OptionCard::setText(const QString& text)
{
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
}

void OptionCard::setDiff(const QString& diff)
{
    QStringList lines;
    for (const QString& line : diff.split(u'\n')) {
        const QString safe = line.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;"));
        const bool added = line.startsWith(u'+');
        const bool removed = line.startsWith(u'-') || line.startsWith(QChar(0x2212));
        if (added || removed)
            lines << QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color(added ? Token::better : Token::worse).name(), safe);
        else
            lines << safe;
    }
    diff_->setText(lines.join(QStringLiteral("<br>")));
    diff_->setVisible(!diff.isEmpty());
}

void OptionCard::setButton(const QString& text, bool primary)
{
    button_->setText(text);
    button_->setProperty("primary", primary);
    button_->style()->unpolish(button_);
    button_->style()->polish(button_);
    button_->setVisible(!text.isEmpty());
}

void OptionCard::setChosen(bool chosen)
{
    setProperty("chosen", chosen);
    style()->unpolish(this);
    style()->polish(this);
}

void OptionCard::setLocked(const QString& reason)
{
    button_->setEnabled(reason.isEmpty());
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    setTextToken(text_, reason.isEmpty() ? Token::text : Token::muted);
}

} // namespace kl::ui
