// SPDX-License-Identifier: MIT
#include "tests/ui/support/seen_texts.h"

#include "ui/widgets/breakable.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {

void settleWidgets()
{
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

QStringList seenOn(const QWidget& widget)
{
    settleWidgets();
    QStringList texts;
    for (const QWidget* part : widget.findChildren<QWidget*>()) {
        if (!part->isVisibleTo(&widget))
            continue;
        if (const auto* label = qobject_cast<const QLabel*>(part))
            texts << unbroken(label->text());
        else if (const auto* button = qobject_cast<const QAbstractButton*>(part))
            texts << button->text();
    }
    return texts;
}

QString wordsOn(const QWidget& widget)
{
    return seenOn(widget).join(u'\n');
}

QPushButton* buttonOn(const QWidget& widget, const QString& name)
{
    settleWidgets();
    return widget.findChild<QPushButton*>(name);
}

} // namespace kl::ui
