// SPDX-License-Identifier: MIT
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/tab_room.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

#include <optional>

namespace kl::ui {
namespace {

/// A column that counts how often it is laid out.
class CountedColumn : public QVBoxLayout {
public:
    using QVBoxLayout::QVBoxLayout;
    void setGeometry(const QRect& area) override
    {
        ++passes;
        QVBoxLayout::setGeometry(area);
    }
    int passes = 0;
};

/// Adds labels to a column that is on screen; how often it was laid out for them.
int passesFor(bool paused)
{
    QWidget page;
    page.resize(300, 600);
    auto* column = new CountedColumn(&page);
    page.show();
    QCoreApplication::processEvents();
    const int before = column->passes;
    {
        std::optional<LayoutPause> pause;
        if (paused)
            pause.emplace(page);
        for (int i = 0; i < 8; ++i)
            column->addWidget(new QLabel(QString::number(i), &page));
        auto* hidden = new QLabel(QStringLiteral("hidden"), &page);
        hidden->hide();
        column->addWidget(hidden);
    }
    for (int turn = 0; turn < 3; ++turn)
        QCoreApplication::processEvents();
    int y = -1;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        EXPECT_EQ(label->isVisible(), label->text() != QStringLiteral("hidden"));
        if (label->isVisible()) {
            EXPECT_GT(label->y(), y) << "below the one before";
            y = label->y();
        }
    }
    return column->passes - before;
}

TEST(LayoutPause, WhatIsAddedIsLaidOutOnce)
{
    const int paused = passesFor(true);
    EXPECT_GE(paused, 1);
    EXPECT_LE(paused, 2);
    EXPECT_LT(paused, passesFor(false)) << "each label for itself";
}

TEST(LayoutPause, LetsAHiddenWidgetAlone)
{
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* label = new QLabel(QStringLiteral("a"), &page);
    {
        const LayoutPause pause(page);
        column->addWidget(label);
        EXPECT_TRUE(column->isEnabled());
    }
    EXPECT_FALSE(label->isVisible());
    page.show();
    EXPECT_TRUE(label->isVisible());
}

TEST(LayoutPause, WhatWasResizedMeanwhileIsLaidOutBehindIt)
{
    QWidget page;
    page.resize(400, 200);
    auto* inside = new QWidget(&page);
    inside->setGeometry(0, 0, 100, 50);
    auto* row = new QHBoxLayout(inside);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(QStringLiteral("a"), inside);
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    row->addWidget(label);
    page.show();
    QCoreApplication::processEvents();
    ASSERT_EQ(label->size(), QSize(100, 50));
    {
        const LayoutPause pause(page);
        inside->resize(250, 80);
        EXPECT_EQ(label->size(), QSize(100, 50)) << "not yet";
    }
    EXPECT_EQ(label->size(), QSize(250, 80));
    inside->resize(120, 60);
    EXPECT_EQ(label->size(), QSize(120, 60)) << "and as ever from then on";
}

TEST(TabRoom, IsWhereATabEndsUp)
{
    QTabWidget tabs;
    auto* tab = new QWidget(tabRoom(tabs));
    const QWidget* before = tab->parentWidget();
    tabs.addTab(tab, QStringLiteral("tab"));
    EXPECT_EQ(tab->parentWidget(), before);
}

} // namespace
} // namespace kl::ui
