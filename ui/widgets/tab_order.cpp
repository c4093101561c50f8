// SPDX-License-Identifier: MIT
#include "ui/widgets/tab_order.h"

#include <QLayout>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace kl::ui {
namespace {

bool takesTab(const QWidget* widget)
{
    return (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
}

void collectByLayout(const QLayout* layout, std::vector<QWidget*>& found)
{
    for (int i = 0; layout != nullptr && i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        QWidget* widget = item->widget();
        if (widget != nullptr && takesTab(widget))
            found.push_back(widget);
        else
            collectByLayout(widget != nullptr ? widget->layout() : item->layout(), found);
    }
}

/// The widget before the first of them in the tab order; null if there is none.
QWidget* beforeAll(QWidget* container, const std::vector<QWidget*>& widgets)
{
    const auto isOne = [&](const QWidget* widget) { return std::ranges::find(widgets, widget) != widgets.end(); };
    QWidget* first = container->nextInFocusChain();
    while (first != container && !isOne(first))
        first = first->nextInFocusChain();
    QWidget* before = first->previousInFocusChain();
    while (before != first && (isOne(before) || !takesTab(before) || container->isAncestorOf(before)))
        before = before->previousInFocusChain();
    return before == first ? nullptr : before;
}

} // namespace

void tabByLayout(QWidget* container)
{
    std::vector<QWidget*> widgets;
    collectByLayout(container->layout(), widgets);
    if (widgets.empty())
        return;
    QWidget* before = beforeAll(container, widgets);
    for (QWidget* widget : widgets) {
        if (before != nullptr)
            QWidget::setTabOrder(before, widget);
        before = widget;
    }
}

} // namespace kl::ui
