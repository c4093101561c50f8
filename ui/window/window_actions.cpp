// SPDX-License-Identifier: MIT
#include "ui/window/window_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr const char* kRowProperty = "actionRow"; ///< index in the table

QString translate(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

} // namespace

WindowActions::WindowActions(QWidget* window, const std::vector<PageEntry>& pages, std::function<void(WindowAction)> perform,
                             std::function<void(const QString& page)> show)
    : QObject(window)
{
    constexpr int kNumberedPages = 9;
    int place = 0;
    for (const PageEntry& entry : pages) {
        auto* action = new QAction(entry.word, this);
        action->setObjectName(QStringLiteral("page-") + entry.id);
        if (++place <= kNumberedPages)
            action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + place)));
        connect(action, &QAction::triggered, this, [show, id = entry.id] { show(id); });
        window->addAction(action);
        pages_.push_back(action);
    }
    all_ = pages_;
    for (const WindowActionRow& row : windowActionTable()) {
        QAction* action = add(window, row);
        connect(action, &QAction::triggered, this, [perform, id = row.action] { perform(id); });
    }
}

QAction* WindowActions::add(QWidget* window, const WindowActionRow& row)
{
    auto* action = new QAction(translate(row.text), this);
    action->setObjectName(QString::fromLatin1(row.name));
    action->setProperty(kRowProperty, static_cast<int>(&row - windowActionTable().data()));
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(row.keys).split(u' ', Qt::SkipEmptyParts))
        keys << QKeySequence(key, QKeySequence::PortableText);
    action->setShortcuts(keys);
    action->setMenuRole(row.action == WindowAction::about         ? QAction::AboutRole
                        : row.action == WindowAction::quit        ? QAction::QuitRole
                        : row.action == WindowAction::preferences ? QAction::PreferencesRole
                                                                  : QAction::NoRole);
    window->addAction(action);
    actions_[row.action] = action;
    all_.push_back(action);
    return action;
}

const WindowActionRow* WindowActions::lookUpRow(const QAction* action)
{
    const QVariant place = action->property(kRowProperty);
    return place.isValid() ? &windowActionTable()[static_cast<std::size_t>(place.toInt())] : nullptr;
}

QAction* WindowActions::named(const QString& name) const
{
    for (const WindowActionRow& row : windowActionTable())
        if (name == QLatin1String(row.name))
            return of(row.action);
    return nullptr;
}

void WindowActions::fill(QMenuBar* bar) const
{
    for (const WindowMenu menu : kWindowMenus) {
        QMenu* shown = bar->addMenu(translate(menuTitle(menu)));
        shown->setToolTipsVisible(true);
        if (menu == WindowMenu::view)
            shown->addActions(QList<QAction*>(pages_.begin(), pages_.end()));
        for (const WindowActionRow& row : windowActionTable()) {
            if (row.menu != menu)
                continue;
            if (row.begins)
                shown->addSeparator();
            shown->addAction(actions_.at(row.action));
        }
    }
}

void WindowActions::setReason(ActionNeed need, const QString& reason)
{
    for (const WindowActionRow& row : windowActionTable())
        if (row.need == need) {
            QAction* action = actions_.at(row.action);
            action->setEnabled(reason.isEmpty());
            action->setToolTip(reason.isEmpty() ? withoutMnemonic(action->text()) : reason);
        }
}

QString withoutMnemonic(QString text)
{
    return text.remove(u'&');
}

} // namespace kl::ui
