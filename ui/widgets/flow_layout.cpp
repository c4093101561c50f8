// SPDX-License-Identifier: MIT
#include "ui/widgets/flow_layout.h"

#include <algorithm>

namespace kl::ui {

FlowLayout::FlowLayout(QWidget* parent, int gapX, int gapY) : QLayout(parent), gapX_(gapX), gapY_(gapY)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    for (QLayoutItem* item : items_)
        delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    QLayoutItem* item = itemAt(index);
    if (item != nullptr)
        items_.erase(items_.begin() + index);
    return item;
}

QSize FlowLayout::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const QLayoutItem* item : items_) {
        width += item->sizeHint().width() + (width > 0 ? gapX_ : 0);
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

QSize FlowLayout::minimumSize() const
{
    QSize least(0, 0);
    for (const QLayoutItem* item : items_)
        least = least.expandedTo(item->minimumSize());
    return least;
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    place(area, true);
}

int FlowLayout::place(const QRect& area, bool move) const
{
    int x = 0;
    int y = 0;
    int line = 0;
    for (QLayoutItem* item : items_) {
        const QSize size = item->sizeHint();
        if (x > 0 && x + size.width() > area.width()) {
            x = 0;
            y += line + gapY_;
            line = 0;
        }
        if (move)
            item->setGeometry(QRect(area.topLeft() + QPoint(x, y), QSize(std::min(size.width(), area.width()), size.height())));
        x += size.width() + gapX_;
        line = std::max(line, size.height());
    }
    return y + line;
}

} // namespace kl::ui
