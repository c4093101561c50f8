// SPDX-License-Identifier: MIT
#include "ui/widgets/card.h"

#include "ui/style/theme.h"

#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

Card::Card(const QString& title, QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("card"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(kGapBetween, 12, kGapBetween, kGapBetween);
    outer->setSpacing(kGapInside);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGapInside);
    title_ = makeLabel({}, TextRole::card, this);
    title_->setWordWrap(true);
    tools_ = new QHBoxLayout;
    tools_->setSpacing(kGapTight);
    head->addWidget(title_, 1);
    head->addLayout(tools_);
    head->setAlignment(tools_, Qt::AlignTop);
    caption_ = makeLabel({}, TextRole::caption, this);
    caption_->setWordWrap(true);
    caption_->hide();
    body_ = new QVBoxLayout;
    body_->setSpacing(kGapInside);
    outer->addLayout(head);
    outer->addWidget(caption_);
    outer->addLayout(body_, 1);
    setTitle(title);
}

void Card::setTitle(const QString& title)
{
    title_->setText(title);
    title_->setVisible(!title.isEmpty());
    if (!title.isEmpty())
        setAccessibleName(title);
}

QString Card::title() const
{
    return title_->text();
}

void Card::setCaption(const QString& caption)
{
    caption_->setText(caption);
    caption_->setVisible(!caption.isEmpty());
}

void Card::setTone(const QString& tone)
{
    setProperty("tone", tone);
    style()->unpolish(this);
    style()->polish(this);
}

void fixColumn(QWidget* column, int least)
{
    column->setFixedWidth(std::max(least, column->minimumSizeHint().width()));
}

namespace {

/// Where widgets of a window wait for their end. Without a parent they would leave the window, and each that does walks the chain of all
/// widgets that can have the focus: thousands, in a window with many pages.
QWidget* findDiscardPlace(QWidget* window)
{
    const QString name = QStringLiteral("discarded");
    QWidget* place = window->findChild<QWidget*>(name, Qt::FindDirectChildrenOnly);
    if (!place) {
        place = new QWidget(window);
        place->setObjectName(name);
        place->hide();
    }
    return place;
}

} // namespace

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            QList<QWidget*> parts = widget->findChildren<QWidget*>();
            for (QWidget* part : parts << widget) // else each is styled once more, for the place where it waits
                part->setAttribute(Qt::WA_WState_Polished, false);
            widget->setParent(findDiscardPlace(widget->window()));
            widget->deleteLater();
        } else if (QLayout* inner = item->layout()) {
            clearLayout(inner);
        }
        delete item;
    }
}

QFrame* makeHairline(QWidget* parent)
{
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    return line;
}

} // namespace kl::ui
