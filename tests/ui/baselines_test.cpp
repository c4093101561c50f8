// SPDX-License-Identifier: MIT
// Pinned baselines on Diagnose: every figure has its change against each.
#include "ui/charts/delta.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/baselines.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/metric_browser.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTest>

namespace kl::ui {
namespace {

TEST(Deltas, AreRelativeOrInPointsAndSayWhatIsMissing)
{
    EXPECT_EQ(deltaText(30, 100, false), "\u221270\u202f%");
    EXPECT_EQ(deltaText(104, 100, false), "+4.0\u202f%");
    EXPECT_EQ(deltaText(340, 100, false), "×3.4");
    EXPECT_EQ(deltaText(200, 100, false), "×2");
    EXPECT_EQ(deltaText(50, 100, false), "\u221250\u202f%") << "of what it was";
    EXPECT_EQ(deltaText(100, 100, false), "=");
    EXPECT_EQ(deltaText(100.3, 100, false), "+0.3\u202f%");
    EXPECT_EQ(deltaText(12.1, 12.0, true), "+0.1\u202fpts");
    EXPECT_EQ(deltaText(5, 0, false), "new");
    EXPECT_EQ(deltaText(16.2, 12.0, true), "+4.2\u202fpts");
    EXPECT_EQ(deltaText(12.0, 12.0, true), "=");
    EXPECT_EQ(deltaText({}, 1, false), "n/a");
    EXPECT_EQ(deltaText(1, {}, true), "n/a");
}

class Pinned : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("baselines");
        open();
    }
    void TearDown() override
    {
        waitForJobs();
        QSettings().remove("baselines");
    }
    void open()
    {
        window.reset();
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
    }
    void show(const char* kernel)
    {
        window->showPage("diagnose", kernel);
        ASSERT_TRUE(waitForJobs());
    }
    template <class Widget> Widget* find(const char* name) const { return window->page("diagnose")->findChild<Widget*>(name); }
    void pinShown()
    {
        QTest::mouseClick(window->findChild<QPushButton*>("pinBaseline"), Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }

    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

/// Rows of a chart's table that have a value have a change, too.
void expectChanges(const ChartTable& table, int value, int change)
{
    ASSERT_GT(table.header.size(), change);
    int measured = 0;
    for (const QStringList& row : table.rows)
        if (!row.value(value).isEmpty() && !row.value(value).startsWith("not measured")) {
            ++measured;
            EXPECT_TRUE(row.value(change).startsWith("Δ ")) << row.join(" | ").toStdString();
        }
    EXPECT_GT(measured, 0);
}

TEST_F(Pinned, NoNumberIsWithoutItsChange)
{
    show("transpose/naive");
    EXPECT_FALSE(find<QWidget>("baselineStrip")->isVisible());
    EXPECT_EQ(find<MemoryChartView>("memoryChart")->table().header.size(), 4);
    pinShown();
    show("transpose/tiled");
    EXPECT_TRUE(find<QWidget>("baselineStrip")->isVisible());
    const auto* evidence = find<EvidenceBars>("evidenceBars");
    expectChanges(evidence->table(), 1, evidence->table().header.size() - 1);
    for (const EvidenceRow& row : evidence->rows())
        if (row.value) {
            ASSERT_EQ(row.deltas.size(), 1U) << row.name.toStdString();
            EXPECT_TRUE(row.deltas.front().before) << row.name.toStdString();
        }
    const ChartTable memory = find<MemoryChartView>("memoryChart")->table();
    expectChanges(memory, 2, memory.header.size() - 1);
    if (const auto* stalls = find<StackedBar>("stallBars"); stalls->isVisible())
        expectChanges(stalls->table(), 1, 2);
    if (const auto* units = find<EvidenceBars>("unitBars"); units->isVisible())
        expectChanges(units->table(), 1, units->table().header.size() - 1);
    int facts = 0;
    for (const QLabel* fact : window->page("diagnose")->findChildren<QLabel*>("baselineFact"))
        facts += !fact->text().isEmpty();
    EXPECT_GT(facts, 5);
    EXPECT_EQ(window->page("diagnose")->findChildren<QLabel*>("baselineTime").size(), 1);
}

TEST_F(Pinned, ARooflinePointSaysHowMuchMoreItDoes)
{
    show("matmul/naive");
    const auto* roofline = find<XYChart>("roofline");
    if (!roofline->isVisible())
        GTEST_SKIP() << "the sample has no matmul/naive with a place in the roofline";
    const std::size_t notes = roofline->spec().notes.size();
    pinShown();
    EXPECT_EQ(roofline->spec().notes.size(), notes) << "not against itself";
    show("matmul/tiled");
    EXPECT_GT(find<XYChart>("roofline")->spec().notes.size(), notes);
}

TEST_F(Pinned, StaysThroughARestartAndSeveralHaveTheirColors)
{
    show("transpose/naive");
    pinShown();
    show("transpose/tiled");
    pinShown();
    open();
    show("transpose/padded");
    EXPECT_EQ(window->page("diagnose")->findChildren<QLabel*>("baselineTime").size(), 2);
    for (const EvidenceRow& row : find<EvidenceBars>("evidenceBars")->rows()) {
        ASSERT_EQ(row.deltas.size(), 2U);
        EXPECT_NE(row.deltas[0].token, row.deltas[1].token);
    }
    QTest::mouseClick(find<QPushButton>("unpinBaseline"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(Baselines::instance().of(context->location()).size(), 1U);
    EXPECT_EQ(window->page("diagnose")->findChildren<QLabel*>("baselineTime").size(), 1);
}

TEST_F(Pinned, TheMetricsAreComparedWithTheNewestOne)
{
    show("transpose/naive");
    pinShown();
    show("transpose/tiled");
    window->showPage("diagnose", "metric:dram__bytes_read.sum");
    ASSERT_TRUE(waitForJobs());
    bool compared = false;
    for (const MetricGroup& group : window->page("diagnose")->findChild<MetricBrowser*>()->model().groups())
        for (const MetricRow& row : group.rows)
            compared |= row.baseline.has_value();
    EXPECT_TRUE(compared);
}

TEST(Baselines, AFifthTakesThePlaceOfTheOldest)
{
    const QString database = "baselines-test";
    for (const char* id : {"a", "b", "c", "d", "e"})
        Baselines::instance().pin(database, {id}, true);
    const std::vector<RunId> ids = Baselines::instance().of(database);
    ASSERT_EQ(ids.size(), 4U);
    EXPECT_EQ(ids.front().text, "b");
    for (const RunId& id : ids)
        Baselines::instance().pin(database, id, false);
    EXPECT_TRUE(Baselines::instance().of(database).empty());
}

} // namespace
} // namespace kl::ui
