// SPDX-License-Identifier: MIT
#include "ui/window/shortcut_sheet.h"

#include "ui/style/theme.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

struct Group {
    QString title;
    std::vector<std::pair<QString, QString>> rows; ///< what, keys
};

QString describeKeys(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

std::vector<Group> groupActions(const WindowActions& actions)
{
    std::vector<Group> groups{{ShortcutSheet::tr("Pages"), {}}};
    for (const QAction* action : actions.all())
        if (!WindowActions::lookUpRow(action) && !action->shortcut().isEmpty())
            groups.front().rows.emplace_back(action->text(), describeKeys(*action));
    for (const WindowMenu menu : kWindowMenus) {
        Group group{withoutMnemonic(QCoreApplication::translate("Actions", menuTitle(menu))), {}};
        for (const QAction* action : actions.all())
            if (const WindowActionRow* row = WindowActions::lookUpRow(action); row && row->menu == menu && !action->shortcut().isEmpty())
                group.rows.emplace_back(withoutMnemonic(action->text()), describeKeys(*action));
        if (!group.rows.empty())
            groups.push_back(std::move(group));
    }
    groups.push_back({ShortcutSheet::tr("Tables"),
                      {{ShortcutSheet::tr("Open the selected row"), ShortcutSheet::tr("Enter")},
                       {ShortcutSheet::tr("Add the selected run to Compare"), ShortcutSheet::tr("Space")},
                       {ShortcutSheet::tr("Select several rows"), ShortcutSheet::tr("Ctrl+click, Shift+arrows")},
                       {ShortcutSheet::tr("Copy rows, tab-separated"), QStringLiteral("Ctrl+C")},
                       {ShortcutSheet::tr("Menu of a row or chart"), ShortcutSheet::tr("Menu key")}}});
    return groups;
}

} // namespace

ShortcutSheet::ShortcutSheet(const WindowActions& actions, QWidget* parent) : Dialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* content = new QWidget(this);
    auto* columns = new QHBoxLayout(content);
    columns->setSpacing(kGapPage * 2);
    const std::vector<Group> groups = groupActions(actions);
    QVBoxLayout* column = nullptr;
    std::size_t rows = 0;
    for (const Group& group : groups) {
        constexpr std::size_t kRowsPerColumn = 14;
        if (!column || rows + group.rows.size() > kRowsPerColumn) {
            if (column)
                column->addStretch(1);
            column = new QVBoxLayout;
            column->setSpacing(kGapInside); // else that between the columns
            columns->addLayout(column);
            rows = 0;
        }
        rows += group.rows.size();
        column->addWidget(makeLabel(group.title, TextRole::card, content));
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(kGapPage);
        grid->setVerticalSpacing(kGapTight);
        for (const auto& [what, keys] : group.rows) {
            const int at = grid->rowCount();
            grid->addWidget(makeLabel(what, TextRole::body, content), at, 0);
            grid->addWidget(makeLabel(keys, TextRole::code, content), at, 1, Qt::AlignRight);
        }
        column->addLayout(grid);
        column->addSpacing(kGapBetween);
    }
    if (column)
        column->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("plain"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(content);
    area->setMinimumSize(content->sizeHint().boundedTo(parent->size() - QSize(4 * kGapPage, 6 * kGapPage)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* whole = new QVBoxLayout(this);
    whole->addWidget(area, 1);
    whole->addWidget(buttons);
}

} // namespace kl::ui
