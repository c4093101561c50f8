// SPDX-License-Identifier: MIT
#include "ui/widgets/tab_order.h"

#include <QApplication>
#include <QLayout>
#include <QScrollArea>
#include <QWidget>

#include <algorithm>
#include <utility>
#include <vector>

namespace kl::ui {
namespace {

void collect(QWidget* widget, std::vector<QWidget*>& order);

void collectLayout(const QLayout* layout, std::vector<QWidget*>& order, std::vector<const QWidget*>& seen)
{
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (QWidget* widget = item->widget()) {
            seen.push_back(widget);
            collect(widget, order);
        } else if (item->layout()) {
            collectLayout(item->layout(), order, seen);
        }
    }
}

/// A widget, then what it holds: first as its layout has it, then what is in no layout (pages of tabs, what scrolls, what lies over it),
/// from top to bottom.
void collect(QWidget* widget, std::vector<QWidget*>& order)
{
    if (!widget->isVisible())
        return;
    order.push_back(widget);
    std::vector<const QWidget*> seen;
    if (widget->layout())
        collectLayout(widget->layout(), order, seen);
    std::vector<QWidget*> others;
    for (QObject* child : widget->children())
        if (auto* part = qobject_cast<QWidget*>(child); part && !part->isWindow() && std::ranges::find(seen, part) == seen.end())
            others.push_back(part);
    std::ranges::stable_sort(others, {}, [](const QWidget* part) { return std::pair(part->y(), part->x()); });
    for (QWidget* part : others)
        collect(part, order);
}

bool takesTab(const QWidget* widget)
{
    return (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->isEnabled() && !widget->focusProxy();
}

void scrollTo(QWidget* widget)
{
    for (QWidget* above = widget->parentWidget(); above && !above->isWindow(); above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above))
            area->ensureWidgetVisible(widget);
}

} // namespace

bool focusByLayout(QWidget* window, bool next)
{
    std::vector<QWidget*> order;
    collect(window, order);
    if (!next)
        std::ranges::reverse(order);
    const auto here = std::ranges::find(order, window->focusWidget());
    if (here != order.end()) // the search begins behind it
        std::rotate(order.begin(), here + 1, order.end());
    const auto found = std::ranges::find_if(order, takesTab);
    if (found == order.end())
        return false;
    (*found)->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    scrollTo(*found);
    return true;
}

} // namespace kl::ui
