// SPDX-License-Identifier: MIT
#include "ui/style/plain_labels.h"

#include <QEvent>
#include <QLabel>

namespace kl::ui {

bool PlainLabels::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Polish) // before the first measuring; a tooltip has no text yet
        return false;
    if (auto* label = qobject_cast<QLabel*>(watched); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    return false;
}

} // namespace kl::ui
