// SPDX-License-Identifier: MIT
#include "ui/widgets/tab_room.h"

#include <QStackedWidget>
#include <QTabWidget>

namespace kl::ui {

QWidget* tabRoom(const QTabWidget& tabs)
{
    return tabs.findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

} // namespace kl::ui
