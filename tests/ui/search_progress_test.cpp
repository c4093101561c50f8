// SPDX-License-Identifier: MIT
// A search by its parts: the question and the panel that start it, the charts of its trials, the searches that are watched.
#include "core/base/format.h"
#include "sessions/store/search_records.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/pages/search/parallel_chart.h"
#include "ui/pages/search/search_panel.h"
#include "ui/pages/search/space_inputs.h"
#include "ui/pages/search/space_subject.h"
#include "ui/pages/search/watch_bar.h"
#include "ui/pages/search/watch_charts.h"
#include "ui/pages/search/watch_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

SearchTrial trialAt(double at, const char* tunables, std::optional<double> ns, const char* why = "")
{
    SearchTrial trial;
    trial.tunables = tunables;
    trial.ns = ns;
    trial.why = why;
    trial.at = at;
    return trial;
}

SearchRecord tinySearch()
{
    SearchRecord record;
    record.kernel = "transpose/tiled";
    record.trials = {trialAt(1, "TILE=16,UNROLL=1", 4000), trialAt(2, "TILE=8,UNROLL=1", 5000),
                     trialAt(3, "TILE=32,UNROLL=1", {}, "it faults"), trialAt(4, "TILE=4,UNROLL=1", 2000),
                     trialAt(6, "TILE=16,UNROLL=1", 3000)};
    return record;
}

TEST(ParallelCharts, HaveAnAxisPerTunableThatVariesWithItsNumbersInOrder)
{
    ParallelChart chart;
    EXPECT_FALSE(chart.emptyReason().isEmpty());
    EXPECT_TRUE(chart.legend().empty());
    SearchRecord search = tinySearch();
    search.trials.push_back(trialAt(7, "TILE=2,UNROLL=1", {}));
    search.trials.push_back(trialAt(8, "TILE=2,UNROLL=1", 100, "it is incorrect"));
    chart.setTrials(search, 10);
    EXPECT_TRUE(chart.emptyReason().isEmpty());
    EXPECT_EQ(chart.axisCount(), 2U) << "UNROLL is always 1";
    EXPECT_EQ(chart.pointCount(), 4U) << "what failed has no time";
    EXPECT_EQ(chart.table().header.first(), "TILE");
    const std::vector<QStringList> rows = chart.table().rows;
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0], (QStringList{"4", q(formatTime(2000))})) << "the fastest first";
    EXPECT_EQ(rows[3], (QStringList{"8", q(formatTime(5000))}));
    chart.brush(0, {0, 1});
    EXPECT_EQ(chart.countKept(), 2U) << "4 and 8, not 16 and 4 as texts are sorted";
    EXPECT_EQ(chart.table().rows.size(), 2U);
    chart.brush(0, {0, 1, 2});
    EXPECT_FALSE(chart.isBrushed()) << "all of them are kept";
    EXPECT_EQ(chart.countKept(), 4U);
    chart.brush(1, {0});
    EXPECT_EQ(chart.countKept(), 2U) << "the slower half";
    chart.brush(1, {3});
    EXPECT_EQ(chart.countKept(), 1U) << "the fastest";
    chart.setTrials({}, 10);
    EXPECT_EQ(chart.pointCount(), 0U);
}

TEST(ParallelCharts, AChoiceStaysWithItsValueWhenMorePointsCome)
{
    ParallelChart chart;
    chart.setTrials(tinySearch(), 2);
    chart.brush(0, {0}); // of 8 and 16
    EXPECT_EQ(chart.table().rows, (std::vector<QStringList>{{"8", q(formatTime(5000))}}));
    const QSignalSpy brushed(&chart, &ParallelChart::brushed);
    chart.setTrials(tinySearch(), 5);
    EXPECT_EQ(brushed.count(), 1);
    EXPECT_EQ(chart.table().rows, (std::vector<QStringList>{{"8", q(formatTime(5000))}})) << "4 comes before it now";
    emit chart.picked(1);
    EXPECT_FALSE(chart.isBrushed()) << "a click on it keeps all again";
    emit chart.picked(0);
    emit chart.picked(2);
    EXPECT_EQ(chart.countKept(), 3U) << "4 and 16";
    emit chart.picked(7 * 100'000);
    emit chart.picked(99);
    EXPECT_EQ(chart.countKept(), 3U) << "there is no such axis, and no such value";
    chart.clearBrushes();
    EXPECT_FALSE(chart.isBrushed());
}

TEST(SearchCharts, TheBestSoFarGoesDownInSteps)
{
    const XYSpec spec = progressSpec(tinySearch(), 5, false);
    ASSERT_EQ(spec.series.size(), 2U);
    std::vector<std::pair<double, double>> points, best;
    for (const XYPoint& point : spec.series[0].points)
        points.emplace_back(point.x, point.y);
    for (const XYPoint& point : spec.series[1].points)
        best.emplace_back(point.x, point.y);
    EXPECT_EQ(points, (std::vector<std::pair<double, double>>{{1, 4}, {2, 5}, {4, 2}, {5, 3}})) << "microseconds, without what failed";
    EXPECT_EQ(best, (std::vector<std::pair<double, double>>{{1, 4}, {4, 4}, {4, 2}, {5, 2}}));
    EXPECT_TRUE(spec.y.log);
    const XYSpec byTime = progressSpec(tinySearch(), 4, true);
    EXPECT_EQ(byTime.series[1].points.back().x, 4);
    EXPECT_NE(byTime.x.title, spec.x.title);
    SearchRecord late = tinySearch();
    std::swap(late.trials[0], late.trials[2]);
    EXPECT_EQ(progressSpec(late, 5, false).series[1].points.front().x, 2) << "the first that was measured";
}

TEST(SearchCharts, WhatWasRejectedHasItsPointItsPlaceAndItsReason)
{
    SearchRecord record = tinySearch();
    record.wrong = {"transpose/tiled@TILE=4,UNROLL=1: out[3] differs: by 2"};
    record.rejected = {{"TILE=64,UNROLL=1", "spills", "96 bytes"}};
    const std::vector<QStringList> rows = makeRejectedRows(record, 5);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0][0], "TILE=32, UNROLL=1");
    EXPECT_EQ(rows[0][2], "it faults");
    EXPECT_EQ(rows[1][0], "transpose/tiled@TILE=4, UNROLL=1");
    EXPECT_EQ(rows[1][2], "out[3] differs: by 2");
    EXPECT_EQ(rows[2], (QStringList{"TILE=64, UNROLL=1", "spills", "96 bytes"}));
    EXPECT_EQ(makeRejectedRows(record, 2).size(), 2U) << "it was not measured yet";
}

/// What needs a database, which is opened once.
class SearchParts : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        auto opened = AppContext::open(utf8(folder->filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        SearchRecord past = tinySearch();
        past.id = "01890000-0000-7000-8000-000000000001";
        past.startedAt = "2026-01-02T03:04:05.678Z";
        past.state = SearchStage::finished;
        past.device = "NVIDIA H200";
        past.problem = "M=64,N=64";
        past.strategy = "random_sample";
        past.left = 12;
        const auto [name, content] = makeArtifact(past);
        ASSERT_TRUE(context->engine()->store->saveArtifact(name, content));
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
    }
    void TearDown() override { waitForJobs(); }

    static inline QTemporaryDir* folder = nullptr;
    static inline AppContext* context = nullptr;
};

TEST_F(SearchParts, TheSearchThatRunsIsShownUntilAnotherIsChosen)
{
    WatchBar bar(*context);
    EXPECT_FALSE(bar.findChild<QComboBox*>("watched")->isEnabled() && bar.findChild<QComboBox*>("watched")->count() > 0);
    bar.refresh();
    ASSERT_TRUE(waitForJobs());
    auto* searches = bar.findChild<QComboBox*>("watched");
    ASSERT_EQ(searches->count(), 1);
    for (const char* part : {"transpose/tiled", "NVIDIA H200", "M=64,N=64", "2026-01-02 03:04"})
        EXPECT_TRUE(searches->currentText().contains(part)) << searches->currentText().toStdString();
    EXPECT_EQ(bar.shown(), 5U);
    EXPECT_TRUE(buttonOn(bar, "replay")->isEnabled());
    SearchRecord running = tinySearch();
    running.state = SearchStage::measuring;
    running.trials.resize(1);
    bar.follow(running);
    EXPECT_EQ(searches->count(), 2);
    EXPECT_EQ(bar.record().trials.size(), 1U);
    EXPECT_EQ(bar.shown(), 1U);
    for (const char* name : {"replay", "searchAgain"})
        EXPECT_FALSE(buttonOn(bar, name)->isEnabled()) << name << ": it is not finished";
    EXPECT_FALSE(bar.findChild<QSlider*>("watchPosition")->isEnabled());
    running.trials.push_back(trialAt(2, "TILE=8", 1000));
    bar.follow(running);
    EXPECT_EQ(searches->count(), 2) << "the same search";
    EXPECT_EQ(bar.shown(), 2U);
    searches->setCurrentIndex(1);
    emit searches->activated(1);
    EXPECT_EQ(bar.record().trials.size(), 5U);
    EXPECT_TRUE(buttonOn(bar, "replay")->isEnabled());
    running.trials.push_back(trialAt(3, "TILE=4", 900));
    bar.follow(running);
    EXPECT_EQ(bar.record().trials.size(), 5U) << "the user looks at another one";
    bar.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(bar.record().trials.size(), 5U);
    EXPECT_EQ(searches->currentIndex(), 1);
    emit searches->activated(0);
    EXPECT_EQ(bar.record().trials.size(), 3U);
    EXPECT_FALSE(buttonOn(bar, "replay")->isEnabled());
    running.state = SearchStage::timed;
    bar.follow(running);
    emit searches->activated(0);
    EXPECT_TRUE(buttonOn(bar, "replay")->isEnabled()) << "it has ended";
    emit searches->activated(7);
    EXPECT_EQ(bar.record().trials.size(), 3U) << "there is none";
}

TEST_F(SearchParts, ASearchIsDescribedUpToThePointThatIsShown)
{
    WatchBar bar(*context);
    const auto* words = bar.findChild<QLabel*>("watchWords");
    const QString none = words->text();
    EXPECT_FALSE(none.isEmpty());
    bar.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(words->text().startsWith("5 of 5"));
    EXPECT_TRUE(words->text().contains(q(formatTime(2000)))) << words->text().toStdString();
    EXPECT_TRUE(words->text().contains("random_sample"));
    EXPECT_TRUE(words->text().contains("12"));
    const QSignalSpy changed(&bar, &WatchBar::changed);
    auto* slider = bar.findChild<QSlider*>("watchPosition");
    slider->setValue(2);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_TRUE(words->text().startsWith("2 of 5"));
    EXPECT_TRUE(words->text().contains(q(formatTime(4000)))) << "the best of these two";
    slider->setValue(0);
    EXPECT_TRUE(words->text().startsWith("0 of 5"));
    EXPECT_FALSE(words->text().contains(q(formatTime(4000))));
    auto* play = buttonOn(bar, "replay");
    const QString idle = play->text();
    slider->setValue(5);
    play->click();
    EXPECT_EQ(bar.shown(), 0U) << "from the start";
    EXPECT_NE(play->text(), idle);
    play->click();
    EXPECT_EQ(play->text(), idle);
    const std::size_t paused = bar.shown();
    QTest::qWait(120);
    EXPECT_EQ(bar.shown(), paused);
    slider->setValue(3);
    play->click();
    EXPECT_EQ(bar.shown(), 3U) << "from where it was";
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar.shown() == 5; }, 10000));
    EXPECT_EQ(play->text(), idle);
}

TEST_F(SearchParts, TheTabsShowTheSearchOfTheBar)
{
    QTabWidget tabs;
    WatchBar bar(*context);
    WatchView view(bar, tabs);
    ASSERT_EQ(tabs.count(), 3);
    EXPECT_TRUE(view.isShown());
    tabs.addTab(new QWidget, "other");
    tabs.setCurrentIndex(3);
    EXPECT_FALSE(view.isShown());
    tabs.setCurrentIndex(2);
    EXPECT_TRUE(view.isShown());
    view.showProgress();
    EXPECT_EQ(tabs.currentIndex(), 0);
    bar.refresh();
    ASSERT_TRUE(waitForJobs());
    const auto* chart = tabs.findChild<XYChart*>();
    EXPECT_EQ(chart->spec().series[0].points.size(), 4U);
    EXPECT_EQ(chart->spec().series[0].points.back().x, 5) << "by points";
    tabs.findChild<QComboBox*>("progressBy")->setCurrentIndex(1);
    EXPECT_EQ(chart->spec().series[0].points.back().x, 6) << "by time";
    bar.findChild<QSlider*>("watchPosition")->setValue(2);
    EXPECT_EQ(chart->spec().series[0].points.size(), 2U);
    auto* parallel = tabs.findChild<ParallelChart*>();
    EXPECT_EQ(parallel->pointCount(), 2U);
    const auto* rejected = tabs.findChild<DataTable*>("rejected")->model();
    EXPECT_EQ(rejected->rowCount(), 0);
    bar.findChild<QSlider*>("watchPosition")->setValue(5);
    ASSERT_EQ(rejected->rowCount(), 1);
    EXPECT_EQ(rejected->index(0, 0).data().toString(), "TILE=32, UNROLL=1");
    ChartCard* parameters = nullptr;
    for (auto* card : tabs.findChildren<ChartCard*>())
        if (card->chart() == parallel)
            parameters = card;
    ASSERT_NE(parameters, nullptr);
    EXPECT_TRUE(parameters->title().startsWith("4 "));
    parallel->brush(0, {0});
    EXPECT_TRUE(parameters->title().startsWith("1 of 4 ")) << parameters->title().toStdString();
}

TEST_F(SearchParts, TheInputsAreTheQuestion)
{
    SpaceInputs inputs(*context);
    const auto* kernel = inputs.findChild<QComboBox*>("kernel");
    auto* problem = inputs.findChild<QComboBox*>("problem");
    inputs.choose("attention/fused");
    EXPECT_EQ(inputs.kernelName(), "attention/fused");
    const Result<SpaceSubject> subject = inputs.subject();
    ASSERT_TRUE(subject);
    EXPECT_EQ(subject->family, "attention");
    EXPECT_EQ(subject->variant, "fused");
    const KernelFamily& family = **context->catalog().family("attention");
    EXPECT_EQ(subject->problem, family.problems.front());
    EXPECT_EQ(problem->count(), static_cast<int>(family.problems.size()));
    EXPECT_EQ(inputs.leastOccupancy(), 12.5) << "the descriptor's";
    inputs.findChild<QComboBox*>("gpu")->setCurrentText("H200");
    EXPECT_EQ(inputs.question().arch, "sm_90");
    EXPECT_EQ(inputs.question().minOccupancy, 12.5);
    EXPECT_EQ(inputs.question().problem, family.problems.front());
    EXPECT_FALSE(inputs.otherQuestion());
    EXPECT_TRUE(inputs.otherName().isEmpty());
    const QSignalSpy requested(&inputs, &SpaceInputs::requested);
    inputs.findChild<QComboBox*>("whatIf")->setCurrentText("T4");
    EXPECT_GE(requested.count(), 1);
    ASSERT_TRUE(inputs.otherQuestion());
    EXPECT_EQ(inputs.otherQuestion()->arch, "sm_75");
    EXPECT_EQ(inputs.otherName(), "T4");
    EXPECT_EQ(inputs.gpuName(), "H200");
    ASSERT_GE(kernel->count(), 2);
    inputs.choose("attention");
    EXPECT_EQ(inputs.kernelName(), kernel->itemText(kernel->count() - 1)) << "a family is its last variant with tunables";
    EXPECT_EQ(inputs.subject()->variant, utf8(inputs.kernelName().section('/', 1)));
    inputs.choose("no/such");
    EXPECT_EQ(inputs.kernelName(), kernel->itemText(kernel->count() - 1));
    problem->setEditText("M=");
    EXPECT_FALSE(inputs.subject());
}

TEST_F(SearchParts, TheSampleCannotMeasureAndTheStrategyIsTheChosenOne)
{
    SpaceInputs inputs(*context);
    SearchPanel panel(*context, inputs);
    EXPECT_FALSE(panel.deviceReason().isEmpty());
    panel.refresh("no survivors");
    EXPECT_FALSE(buttonOn(panel, "search")->isEnabled());
    EXPECT_EQ(buttonOn(panel, "search")->accessibleDescription(), panel.deviceReason()) << "before what the space says";
    EXPECT_TRUE(buttonOn(panel, "pause")->isHidden());
    EXPECT_FALSE(panel.running());
    auto* strategy = inputs.findChild<QComboBox*>("strategy");
    QStringList words;
    for (int i = 0; i < strategy->count(); ++i) {
        strategy->setCurrentIndex(i);
        words << q(panel.record().strategy);
    }
    EXPECT_EQ(words, (QStringList{"portfolio", "greedy_mls", "random_sample", "brute_force"}));
    EXPECT_TRUE(panel.record().trials.empty());
    EXPECT_EQ(panel.record().state, SearchStage::timed) << "nothing runs";
    EXPECT_EQ(inputs.findChild<QDoubleSpinBox*>("budget")->value(), 60);
    const QSignalSpy requested(&inputs, &SpaceInputs::requested);
    inputs.findChild<QDoubleSpinBox*>("budget")->setValue(30);
    strategy->setCurrentIndex(0);
    EXPECT_EQ(requested.count(), 0) << "neither changes the space";
    panel.pause();
    EXPECT_TRUE(buttonOn(panel, "pause")->isHidden()) << "there is nothing to pause";
}

TEST_F(SearchParts, APointIsJudgedOnEveryGpu)
{
    SpaceSubject subject{"attention", "fused", (*context->catalog().family("attention"))->problems.front()};
    SpaceInputs inputs(*context);
    inputs.choose("attention/fused");
    inputs.findChild<QComboBox*>("gpu")->setCurrentText("H200");
    const Result<SearchSpace> space = subject.judge(context->catalog(), inputs.question());
    ASSERT_TRUE(space);
    const auto survivor = std::ranges::find_if(space->points, [](const SpacePoint& point) { return !point.rejectedBy; });
    ASSERT_NE(survivor, space->points.end());
    SpaceQuestion alone = inputs.question();
    alone.fixed = survivor->tunables;
    const Result<QString> elsewhere = subject.elsewhere(context->catalog(), alone);
    ASSERT_TRUE(elsewhere);
    const QString survives = elsewhere->section('.', 0, 0);
    EXPECT_TRUE(survives.contains("H200")) << elsewhere->toStdString();
    EXPECT_EQ(elsewhere->count("T4"), 1) << "on one side or the other";
    alone.minOccupancy = 100;
    const Result<QString> nowhere = subject.elsewhere(context->catalog(), alone);
    ASSERT_TRUE(nowhere);
    EXPECT_TRUE(nowhere->contains(q(titleFor(SpaceGate::occupancy)).toLower())) << nowhere->toStdString();
    const Result<std::vector<SpaceRow>> rows = subject.rows(context->catalog(), *space);
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), space->points.size());
    EXPECT_EQ(rows->back().point.tunables, space->points.back().tunables);
    EXPECT_LE(rows->front().changed.size(), rows->front().point.tunables.size());
    subject.variant = "no-such-variant";
    EXPECT_FALSE(subject.judge(context->catalog(), alone));
    EXPECT_FALSE(subject.rows(context->catalog(), *space));
}

} // namespace
} // namespace kl::ui
