// SPDX-License-Identifier: MIT
#include "ui/widgets/breakable.h"
#include "ui/window/find_bar.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QTest>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

/// A page with one label, under a bar.
class FindOnPage : public testing::Test {
protected:
    void SetUp() override
    {
        window.resize(600, 400);
        page = new QWidget(&window);
        page->resize(600, 400);
        column = new QVBoxLayout(page);
        label = new QLabel(page);
        column->addWidget(label);
        bar = new FindBar(&window);
        words = window.findChild<QLineEdit*>("findInPage");
        window.show();
        QCoreApplication::processEvents();
    }
    int countHits(const QString& text) const
    {
        words->setText(text);
        return bar->hits();
    }
    QWidget window;
    QWidget* page = nullptr;
    QVBoxLayout* column = nullptr;
    QLabel* label = nullptr;
    FindBar* bar = nullptr;
    QLineEdit* words = nullptr;
};

TEST_F(FindOnPage, NamesThatMayBreakAreFoundWhole)
{
    const QString name = "smsp__inst_executed.avg.per_cycle_active";
    label->setText(breakable(name));
    ASSERT_NE(label->text(), name);
    bar->open(page);
    EXPECT_EQ(countHits(name), 1);
    EXPECT_EQ(countHits("executed.AVG"), 1);
    label->setTextFormat(Qt::RichText);
    EXPECT_EQ(countHits("avg.per_cycle"), 1);
}

TEST_F(FindOnPage, MarkupIsOnlyThatOfRichText)
{
    label->setTextFormat(Qt::AutoText);
    label->setText("a <b>bold</b> word");
    bar->open(page);
    EXPECT_EQ(countHits("a bold word"), 1) << "it looks like markup, and is shown so";
    EXPECT_EQ(countHits("<b>"), 0);
    label->setTextFormat(Qt::PlainText);
    EXPECT_EQ(countHits("<b>bold"), 1);
    EXPECT_EQ(countHits("a bold word"), 0);
}

TEST_F(FindOnPage, CellsAreFoundInEveryColumnAndBelowOthers)
{
    auto* table = new QTableWidget(3, 2, page);
    table->setItem(0, 0, new QTableWidgetItem("Needle one"));
    table->setItem(2, 0, new QTableWidgetItem("two needles"));
    table->setItem(1, 1, new QTableWidgetItem("a needle"));
    column->addWidget(table);
    QCoreApplication::processEvents();
    bar->open(page);
    ASSERT_EQ(countHits("needle"), 3);
    const auto* mark = window.findChild<QFrame*>("foundMark");
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->geometry(), table->visualItemRect(table->item(0, 0)));
    bar->step(1);
    EXPECT_EQ(window.findChild<QFrame*>("foundMark")->geometry(), table->visualItemRect(table->item(2, 0))) << "column by column";
    EXPECT_EQ(countHits("needle o"), 1);
}

TEST_F(FindOnPage, AFarPlaceIsScrolledToAndOpeningAgainKeepsItsWords)
{
    auto* area = new QScrollArea(page);
    auto* inside = new QWidget;
    inside->resize(300, 3000);
    auto* far = new QLabel("far away", inside);
    far->move(0, 2900);
    area->setWidget(inside);
    column->addWidget(area);
    QCoreApplication::processEvents();
    bar->open(page);
    EXPECT_EQ(countHits("far away"), 1);
    EXPECT_GT(area->verticalScrollBar()->value(), 2000);
    EXPECT_EQ(window.findChild<QFrame*>("foundMark")->parentWidget(), far);
    bar->close();
    EXPECT_EQ(window.findChild<QFrame*>("foundMark"), nullptr);
    bar->open(page);
    EXPECT_EQ(words->selectedText(), "far away") << "what is typed replaces it";
    EXPECT_EQ(bar->hits(), 1);
}

TEST_F(FindOnPage, TheBarStaysInTheCornerOfItsWindow)
{
    bar->open(page);
    const int gap = window.width() - bar->geometry().right();
    EXPECT_GT(gap, 0);
    window.resize(900, 500);
    QCoreApplication::processEvents();
    EXPECT_EQ(window.width() - bar->geometry().right(), gap);
}

TEST_F(FindOnPage, EscapeClosesItAndGivesTheFocusBack)
{
    auto* before = new QPushButton("before", page);
    column->addWidget(before);
    before->show();
    QApplication::setActiveWindow(&window);
    before->setFocus();
    ASSERT_EQ(QApplication::focusWidget(), before);
    label->setText("here, here");
    bar->open(page);
    bar->open(page);
    EXPECT_EQ(QApplication::focusWidget(), words);
    QTest::keyClick(words, Qt::Key_Escape);
    EXPECT_TRUE(bar->isHidden());
    EXPECT_EQ(QApplication::focusWidget(), before) << "although it was opened twice";
}

} // namespace
} // namespace kl::ui
