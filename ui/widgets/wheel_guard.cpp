// SPDX-License-Identifier: MIT
#include "ui/widgets/wheel_guard.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QSlider>
#include <QTabBar>

namespace kl::ui {
namespace {

constexpr const char* kAfterClick = "wheelAfterClick"; ///< property of a list

/// Whether the wheel would change its value.
bool changesByWheel(const QObject* object)
{
    return qobject_cast<const QComboBox*>(object) || qobject_cast<const QAbstractSpinBox*>(object) ||
           qobject_cast<const QSlider*>(object) || qobject_cast<const QTabBar*>(object);
}

/// What the wheel over an object would change: the object itself, or the list that has it as its viewport. Null for nothing.
QWidget* findChanged(QObject* object)
{
    if (changesByWheel(object))
        return static_cast<QWidget*>(object);
    auto* list = qobject_cast<QAbstractScrollArea*>(object->parent());
    return list && list->viewport() == object && list->property(kAfterClick).toBool() ? list : nullptr;
}

} // namespace

void WheelGuard::letPageScroll(QAbstractScrollArea* list)
{
    list->setProperty(kAfterClick, true);
    list->setFocusPolicy(Qt::StrongFocus); // not by the wheel
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish && changesByWheel(watched)) {
        auto* widget = static_cast<QWidget*>(watched);
        if (widget->focusPolicy() == Qt::WheelFocus)
            widget->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (event->type() != QEvent::Wheel)
        return false;
    const QWidget* widget = findChanged(watched);
    if (!widget || widget->hasFocus())
        return false;
    event->ignore(); // the parent gets the event
    return true;
}

} // namespace kl::ui
