// SPDX-License-Identifier: MIT
// Searches that go on, are replayed or replaced: what their tabs show is of the points shown so far, and choices stay.
#include "core/base/format.h"
#include "sessions/store/search_records.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/pages/search/parallel_chart.h"
#include "ui/pages/search/watch_bar.h"
#include "ui/pages/search/watch_charts.h"
#include "ui/pages/search/watch_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTest>

namespace kl::ui {
namespace {

SearchTrial timedTrial(double at, std::string tunables, std::optional<double> ns, const char* why = "")
{
    SearchTrial trial;
    trial.tunables = std::move(tunables);
    trial.ns = ns;
    trial.why = why;
    trial.at = at;
    return trial;
}

/// Twelve points in which WARPS decides the time.
SearchRecord decidedSearch()
{
    SearchRecord record;
    record.kernel = "attention/fused";
    record.device = "NVIDIA H200";
    record.problem = "S=512";
    record.startedAt = "2026-01-02T03:04:05.678Z";
    int at = 0;
    for (const int rows : {32, 64, 128})
        for (const int warps : {1, 2, 4, 8}) {
            ++at;
            record.trials.push_back(
                timedTrial(at, "ROWS=" + std::to_string(rows) + ",WARPS=" + std::to_string(warps), 20000.0 / warps + rows));
        }
    return record;
}

SearchRecord fiveTimes()
{
    SearchRecord record;
    record.kernel = "transpose/tiled";
    for (const auto& [tile, ns] : {std::pair(16, 4000.0), {8, 5000.0}, {4, 2000.0}, {2, 3000.0}, {1, 1000.0}})
        record.trials.push_back(timedTrial(tile, "TILE=" + std::to_string(tile), ns));
    return record;
}

TEST(ParallelChoices, TheChosenTimesStayChosenWhenAnotherPointIsMeasured)
{
    ParallelChart chart;
    chart.setTrials(fiveTimes(), 3);
    ASSERT_EQ(chart.axisCount(), 2U);
    chart.brush(1, {0});
    EXPECT_EQ(chart.countKept(), 1U) << "of three the slowest alone is in the slower half";
    chart.setTrials(fiveTimes(), 4);
    EXPECT_TRUE(chart.isBrushed());
    EXPECT_EQ(chart.countKept(), 2U);
    EXPECT_EQ(chart.table().rows.front().last(), q(formatTime(4000)));
    chart.setTrials(fiveTimes(), 5);
    EXPECT_EQ(chart.countKept(), 2U);
    chart.clearBrushes();
    EXPECT_EQ(chart.countKept(), 5U);
    chart.setTrials(fiveTimes(), 5);
    EXPECT_FALSE(chart.isBrushed());
}

TEST(ParallelChoices, ADragKeepsWhatLiesBetweenItsEnds)
{
    ParallelChart chart;
    chart.setTrials(fiveTimes(), 5);
    chart.resize(560, 260);
    chart.show();
    QCoreApplication::processEvents();
    chart.grab();
    const QSignalSpy brushed(&chart, &ParallelChart::brushed);
    QTest::mousePress(&chart, Qt::LeftButton, {}, {46, 246});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {46, 243});
    EXPECT_EQ(chart.countKept(), 1U) << "three pixels are a click on the value there";
    chart.clearBrushes();
    const auto before = brushed.count();
    QTest::mousePress(&chart, Qt::LeftButton, {}, {46, 246});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {46, 190});
    EXPECT_EQ(brushed.count(), before + 1);
    EXPECT_EQ(chart.countKept(), 2U) << "1 and 2, from the bottom up";
    EXPECT_EQ(chart.table().rows.front().first(), "1");
    EXPECT_EQ(chart.table().rows.back().first(), "2");
}

TEST(ParallelChoices, PointsWithoutATunableAndWordsHaveTheirPlaces)
{
    SearchRecord record;
    record.trials = {timedTrial(1, "MODE=b,TILE=8", 300), timedTrial(2, "MODE=a,TILE=16", 200), timedTrial(3, "MODE=c", 100)};
    ParallelChart chart;
    chart.setTrials(record, 3);
    EXPECT_EQ(chart.axisCount(), 3U);
    EXPECT_EQ(chart.table().header, (QStringList{"MODE", "TILE", chart.table().header.last()}));
    EXPECT_EQ(chart.table().rows[0], (QStringList{"c", "8", q(formatTime(100))})) << "without a value it is at the first";
    EXPECT_EQ(chart.table().rows[2], (QStringList{"b", "8", q(formatTime(300))}));
    chart.brush(0, {0, 1});
    EXPECT_EQ(chart.countKept(), 2U) << "a and b";
    chart.brush(1, {1});
    EXPECT_EQ(chart.countKept(), 1U) << "both choices";
    EXPECT_EQ(chart.table().rows[0].first(), "a");
}

/// The tabs on a bar, with a search that is followed.
class SearchAgain : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":memory:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        bar = std::make_unique<WatchBar>(*context);
        new WatchView(*bar, tabs);
        for (ChartCard* card : tabs.findChildren<ChartCard*>())
            if (qobject_cast<EvidenceBars*>(card->chart()))
                importance = card;
        ASSERT_TRUE(importance);
    }
    void TearDown() override { waitForJobs(); }
    const EvidenceBars& bars() const { return *qobject_cast<EvidenceBars*>(importance->chart()); }
    QSlider& slider() const { return *bar->findChild<QSlider*>("watchPosition"); }
    QString words() const { return bar->findChild<QLabel*>("watchWords")->text(); }
    QString rejectedWords() const { return tabs.findChild<QLabel*>("rejectedWords")->text(); }

    std::unique_ptr<AppContext> context;
    std::unique_ptr<WatchBar> bar;
    QTabWidget tabs;
    ChartCard* importance = nullptr;
};

TEST_F(SearchAgain, ImportanceIsThatOfThePointsShownSoFar)
{
    const QString none = importance->title();
    EXPECT_FALSE(bars().emptyReason().isEmpty());
    const SearchRecord record = decidedSearch();
    bar->follow(record);
    ASSERT_EQ(bar->shown(), 12U);
    ASSERT_FALSE(bars().rows().empty());
    EXPECT_EQ(bars().rows().front().name, "WARPS");
    EXPECT_TRUE(importance->title().startsWith("WARPS "));
    slider().setValue(9);
    const std::vector<EvidenceRow> nine = importanceRows(record, 9);
    ASSERT_FALSE(nine.empty());
    EXPECT_EQ(bars().rows().front().value, nine.front().value);
    slider().setValue(4);
    EXPECT_TRUE(bars().rows().empty()) << "four points are too few";
    EXPECT_EQ(importance->title(), none);
    slider().setValue(12);
    EXPECT_EQ(bars().rows().front().value, importanceRows(record, 12).front().value);
}

TEST_F(SearchAgain, WhatWasRejectedIsCountedByItsGate)
{
    SearchRecord record = decidedSearch();
    record.total = 4000;
    record.gates = {{"registers", 1500}, {"threads", 0}, {"occupancy", 20}};
    record.trials.push_back(timedTrial(13, "ROWS=8,WARPS=8", {}, "it faults"));
    record.rejected = {{"ROWS=256,WARPS=8", "spills", "96 bytes"}};
    bar->follow(record);
    EXPECT_TRUE(rejectedWords().startsWith("2 ")) << rejectedWords().toStdString();
    for (const QString& part :
         {q(formatCount(4000)), QStringLiteral("registers: ") + q(formatCount(1500)), QStringLiteral("occupancy: 20")})
        EXPECT_TRUE(rejectedWords().contains(part)) << part.toStdString() << ": " << rejectedWords().toStdString();
    EXPECT_FALSE(rejectedWords().contains("threads")) << "that gate rejects nothing";
    const QAbstractItemModel* rows = tabs.findChild<DataTable*>("rejected")->model();
    ASSERT_EQ(rows->rowCount(), 2);
    EXPECT_EQ(rows->index(0, 2).data(Qt::ToolTipRole).toString(), "it faults");
    EXPECT_FALSE(rows->flags(rows->index(0, 0)) & Qt::ItemIsEditable);
    slider().setValue(12);
    EXPECT_EQ(rows->rowCount(), 1) << "it was not measured yet";
    EXPECT_TRUE(rejectedWords().startsWith("1 "));
    bar->follow(decidedSearch());
    EXPECT_EQ(rows->rowCount(), 0) << "of the search before";
    EXPECT_FALSE(rejectedWords().contains("registers"));
}

TEST_F(SearchAgain, ADescriptionHasWhatTheSearchSaysAndNoMore)
{
    SearchRecord record = fiveTimes();
    record.trials[0].at = 90;
    bar->follow(record);
    const QString bare = words();
    EXPECT_FALSE(bare.contains(q(" · "))) << bare.toStdString();
    EXPECT_TRUE(bare.startsWith("5 of 5"));
    EXPECT_TRUE(bare.contains(q(formatTime(1000))));
    slider().setValue(1);
    EXPECT_TRUE(words().contains(q(formatTime(4000))) && words().contains(q(formatElapsed(90)))) << words().toStdString();
    record.strategy = "greedy_mls";
    record.left = 3;
    record.best.emplace();
    record.best->confirmed.emplace();
    record.best->confirmed->rival = "cuBLAS";
    record.best->confirmed->student.value = 1.25;
    bar->follow(record);
    EXPECT_EQ(words().count(q(" · ")), 2) << "without a rival nothing is confirmed: " << words().toStdString();
    EXPECT_TRUE(words().contains("greedy_mls"));
    EXPECT_FALSE(words().contains("cuBLAS"));
    record.best->confirmed->verdict = TargetVerdict::met;
    bar->follow(record);
    EXPECT_EQ(words().count(q(" · ")), 3) << words().toStdString();
    EXPECT_TRUE(words().contains(q("1.25× of cuBLAS"))) << words().toStdString();
    EXPECT_TRUE(words().contains(" 3 "));
}

TEST_F(SearchAgain, ASearchIsPlayedAgainUnderItsNameOnce)
{
    bar->follow(decidedSearch());
    auto* searches = bar->findChild<QComboBox*>("watched");
    emit searches->activated(0);
    SearchRecord ended = decidedSearch();
    ended.state = SearchStage::finished;
    bar->follow(ended);
    emit searches->activated(0);
    auto* again = bar->findChild<QPushButton*>("searchAgain");
    ASSERT_TRUE(again->isEnabled());
    again->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(searches->count(), 2);
    EXPECT_EQ(searches->currentIndex(), 0) << "what is replayed is shown";
    EXPECT_EQ(bar->record().trials.size(), 12U);
    const QString name = searches->currentText();
    emit searches->activated(1);
    EXPECT_NE(searches->currentText(), name);
    again->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(searches->count(), 2) << "in place of the one of before";
    EXPECT_EQ(searches->currentText(), name);
    bar->refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(searches->count(), 2) << "neither is in the database";
    EXPECT_EQ(searches->currentText(), name);
}

TEST(ImportanceRows, PairsAreTheFourLargestAndDoNotCountAsAlone)
{
    SearchRecord record;
    int at = 0;
    for (const int a : {1, 2, 4})
        for (const int b : {1, 2, 4})
            for (const int c : {1, 2})
                record.trials.push_back(timedTrial(++at, "A=" + std::to_string(a) + ",B=" + std::to_string(b) + ",C=" + std::to_string(c),
                                                   a == b ? 1000.0 + 10 * c : 9000.0 + 10 * c));
    const std::vector<EvidenceRow> rows = importanceRows(record, record.trials.size());
    ASSERT_FALSE(rows.empty());
    const auto pair = std::ranges::find(rows, q("A × B"), &EvidenceRow::name);
    ASSERT_NE(pair, rows.end());
    EXPECT_FALSE(pair->holds);
    EXPECT_GT(*pair->value, 50);
    EXPECT_TRUE(pair->percent);
    EXPECT_EQ(pair->valueText, q(formatPercent(*pair->value)));
    for (const EvidenceRow& row : rows) {
        EXPECT_GE(*row.value, 0.5) << row.name.toStdString() << ": it would read zero";
        EXPECT_EQ(row.holds, !row.name.contains(q("×")));
    }
}

TEST(SearchProgress, TheFirstPointOfTheBestIsTheFirstThatWasTimed)
{
    SearchRecord record;
    record.trials = {timedTrial(1, "T=1", {}, "it faults"), timedTrial(2.5, "T=2", 4000), timedTrial(4, "T=4", 6000),
                     timedTrial(5, "T=8", 2000, "it is incorrect")};
    const XYSpec spec = progressSpec(record, 10, true);
    std::vector<std::pair<double, double>> best;
    for (const XYPoint& point : spec.series[1].points)
        best.emplace_back(point.x, point.y);
    EXPECT_EQ(best, (std::vector<std::pair<double, double>>{{2.5, 4}, {5, 4}})) << "up to the last point, what is incorrect left out";
    EXPECT_TRUE(spec.series[1].points.front().tip.contains(q(formatTime(4000))));
    EXPECT_TRUE(spec.series[0].points.back().tip.startsWith("T=4: "));
    EXPECT_FALSE(progressSpec({}, 0, false).emptyReason.isEmpty());
    record.trials[1].tunables = "T=2,U=3";
    EXPECT_TRUE(progressSpec(record, 2, false).series[0].points[0].tip.startsWith("T=2, U=3: "));
}

} // namespace
} // namespace kl::ui
