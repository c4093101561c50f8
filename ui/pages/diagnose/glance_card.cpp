// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/glance_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {

GlanceCard::GlanceCard(QWidget* parent) : Card({}, parent), grid_(new QGridLayout)
{
    grid_->setHorizontalSpacing(kGapBetween);
    grid_->setVerticalSpacing(2);
    body()->addLayout(grid_);
}

void GlanceCard::add(const QString& place, const QString& title)
{
    const int column = grid_->count() / 2;
    QPushButton* button = makeLinkButton(title, this);
    button->setObjectName(QStringLiteral("glance-") + place);
    connect(button, &QPushButton::clicked, this, [this, place] { emit chosen(place); });
    QLabel* text = makeLabel({}, TextRole::caption, this);
    text->setObjectName(QStringLiteral("glanceText-") + place);
    text->setWordWrap(true);
    text->setContentsMargins(4, 0, 0, 0); // a link's border and padding
    grid_->addWidget(button, 0, column, Qt::AlignLeft);
    grid_->addWidget(text, 1, column, Qt::AlignTop);
    grid_->setColumnStretch(column, 1);
}

void GlanceCard::setText(const QString& place, const QString& text, const QString& missing)
{
    findChild<QLabel*>(QStringLiteral("glanceText-") + place)->setText(text.isEmpty() ? missing : text);
    findChild<QPushButton*>(QStringLiteral("glance-") + place)->setEnabled(!text.isEmpty());
}

} // namespace kl::ui
