// SPDX-License-Identifier: MIT
// The Diagnose page as a whole: its tabs by the kind of the run, and what is missing in each card.
#include "core/base/ids.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/pages/diagnose/diagnosis_data.h"
#include "ui/pages/diagnose/duration_card.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/kernels_roofline.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/metric_browser.h"
#include "ui/pages/diagnose/roofline_panel.h"
#include "ui/pages/diagnose/stalls_card.h"
#include "ui/pages/diagnose/timeline_tab.h"
#include "ui/pages/diagnose_page.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/start_doors.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/pages/shared/source_view.h"
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

namespace kl::ui {
namespace {

class DiagnoseTabs : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        auto opened = AppContext::open(utf8(folder->filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        keep(made("first", "fma/fp32", 1));
        keep(made("second", "fma/fp32", 2));
        keep(made("other", "transpose/naive", 3));
        RunRecord timeline = made("timeline", "transpose/tiled", 4);
        timeline.diagnosis.reset();
        timeline.metrics.reset();
        timeline.timeline.emplace();
        timeline.timeline->entry = "recorded_kernel";
        timeline.timeline->blockWarps = 1;
        timeline.timeline->recordedBlocks = 1;
        WarpMarks warp;
        warp.endCycle = 1000;
        timeline.timeline->warps = {warp};
        keep(timeline);
        for (const char* id : {"program-a", "program-b", "program-c"}) {
            RunRecord run = made(id, "fma/fp32", 5);
            run.kernel = {"program", std::string("k-") + id, {}};
            run.program = ProgramFacts{{"./prog"}, std::string(id) + "(float*)", 3, 3000, 0.3, {}, 0};
            run.imported.emplace();
            run.imported->file = run.imported->fileHash = "step.ncu-rep";
            run.imported->kernel = std::string(id) + "(float*)";
            keep(run);
        }
        RunRecord bare = made("bare", "copy/plain", 6);
        bare.metrics.reset();
        bare.flops = 0;
        bare.pmSampling.emplace();
        bare.pmSampling->unavailable = "not on this chip";
        bare.sourceProfile.emplace();
        bare.sourceProfile->unavailable = "no permission to sample";
        keep(bare);
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
    }
    DiagnoseTabs() : page(*context)
    {
        page.resize(1280, 800);
        page.setVisible(true);
    }
    void TearDown() override
    {
        waitForJobs();
        for (const RunId& id : Baselines::instance().of(context->location()))
            Baselines::instance().pin(context->location(), id, false);
        waitForJobs();
    }
    static RunRecord made(const char* id, const char* kernel, int day)
    {
        RunRecord run = countedRun(id, 100000);
        run.kernel = *parseAddress(kernel);
        run.startedAt = "2026-01-0" + std::to_string(day) + "T00:00:00.000Z";
        run.source = Source::sample;
        run.correctness.result = CorrectnessResult::correct;
        run.diagnosis->finding.title = std::string("Finding of ") + id + ".";
        return run;
    }
    static void keep(const RunRecord& run) { ASSERT_TRUE(context->engine()->store->saveRun(run)) << run.id.text; }
    void look(const char* argument)
    {
        page.open(QString::fromLatin1(argument));
        page.refresh();
        ASSERT_TRUE(waitForJobs());
    }
    QTabWidget* tabs() const { return page.findChild<QTabWidget*>("pageTabs"); }
    bool offersTab(QWidget* tab) const { return tabs()->isTabVisible(tabs()->indexOf(tab)); }
    QString sentence() const { return page.findChild<QLabel*>("findingSentence")->text(); }

    static inline QTemporaryDir* folder = nullptr;
    static inline AppContext* context = nullptr;
    DiagnosePage page;
};

TEST_F(DiagnoseTabs, ARecordedTimelineIsShownWhereThereIsNoDiagnosis)
{
    auto* timeline = page.findChild<TimelineTab*>();
    look("first");
    EXPECT_FALSE(offersTab(timeline));
    EXPECT_EQ(tabs()->currentIndex(), 0);
    look("timeline");
    EXPECT_TRUE(offersTab(timeline));
    EXPECT_EQ(tabs()->currentWidget(), timeline);
    EXPECT_EQ(seenOn(*timeline).filter("recorded_kernel").size(), 1);
    look("first");
    EXPECT_FALSE(offersTab(timeline)) << "of the run before";
    EXPECT_NE(tabs()->currentWidget(), timeline);
    EXPECT_EQ(sentence(), "Finding of first.");
}

TEST_F(DiagnoseTabs, KernelsOfAProgramHaveATableARooflineAndASessionOfTheirOwn)
{
    auto* all = page.findChild<KernelsRoofline*>();
    auto* table = page.findChild<KernelTable*>("reportKernels");
    look("first");
    EXPECT_FALSE(offersTab(all));
    EXPECT_FALSE(table->isVisible());
    EXPECT_FALSE(page.offers(page.findChild<QPushButton*>("openTarget")));
    look("program-b");
    EXPECT_TRUE(table->isVisible());
    EXPECT_EQ(table->rows().size(), 3U);
    ASSERT_EQ(table->selected().size(), 1U);
    EXPECT_EQ(table->selected()[0].text, "program-b");
    EXPECT_TRUE(page.offers(page.findChild<QPushButton*>("openTarget")));
    EXPECT_EQ(page.filterField(), table->filterField());
    ASSERT_TRUE(offersTab(all));
    tabs()->setCurrentWidget(all);
    const auto* chart = page.findChild<XYChart*>("kernelsRoofline");
    ASSERT_FALSE(chart->spec().series.empty());
    EXPECT_EQ(chart->spec().series.back().points.size(), 3U);
    emit all->opened("program-c");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of program-c.");
    emit table->chosen("program-a");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(sentence(), "Finding of program-a.");
    const QSignalSpy navigated(context, &AppContext::navigationRequested);
    emit table->compareRequested({"program-a", "program-c"});
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "compare");
    EXPECT_EQ(navigated[0][1].toString(), "runs:program-a,program-c");
}

TEST_F(DiagnoseTabs, WhatIsMissingIsListedByItsCard)
{
    look("bare");
    EXPECT_EQ(sentence(), "Finding of bare.");
    const QStringList gaps = page.findChild<QLabel*>("chartGaps")->text().split('\n');
    ASSERT_EQ(gaps.size(), 5) << gaps.join('|').toStdString();
    const QString missing[] = {page.findChild<RooflinePanel*>()->missing(), page.findChild<MemoryCard*>()->missing(),
                               page.findChild<StallsCard*>()->missing(), page.findChild<DurationCard*>()->missing(),
                               page.findChild<HotLinesPanel*>()->missing()};
    for (int i = 0; i < 5; ++i)
        EXPECT_TRUE(!missing[i].isEmpty() && gaps[i].endsWith(": " + missing[i])) << gaps[i].toStdString();
    EXPECT_TRUE(gaps[3].endsWith("not on this chip"));
    EXPECT_TRUE(gaps[4].endsWith("no permission to sample"));
    const std::pair<const char*, int> glances[] = {{"roofline", 0}, {"memory", 1}, {"stalls", 2}, {"source", 4}};
    for (const auto& [place, card] : glances) {
        EXPECT_EQ(page.findChild<QLabel*>(QStringLiteral("glanceText-") + place)->text(), missing[card]) << place;
        EXPECT_FALSE(buttonOn(page, QStringLiteral("glance-") + place)->isEnabled()) << place;
    }
    look("first");
    const QString titles[] = {page.findChild<RooflinePanel*>()->title(), page.findChild<MemoryCard*>()->title(),
                              page.findChild<StallsCard*>()->title()};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(page.findChild<QLabel*>(QStringLiteral("glanceText-") + glances[i].first)->text(), titles[i]);
        EXPECT_TRUE(buttonOn(page, QStringLiteral("glance-") + glances[i].first)->isEnabled());
    }
    auto* area = page.findChild<QScrollArea*>();
    buttonOn(page, "glance-stalls")->click();
    const int stalls = area->verticalScrollBar()->value();
    buttonOn(page, "glance-roofline")->click();
    EXPECT_LT(area->verticalScrollBar()->value(), stalls) << "further up";
}

TEST_F(DiagnoseTabs, MetricsAreComparedWithTheNewestPinnedRun)
{
    Baselines::instance().pin(context->location(), RunId{"first"}, true);
    Baselines::instance().pin(context->location(), RunId{"other"}, true);
    ASSERT_TRUE(waitForJobs());
    look("second");
    look("metric:dram__bytes_read.sum");
    auto* baseline = page.findChild<RunPicker*>("metricBaseline");
    EXPECT_TRUE(baseline->text().contains("transpose/naive")) << baseline->text().toStdString();
    Baselines::instance().pin(context->location(), RunId{"other"}, false);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(baseline->text().contains("fma/fp32")) << baseline->text().toStdString();
    Baselines::instance().pin(context->location(), RunId{"first"}, false);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(baseline->text().contains("fma/fp32"));
}

TEST_F(DiagnoseTabs, TheSourceIsOpenedAtFullSize)
{
    look("other");
    emit page.findChild<HotLinesPanel*>()->maximizeRequested();
    EXPECT_NE(tabs()->currentWidget()->findChild<SourceView*>("sourcePage"), nullptr);
    tabs()->setCurrentIndex(0);
    look("source:");
    EXPECT_NE(tabs()->currentWidget()->findChild<SourceView*>("sourcePage"), nullptr);
    EXPECT_EQ(sentence(), "Finding of other.") << "the run stays";
    EXPECT_EQ(page.filterField(), page.findChild<SourceView*>("sourcePage")->findField());
}

TEST_F(DiagnoseTabs, ARulesRecordIsThatOfTheFindingsClass)
{
    auto opened = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    const auto profiles = (*opened)->store().runs({.profilesOnly = true, .limit = 40});
    ASSERT_TRUE(profiles);
    const auto cases = (*opened)->engine()->ruleCases();
    ASSERT_TRUE(cases);
    int found = 0;
    for (const RunSummary& profile : *profiles) {
        const Result<DiagnosisData> data = readDiagnosis(*(*opened)->engine(), profile.id.text, {}, {});
        ASSERT_TRUE(data) << data.error().message;
        if (!data->rule)
            continue;
        ++found;
        EXPECT_EQ(data->rule->rule, data->run->diagnosis->finding.classId);
        const auto outcomes = ruleOutcomes(*cases, data->run->source == Source::sample);
        EXPECT_EQ(*data->rule, *std::ranges::find(outcomes, data->rule->rule, &RuleOutcome::rule));
        if (found == 3)
            break;
    }
    if (!profiles->empty() && !cases->empty()) {
        EXPECT_GT(found, 0);
    }
}

TEST_F(DiagnoseTabs, AKernelThatCannotBeAddedIsReportedAndNotShown)
{
    StartDoors doors(*context, nullptr);
    doors.show();
    doors.findChild<QPushButton*>("newKernelDoor")->click();
    auto* dialog = doors.window()->findChild<NewKernelDialog*>();
    ASSERT_NE(dialog, nullptr);
    const QSignalSpy posted(context, &AppContext::messagePosted), navigated(context, &AppContext::navigationRequested);
    emit dialog->written("/no/such/kernel.json", "mine");
    EXPECT_EQ(posted.count(), 1);
    EXPECT_EQ(navigated.count(), 0);
    dialog->close();
}

} // namespace
} // namespace kl::ui
