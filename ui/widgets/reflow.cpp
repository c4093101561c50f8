// SPDX-License-Identifier: MIT
#include "ui/widgets/reflow.h"

#include "ui/style/tokens.h"
#include "ui/widgets/card.h"

#include <QBoxLayout>
#include <QEvent>
#include <QWidget>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kScrollBar = 12;

} // namespace

Reflow::Reflow(QBoxLayout* columns, QWidget* page, int least) : QObject(page), columns_(columns), page_(page), least_(least)
{
    for (int i = 0; i < columns->count(); ++i)
        if (QWidget* widget = columns->itemAt(i)->widget(); widget && widget->minimumWidth() == widget->maximumWidth())
            fixed_.push_back(widget);
    page->installEventFilter(this);
}

bool Reflow::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
        arrange();
    return false;
}

void Reflow::arrange()
{
    if (QWidget* holder = columns_->parentWidget(); holder && holder != watched_) {
        watched_ = holder;
        holder->installEventFilter(this); // its columns need more or less room once they are filled
    }
    int needed = 2 * kGapPage + kScrollBar + std::max(0, columns_->count() - 1) * columns_->spacing();
    for (int i = 0; i < columns_->count(); ++i)
        needed += columns_->itemAt(i)->minimumSize().width();
    if (const auto* card = qobject_cast<const Card*>(columns_->parentWidget()); card && card->layout() != columns_) {
        const QMargins around = card->layout()->contentsMargins();
        needed += around.left() + around.right();
    }
    const bool beside = page_->width() >= std::max(needed, least_);
    const auto direction = beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (columns_->direction() == direction)
        return;
    columns_->setDirection(direction);
    for (QWidget* column : fixed_)
        column->setMaximumWidth(beside ? column->minimumWidth() : QWIDGETSIZE_MAX);
}

} // namespace kl::ui
