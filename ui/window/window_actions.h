// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/window/action_table.h"

#include <QObject>

#include <functional>
#include <map>

class QAction;
class QMenuBar;
class QWidget;

namespace kl::ui {

/// The window's actions as QActions: those of the table and one per page, in the menus of a menu bar and with their shortcuts.
class WindowActions : public QObject {
    Q_OBJECT
public:
    /// `window`: gets the shortcuts. `perform` and `show` do what an action says.
    WindowActions(QWidget* window, const std::vector<PageEntry>& pages, std::function<void(WindowAction)> perform,
                  std::function<void(const QString& page)> show);

    void fill(QMenuBar* bar) const;
    QAction* of(WindowAction action) const { return actions_.at(action); }
    /// By the name in its row; null for another.
    QAction* named(const QString& name) const;
    /// All, the pages first; each knows its row by lookUpRow().
    const std::vector<QAction*>& all() const { return all_; }
    /// Null for the action of a page.
    static const WindowActionRow* lookUpRow(const QAction* action);

    /// An empty reason enables the actions with that need; any other disables them and is their tooltip.
    void setReason(ActionNeed need, const QString& reason);

private:
    QAction* add(QWidget* window, const WindowActionRow& row);

    std::map<WindowAction, QAction*> actions_;
    std::vector<QAction*> pages_;
    std::vector<QAction*> all_;
};

/// "Open report…" of "&Open report…".
QString withoutMnemonic(QString text);

} // namespace kl::ui
