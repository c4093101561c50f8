// SPDX-License-Identifier: MIT
// The Diagnose page on a small database: which runs it reads for one, that every part is of the run that is chosen, and its times.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/pages/diagnose/baseline_strip.h"
#include "ui/pages/diagnose/diagnosis_data.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/metric_browser.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/diagnose_page.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

namespace kl::ui {
namespace {

class DiagnoseRuns : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        auto opened = AppContext::open(location("own.db"), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        save("naive-old", "transpose/naive", 1, 5000);
        save("tiled-old", "transpose/tiled", 2, 3000);
        save("naive-new", "transpose/naive", 3, 4000);
        save("tiled-new", "transpose/tiled", 4, 2000);
        RunRecord small = made("padded-small", "transpose/padded", 5, 100);
        small.problem = *parseParams("M=64,N=64");
        keep(small);
        RunRecord elsewhere = made("padded-elsewhere", "transpose/padded", 6, 900);
        elsewhere.device.name = "NVIDIA A100";
        keep(elsewhere);
        RunRecord timed = made("timed", "transpose/naive", 7, 4500);
        timed.diagnosis.reset();
        keep(timed);
        save("fma", "fma/fp32", 8, 700);
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
    }
    void TearDown() override
    {
        waitForJobs();
        for (const RunId& id : Baselines::instance().of(context->location()))
            Baselines::instance().pin(context->location(), id, false);
    }

    static std::string location(const char* name) { return utf8(folder->filePath(QString::fromLatin1(name))); }
    static RunRecord made(const char* id, const char* kernel, int day, double ns)
    {
        RunRecord run = countedRun(id, ns);
        run.kernel = *parseAddress(kernel);
        run.problem = *parseParams("M=4096,N=4096");
        run.startedAt = "2026-01-0" + std::to_string(day) + "T00:00:00.000Z";
        run.source = Source::sample;
        run.correctness.result = CorrectnessResult::correct;
        run.diagnosis->finding.title = std::string("Finding of ") + id + ".";
        return run;
    }
    static void keep(const RunRecord& run) { ASSERT_TRUE(context->engine()->store->saveRun(run)) << run.id.text; }
    static void save(const char* id, const char* kernel, int day, double ns) { keep(made(id, kernel, day, ns)); }
    static DiagnosisData read(const char* wanted, const std::vector<RunRecord>& opened = {}, const std::vector<RunId>& pinned = {})
    {
        Result<DiagnosisData> data = readDiagnosis(*context->engine(), wanted, opened, pinned);
        EXPECT_TRUE(data) << data.error().message;
        return data ? std::move(*data) : DiagnosisData{};
    }
    static QStringList listIds(const std::vector<const RunRecord*>& runs)
    {
        QStringList ids;
        for (const RunRecord* run : runs)
            ids << q(run->id.text);
        return ids;
    }

    static inline QTemporaryDir* folder = nullptr;
    static inline AppContext* context = nullptr;
};

TEST_F(DiagnoseRuns, ARunIsFoundByItsIdOrItsKernelAndElseTheNewestIsShown)
{
    EXPECT_EQ(read("naive-old").run->id.text, "naive-old");
    EXPECT_EQ(read("transpose/tiled").run->id.text, "tiled-new");
    EXPECT_EQ(read("").run->id.text, "fma");
    EXPECT_EQ(read("no such run").run->id.text, "fma");
    const DiagnosisData data = read("timed");
    EXPECT_EQ(data.run->id.text, "timed");
    EXPECT_FALSE(data.advice) << "it was not diagnosed";
    EXPECT_EQ(data.profiles.size(), 7U) << "what can be chosen was";
    EXPECT_EQ(data.profiles.front().id.text, "fma") << "the newest first";
    EXPECT_TRUE(read("naive-old").advice);
    ASSERT_EQ(data.kernels.size(), 1U);
    EXPECT_EQ(data.kernels[0].id.text, "timed");
}

TEST_F(DiagnoseRuns, BesideARunStandItsBaselinesAndTheNewestOfEachOtherVariant)
{
    EXPECT_EQ(listIds(read("naive-new").runs()), (QStringList{"naive-new", "tiled-new"})) << "of the same size and device";
    const DiagnosisData data = read("naive-new", {}, {{"gone"}, {"tiled-old"}, {"naive-new"}, {"fma"}});
    EXPECT_EQ(listIds(data.runs()), (QStringList{"naive-new", "tiled-old", "fma", "tiled-new"}));
    EXPECT_EQ(data.colors, (std::vector<Token>{Baselines::colorAt(1), Baselines::colorAt(3)})) << "each keeps its own";
    EXPECT_EQ(listIds(read("naive-new", {}, {{"tiled-new"}}).runs()), (QStringList{"naive-new", "tiled-new"})) << "each once";
    RunRecord opened = made("opened", "transpose/naive", 1, 1);
    opened.imported.emplace();
    const DiagnosisData ofFile = read("opened", {opened}, {{"opened"}, {"fma"}});
    EXPECT_EQ(ofFile.run->id.text, "opened");
    EXPECT_EQ(ofFile.profiles.front().id.text, "opened");
    EXPECT_EQ(listIds(ofFile.runs()), (QStringList{"opened", "fma"})) << "kernels of a report are not a family";
    EXPECT_TRUE(DiagnosisData().runs().empty());
}

TEST_F(DiagnoseRuns, TimesAreOfThisKernelSizeAndDevice)
{
    RunRecord wrong = made("wrong", "transpose/naive", 8, 1);
    wrong.status = ResultStatus::validationFailed;
    wrong.correctness.result = CorrectnessResult::incorrect;
    keep(wrong);
    RunRecord live = made("live", "transpose/naive", 8, 1);
    live.source = Source::live;
    keep(live);
    RunRecord untimed = made("untimed", "transpose/naive", 8, 1);
    untimed.timing.reset();
    keep(untimed);
    const auto ids = [](const TimeSeries& series) {
        QStringList list;
        for (const RunSummary& run : series.runs)
            list << q(run.id.text);
        return list;
    };
    const Result<TimeSeries> series = readTimeSeries(context->store(), made("x", "transpose/naive", 1, 1));
    ASSERT_TRUE(series);
    EXPECT_EQ(ids(*series), (QStringList{"naive-old", "naive-new", "timed"})) << "the oldest first";
    EXPECT_EQ(series->noise, 0) << "not calibrated";
    RunRecord other = made("x", "transpose/padded", 1, 1);
    EXPECT_TRUE(readTimeSeries(context->store(), other)->runs.empty());
    other.device.name = "NVIDIA A100";
    EXPECT_EQ(ids(*readTimeSeries(context->store(), other)), (QStringList{"padded-elsewhere"}));
    const auto calibrate = [](const char* kernel, const char* device, double noise, int day) {
        NoiseRecord record;
        record.id = newUuid();
        record.deviceName = device;
        record.kernel = kernel;
        record.source = Source::sample;
        record.problem = "M=1";
        record.noise = noise;
        record.ratios = {1.0};
        record.at = "2026-02-0" + std::to_string(day) + "T00:00:00.000Z";
        const Status saved = context->engine()->store->saveNoise(record);
        ASSERT_TRUE(saved) << saved.error().message;
    };
    calibrate("copy/plain", "NVIDIA H200", 0.03, 1);
    calibrate("copy/other", "NVIDIA H200", 0.02, 2);
    calibrate("transpose/naive", "NVIDIA A100", 0.5, 3);
    EXPECT_EQ(readTimeSeries(context->store(), made("x", "transpose/naive", 1, 1))->noise, 0.03) << "the largest of the device";
    calibrate("transpose/naive", "NVIDIA H200", 0.04, 4);
    calibrate("transpose/naive", "NVIDIA H200", 0.01, 5);
    EXPECT_EQ(readTimeSeries(context->store(), made("x", "transpose/naive", 1, 1))->noise, 0.01) << "the newest of the kernel";
}

TEST(TimeCharts, ALevelIsTheMedianWithItsBand)
{
    TimeSeries series;
    EXPECT_TRUE(timeChart(series).spec.series.empty());
    EXPECT_FALSE(timeChart(series).spec.emptyReason.isEmpty());
    for (const double ns : {1000.0, 9000.0, 2000.0}) {
        RunSummary run;
        run.id.text = "r" + std::to_string(series.runs.size());
        run.startedAt = "2026-01-0" + std::to_string(1 + series.runs.size()) + "T00:00:00.000Z";
        run.gpuNs = ns;
        series.runs.push_back(run);
    }
    const TimeChart chart = timeChart(series);
    EXPECT_TRUE(chart.title.startsWith("3 ")) << chart.title.toStdString();
    EXPECT_EQ(chart.spec.x.categories, (QStringList{"2026-01-01", "2026-01-02", "2026-01-03"}));
    ASSERT_EQ(chart.spec.series.size(), 4U) << "level, band and runs";
    EXPECT_DOUBLE_EQ(chart.spec.series[0].points[0].y, 2) << "the median, in microseconds";
    EXPECT_DOUBLE_EQ(chart.spec.series[0].points[1].x, 2);
    EXPECT_DOUBLE_EQ(chart.spec.series[1].points[0].y, 2.02);
    EXPECT_DOUBLE_EQ(chart.spec.series[2].points[0].y, 1.98);
    const XYSeries& runs = chart.spec.series[3];
    ASSERT_EQ(runs.points.size(), 3U);
    EXPECT_EQ(runs.points[1].id, "r1");
    EXPECT_EQ(runs.points[1].y, 9);
    EXPECT_TRUE(runs.points[1].tip.startsWith(q(formatTime(9000))));
    series.runs.resize(1);
    EXPECT_TRUE(timeChart(series).title.startsWith("1 "));
}

TEST(TimeCharts, ASlowDownIsMarkedWhereItBegan)
{
    TimeSeries series;
    for (int i = 0; i < 80; ++i) {
        RunSummary run;
        run.id.text = "r" + std::to_string(i);
        run.startedAt = (i < 40 ? "2026-01-01" : "2026-02-02") + std::string("T00:00:00.000Z");
        run.sourceHash = i < 40 ? "aaaaaaaaaa" : "bbbbbbbbbb";
        run.gpuNs = (i < 40 ? 1000 : 2000) + i % 3;
        series.runs.push_back(run);
    }
    const TimeChart chart = timeChart(series);
    EXPECT_TRUE(chart.title.contains("2026-02-02") && chart.title.contains("bbbbbbb") && !chart.title.contains("bbbbbbbb"))
        << chart.title.toStdString();
    EXPECT_TRUE(chart.title.startsWith("100") || chart.title.startsWith("99.") || chart.title.startsWith("1")) << chart.title.toStdString();
    const auto mark = std::ranges::find(chart.spec.series, Token::worse, &XYSeries::token);
    ASSERT_NE(mark, chart.spec.series.end());
    EXPECT_EQ(mark->points.at(0).id, "r40");
    EXPECT_EQ(mark->points.at(0).x, 40);
    std::vector<double> levels;
    for (const XYSeries& one : chart.spec.series)
        if (one.token == Token::series2)
            levels.push_back(std::round(one.points.at(0).y));
    EXPECT_EQ(levels, (std::vector<double>{1, 2})) << "before and after";
}

class DiagnosePages : public DiagnoseRuns {
protected:
    DiagnosePages() : page(*context)
    {
        page.resize(1280, 800);
        page.setVisible(true);
    }
    void look(const char* argument)
    {
        page.open(QString::fromLatin1(argument));
        page.refresh();
        ASSERT_TRUE(waitForJobs());
    }
    QString sentence() const { return page.findChild<QLabel*>("findingSentence")->text(); }
    QPushButton* button(const char* name) const { return page.findChild<QPushButton*>(QString::fromLatin1(name)); }
    RunPicker* picker() const { return page.findChild<RunPicker*>("profilePicker"); }

    DiagnosePage page;
};

TEST_F(DiagnosePages, EveryPartIsOfTheRunThatIsChosen)
{
    look("naive-new");
    EXPECT_EQ(sentence(), "Finding of naive-new.");
    EXPECT_TRUE(picker()->text().contains("transpose/naive") && picker()->text().contains(q(formatTime(4000))));
    emit picker()->picked("tiled-new");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of tiled-new.");
    EXPECT_TRUE(picker()->text().contains("transpose/tiled") && picker()->text().contains(q(formatTime(2000))));
    const QSignalSpy compared(context, &AppContext::comparisonRequested), navigated(context, &AppContext::navigationRequested);
    button("addToCompare")->click();
    ASSERT_EQ(compared.count(), 1);
    EXPECT_EQ(compared[0][0].toStringList(), QStringList{"tiled-new"});
    EXPECT_TRUE(seenOn(*page.findChild<DiagnosisSide*>()).filter(q(formatTime(2000))).size() >= 1);
    EXPECT_TRUE(seenOn(*page.findChild<DiagnosisSide*>()).filter(q(formatTime(4000))).isEmpty()) << "of the run before";
    emit page.findChild<DiagnosisSide*>()->kernelRequested("transpose/padded");
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "kernels");
    EXPECT_EQ(navigated[0][1].toString(), "transpose/padded");
    EXPECT_FALSE(page.offers(button("openTarget"))) << "it is not of a program";
}

TEST_F(DiagnosePages, ARunThatWasTimedAloneLeadsToItsKernel)
{
    look("timed");
    EXPECT_FALSE(page.findChild<QLabel*>("findingSentence")->isVisible());
    const QSignalSpy navigated(context, &AppContext::navigationRequested);
    for (QPushButton* action : page.findChildren<QPushButton*>("stateAction"))
        if (action->isVisible())
            action->click();
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "kernels");
    EXPECT_EQ(navigated[0][1].toString(), "transpose/naive");
    look("naive-new");
    EXPECT_TRUE(page.findChild<QLabel*>("findingSentence")->isVisible());
}

TEST_F(DiagnosePages, APinnedRunIsTheBaselineOfTheOthers)
{
    look("naive-old");
    EXPECT_FALSE(button("pinBaseline")->isChecked());
    const QString pin = button("pinBaseline")->text();
    button("pinBaseline")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{"naive-old"}));
    EXPECT_TRUE(button("pinBaseline")->isChecked());
    EXPECT_NE(button("pinBaseline")->text(), pin);
    auto* strip = page.findChild<BaselineStrip*>("baselineStrip");
    EXPECT_FALSE(strip->isVisible()) << "nothing is compared with itself";
    look("naive-new");
    EXPECT_FALSE(button("pinBaseline")->isChecked());
    EXPECT_EQ(button("pinBaseline")->text(), pin);
    ASSERT_TRUE(strip->isVisible());
    EXPECT_TRUE(wordsOn(*strip).contains(q(formatTime(5000))));
    emit strip->opened("naive-old");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of naive-old.");
    look("naive-new");
    buttonOn(*strip, "unpinBaseline")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(Baselines::instance().isPinned(context->location(), RunId{"naive-old"}));
    EXPECT_FALSE(strip->isVisible());
    settleWidgets();
    EXPECT_TRUE(page.findChildren<QLabel*>("baselineFact").isEmpty());
}

TEST_F(DiagnosePages, TabsShowTheMetricsAndTimesOfTheRun)
{
    auto* tabs = page.findChild<QTabWidget*>("pageTabs");
    look("naive-new");
    EXPECT_EQ(page.filterField(), nullptr) << "a run of the catalog has no table";
    look("metric:dram__bytes_read.sum");
    auto* browser = page.findChild<MetricBrowser*>();
    EXPECT_EQ(tabs->currentWidget(), browser);
    EXPECT_EQ(page.filterField(), browser->filterField());
    EXPECT_EQ(browser->filterField()->text(), "dram__bytes_read.sum");
    EXPECT_EQ(sentence(), "Finding of naive-new.") << "the run stays";
    browser->filterField()->clear();
    const QAbstractItemModel* metrics = browser->view()->model();
    ASSERT_GE(metrics->rowCount(), 2);
    browser->view()->collapse(metrics->index(0, 0));
    look("fma");
    EXPECT_FALSE(browser->view()->isExpanded(metrics->index(0, 0))) << "a section that was folded stays so";
    EXPECT_TRUE(browser->view()->isExpanded(metrics->index(1, 0)));
    look("naive-new");
    tabs->setCurrentWidget(page.findChild<TimeHistory*>());
    ASSERT_TRUE(waitForJobs());
    const auto* times = page.findChild<XYChart*>("timeHistory");
    const auto shown = [&] {
        QStringList ids;
        for (const XYSeries& series : times->spec().series)
            for (const XYPoint& point : series.points)
                if (!point.id.isEmpty())
                    ids << point.id;
        return ids;
    };
    EXPECT_TRUE(shown().contains("naive-new") && !shown().contains("tiled-new"));
    emit page.findChild<TimeHistory*>()->opened("tiled-new");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of tiled-new.");
    EXPECT_TRUE(shown().contains("tiled-new") && !shown().contains("naive-new")) << "times of the run before";
    tabs->setCurrentIndex(0);
    auto* area = page.findChild<QScrollArea*>();
    EXPECT_EQ(area->verticalScrollBar()->value(), 0);
    buttonOn(page, "glance-memory")->click();
    const int memory = area->verticalScrollBar()->value();
    EXPECT_GT(memory, 0);
    buttonOn(page, "glance-stalls")->click();
    EXPECT_GT(area->verticalScrollBar()->value(), memory) << "further down";
    EXPECT_FALSE(buttonOn(page, "glance-source")->isEnabled()) << "it was not sampled";
    look("naive-new");
    EXPECT_EQ(area->verticalScrollBar()->value(), 0) << "another run is read from its beginning";
}

TEST_F(DiagnosePages, AnotherDatabaseWithoutProfilesOffersNothing)
{
    look("naive-new");
    const std::string own = utf8(context->location());
    button("pinBaseline")->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(context->switchTo(location("empty.db")));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(page.findChild<QLabel*>("findingSentence")->isVisible());
    EXPECT_FALSE(button("addToCompare")->isEnabled());
    EXPECT_FALSE(button("pinBaseline")->isEnabled());
    EXPECT_FALSE(button("pinBaseline")->isChecked());
    EXPECT_FALSE(picker()->isEnabled());
    EXPECT_FALSE(picker()->text().contains("transpose"));
    const QSignalSpy compared(context, &AppContext::comparisonRequested);
    button("addToCompare")->click();
    EXPECT_EQ(compared.count(), 0);
    ASSERT_TRUE(context->switchTo(own));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of naive-new.");
    EXPECT_TRUE(button("addToCompare")->isEnabled());
}

} // namespace
} // namespace kl::ui
