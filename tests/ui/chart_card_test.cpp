// SPDX-License-Identifier: MIT
// The card around a chart: its menu, files, names and table.
#include "tests/ui/support/file_answer.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace kl::ui {
namespace {

class ChartCards : public testing::Test {
protected:
    void SetUp() override
    {
        stack->setRows({"barrier", "wait"}, {{"a", {1, 3}, {}}}, "%", {});
        card.resize(400, 300);
        card.show();
        QCoreApplication::processEvents();
    }
    QAction& entry(const char* part) const
    {
        for (QAction* action : card.findChild<QToolButton*>("chartMenu")->menu()->actions())
            if (action->text().contains(QLatin1String(part)))
                return *action;
        ADD_FAILURE() << part;
        return *card.findChild<QAction*>("copyData");
    }
    /// What the card says of a file.
    QString findMessage(const QString& path) const
    {
        for (const QLabel* label : card.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(path))
                return label->text();
        return {};
    }
    QTemporaryDir folder;
    StackedBar* stack = new StackedBar;
    ChartCard card{"Stalls", stack};
};

TEST_F(ChartCards, EachFormatIsSavedFromTheMenu)
{
    QSettings().setValue("folders/charts", folder.path());
    for (const auto& [suffix, begin] : {std::pair("png", "\x89PNG"), {"svg", "<?xml"}, {"csv", "Part,\"a, %\"\nbarrier,1\nwait,3\n"}}) {
        const QString path = folder.filePath(QStringLiteral("saved.") + QLatin1String(suffix));
        const FileAnswer answer(path);
        entry(utf8(QString::fromLatin1(suffix).toUpper()).c_str()).trigger();
        ASSERT_TRUE(answer.seen()) << suffix;
        EXPECT_EQ(answer.folder(), folder.path());
        EXPECT_EQ(answer.name(), QStringLiteral("chart.") + QLatin1String(suffix));
        EXPECT_EQ(answer.filters().filter(QStringLiteral("*.") + QLatin1String(suffix)).size(), 1);
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << suffix;
        EXPECT_TRUE(file.readAll().startsWith(begin)) << suffix;
        EXPECT_TRUE(findMessage(path).endsWith(path)) << "where it is";
    }
    card.setCaption({});
    const FileAnswer canceled{QString()};
    entry("CSV").trigger();
    EXPECT_TRUE(canceled.seen());
    EXPECT_TRUE(findMessage("csv").isEmpty());
    const QString missing = folder.filePath("missing/a.csv");
    const FileAnswer wrong(missing);
    entry("CSV").trigger();
    EXPECT_TRUE(findMessage(missing).startsWith(missing)) << "that it was not written";
    QSettings().remove("folders");
}

TEST_F(ChartCards, AFileThatCannotBeWrittenIsSaid)
{
    const QString path = folder.filePath("locked.svg");
    EXPECT_FALSE(card.savePng(folder.filePath("missing/a.png")));
    EXPECT_FALSE(card.saveSvg(folder.filePath("missing/a.svg")));
    ASSERT_TRUE(card.saveSvg(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    EXPECT_TRUE(svg.contains("<title>Stalls</title>")) << svg.left(400).toStdString();
}

TEST_F(ChartCards, APictureIsTwiceAsLargeAndNotTooSmall)
{
    ASSERT_LT(stack->height(), 320);
    EXPECT_EQ(card.image().size(), QSize(1280, 640));
    card.resize(1000, 700);
    QCoreApplication::processEvents();
    EXPECT_EQ(card.image().size(), stack->size() * 2);
    entry("Copy image").trigger();
    EXPECT_EQ(QApplication::clipboard()->image().size(), card.image().size());
}

TEST_F(ChartCards, NamesFollowTheFinding)
{
    const auto* menu = card.findChild<QToolButton*>("chartMenu");
    EXPECT_TRUE(menu->accessibleName().endsWith("Stalls"));
    card.showAsTable(true);
    const auto* table = card.findChild<QTableWidget*>();
    EXPECT_EQ(table->accessibleName(), "Stalls");
    card.setFinding("Barrier takes most", "A sentence of it.");
    EXPECT_EQ(card.title(), "Barrier takes most");
    EXPECT_EQ(table->accessibleName(), "Barrier takes most");
    EXPECT_TRUE(menu->accessibleName().endsWith("Barrier takes most"));
    EXPECT_EQ(stack->accessibleName(), "A sentence of it.");
    card.setFinding("Wait takes most");
    EXPECT_EQ(stack->accessibleName(), "Wait takes most") << "not the sentence before";
    EXPECT_FALSE(stack->accessibleDescription().isEmpty());
}

TEST_F(ChartCards, TheTableIsShownHiddenAndFilledAgain)
{
    QAction& toggle = entry("table");
    EXPECT_TRUE(toggle.isCheckable());
    toggle.trigger();
    EXPECT_TRUE(card.showsTable());
    auto* table = card.findChild<QTableWidget*>();
    EXPECT_EQ(table->horizontalHeaderItem(1)->text(), "a, %");
    EXPECT_EQ(table->item(1, 1)->text(), "3");
    EXPECT_EQ(table->editTriggers(), QAbstractItemView::NoEditTriggers);
    toggle.trigger();
    EXPECT_FALSE(card.showsTable());
    stack->setRows({"barrier"}, {{"b", {7}, {}}}, "%", {});
    toggle.trigger();
    ASSERT_EQ(table->rowCount(), 1) << "the chart as it is now";
    EXPECT_EQ(table->item(0, 1)->text(), "7");
    EXPECT_EQ(card.findChildren<QTableWidget*>().size(), 1);
    stack->setRows({"barrier", "wait"}, {{"b", {7, 8}, {}}}, "%", {});
    ASSERT_EQ(table->rowCount(), 2) << "also while it is shown";
    table->selectRow(1);
    EXPECT_EQ(card.tsv(), "Part\tb, %\nwait\t8");
    entry("Copy data").trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), "Part\tb, %\nwait\t8");
}

TEST_F(ChartCards, TheMenuOpensAtTheChartToo)
{
    auto* menu = card.findChild<QToolButton*>("chartMenu")->menu();
    emit stack->customContextMenuRequested({10, 20});
    EXPECT_TRUE(menu->isVisible());
    EXPECT_EQ(menu->pos(), stack->mapToGlobal(QPoint(10, 20)));
    menu->close();
}

TEST(ChartCardReset, ShowsAllAgain)
{
    auto* chart = new XYChart;
    const ChartCard card("Runs", chart);
    XYSpec spec;
    spec.series = {{"runs", Token::series1, false, false, Marker::circle, {{0, 0, {}, {}, {}}, {10, 10, {}, {}, {}}}, {}}};
    chart->setSpec(spec);
    chart->zoom({0.5, 0.5}, 0.5);
    card.findChild<QAction*>("resetZoom")->trigger();
    EXPECT_FALSE(chart->isZoomed());
}

} // namespace
} // namespace kl::ui
