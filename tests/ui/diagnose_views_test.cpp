// SPDX-License-Identifier: MIT
// The charts and views of a diagnosis by themselves: memory, occupancy, hot lines, all kernels, the decision tree, the timeline.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/tree.h"
#include "core/model/source_lines.h"
#include "kernels/catalog.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/diagnose/decision_card.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/kernels_roofline.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/ncu_card.h"
#include "ui/pages/diagnose/occupancy_card.h"
#include "ui/pages/diagnose/timeline_tab.h"
#include "ui/pages/diagnose/tree_view.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QTextBlock>
#include <QToolTip>

namespace kl::ui {
namespace {

MemoryChart makeMemoryChart(double busy, double requests, double bytes)
{
    MemoryChart chart;
    for (const char* id : {"sm", "l1", "shared", "l2", "dram"})
        chart.units.push_back({id, std::string("Unit ") + id, {{"busy", {}, "%", "", "not counted"}}});
    chart.units[3].figures[0] = {"busy", busy, "%", "the metric", ""};
    chart.flows = {{"sm", "l1", "loads", {{"requests", requests, "count", "", ""}, {"bytes", bytes, "bytes", "sectors × 32", ""}}},
                   {"l2", "dram", "writes", {{"bytes", {}, "bytes", "", "not in the file"}}}};
    return chart;
}

TEST(MemoryCharts, HaveEachFigureWithItsChangeInTheirTable)
{
    MemoryChartView view;
    EXPECT_FALSE(view.emptyReason().isEmpty());
    MemoryChart before = makeMemoryChart(20, 10, 500);
    view.setChart(makeMemoryChart(40, 10, 1000), {{before, Token::series5}});
    EXPECT_TRUE(view.emptyReason().isEmpty());
    ChartTable table = view.table();
    EXPECT_EQ(table.header.size(), 5);
    ASSERT_EQ(table.rows.size(), 8U);
    EXPECT_EQ(table.rows[3], (QStringList{"Unit l2", "busy", q("40\u202f%"), "the metric", q("Δ +20\u202fpts")}));
    EXPECT_EQ(table.rows[0][0], "Unit sm");
    EXPECT_TRUE(table.rows[0][2].endsWith("not counted"));
    EXPECT_EQ(table.rows[0][4], "");
    EXPECT_EQ(table.rows[5].mid(1), (QStringList{"requests", "10", "", q("Δ =")}));
    EXPECT_EQ(table.rows[6].last(), q("Δ ×2"));
    EXPECT_TRUE(table.rows[6][0].startsWith(q("sm → l1")));
    EXPECT_TRUE(table.rows[7][2].endsWith("not in the file"));
    before.units.erase(before.units.begin() + 3);
    before.flows[0].what = "stores";
    view.setChart(makeMemoryChart(40, 10, 1000), {{before, Token::series5}});
    EXPECT_EQ(view.table().rows[3].last(), q("Δ n/a")) << "the baseline has no such unit";
    EXPECT_EQ(view.table().rows[5].last(), q("Δ n/a")) << "nor such traffic";
    view.setChart(makeMemoryChart(40, 10, 1000));
    EXPECT_EQ(view.table().header.size(), 4);
    EXPECT_EQ(memoryTitle(makeMemoryChart(40, 0, 0)).count("Unit l2"), 1);
    EXPECT_FALSE(memoryTitle(makeMemoryChart(40, 0, 0)).contains("Unit sm"));
    EXPECT_TRUE(explainMissingMemory(makeMemoryChart(40, 0, 0)).contains("not counted"));
    EXPECT_TRUE(explainMissingMemory(makeMemoryChart(40, 0, 0)).contains("not in the file"));
}

TEST(MemoryCharts, ExplainABoxAndDrawNoTrafficThatIsNone)
{
    MemoryChartView view;
    view.setChart(makeMemoryChart(40, 10, 1000));
    view.resize(900, view.sizeHint().height());
    const QImage busy = view.grab().toImage();
    const auto tipAt = [&](double x, double y) {
        const QPoint at(static_cast<int>(x * view.width()), static_cast<int>(y * view.height()));
        QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
        QCoreApplication::sendEvent(&view, &help);
        return QToolTip::text();
    };
    EXPECT_TRUE(tipAt(0.05, 0.2).startsWith("Unit sm")) << tipAt(0.05, 0.2).toStdString();
    EXPECT_TRUE(tipAt(0.95, 0.2).startsWith("Unit dram"));
    const QString l2 = tipAt(0.64, 0.2);
    EXPECT_TRUE(l2.startsWith("Unit l2") && l2.contains("the metric")) << l2.toStdString();
    EXPECT_TRUE(tipAt(0.34, 0.95).startsWith("Unit shared"));
    EXPECT_TRUE(tipAt(0.2, 0.3).startsWith("loads")) << "the arrow from the kernel to L1";
    EXPECT_TRUE(tipAt(0.8, 0.3).startsWith("writes"));
    view.setChart(makeMemoryChart(40, 0, 0));
    EXPECT_NE(view.grab().toImage(), busy);
    EXPECT_TRUE(tipAt(0.05, 0.2).startsWith("Unit sm"));
    EXPECT_FALSE(tipAt(0.2, 0.3).startsWith("loads")) << "nothing was loaded";
}

TEST(MemoryCards, AreThoseOfTheirRun)
{
    RunRecord run = countedRun("now", 1000), before = countedRun("before", 2000);
    MemoryCard card;
    card.setRun(run, {{&before, Token::series5}});
    EXPECT_FALSE(card.isHidden());
    EXPECT_TRUE(card.title().contains("DRAM") && card.title().contains("20")) << card.title().toStdString();
    EXPECT_EQ(card.findChild<MemoryChartView*>("memoryChart")->table().header.size(), 5);
    run.metrics.reset();
    card.setRun(run, {});
    EXPECT_TRUE(card.isHidden());
    EXPECT_FALSE(card.missing().isEmpty());
    EXPECT_FALSE(card.title().contains("20")) << "of the run before";
}

RunRecord reportWithRules()
{
    RunRecord run = countedRun("now", 1000);
    run.imported.emplace();
    RuleResult rule;
    rule.rule = "SOLBottleneck";
    rule.title = "Memory is the limit";
    rule.kind = "optimization";
    rule.text = "text of the first";
    rule.speedupPercent = 40;
    rule.speedupScope = "global";
    RuleResult second = rule;
    second.rule = "Second";
    second.title = "";
    second.text = "text of the second";
    second.speedupPercent = 10;
    run.imported->rules = {rule, second};
    return run;
}

TEST(NcuCards, ShowTheTextsOfTheRulesOnRequest)
{
    NcuCard card;
    card.setRun(countedRun("now", 1000));
    EXPECT_TRUE(card.isHidden());
    card.setRun(reportWithRules());
    EXPECT_FALSE(card.isHidden());
    QString words = wordsOn(card);
    EXPECT_TRUE(words.contains("Memory is the limit") && words.contains("40"));
    EXPECT_TRUE(words.contains("Second")) << "a rule without a title has its name";
    EXPECT_FALSE(words.contains("text of the second"));
    auto* more = buttonOn(card, "ncuWords");
    const QString shows = more->text();
    more->click();
    EXPECT_TRUE(wordsOn(card).contains("text of the second"));
    EXPECT_NE(more->text(), shows);
    card.setRun(reportWithRules());
    EXPECT_TRUE(wordsOn(card).contains("text of the second")) << "as the user left it";
    more->click();
    EXPECT_FALSE(wordsOn(card).contains("text of the second"));
    RunRecord one = reportWithRules();
    one.imported->rules.pop_back();
    one.imported->rules[0].text.clear();
    card.setRun(one);
    EXPECT_FALSE(wordsOn(card).contains("Second")) << "of the report before";
    EXPECT_TRUE(more->isHidden()) << "there is no text to show";
    one.imported->rules.clear();
    card.setRun(one);
    EXPECT_TRUE(card.isHidden());
}

TEST(OccupancyCards, StandAtTheRunAndSayWhatAChangeGives)
{
    const RunRecord run = countedRun("now", 1000);
    const std::optional<OccupancyWhatIf> expected = occupancyWhatIf(run);
    ASSERT_TRUE(expected);
    OccupancyCard card;
    card.setRun(run);
    EXPECT_FALSE(card.isHidden());
    auto* threads = card.findChild<QSlider*>("whatIfThreads");
    auto* registers = card.findChild<QSlider*>("whatIfRegisters");
    auto* shared = card.findChild<QSlider*>("whatIfShared");
    EXPECT_EQ(threads->value(), 4) << "warps: 100 threads are 4";
    EXPECT_EQ(registers->value(), 40);
    EXPECT_EQ(shared->value(), 2) << "KiB: 1.5 are 2";
    EXPECT_EQ(shared->maximum(), static_cast<int>(expected->limits.smemOptin / 1024));
    QStringList texts = seenOn(card);
    EXPECT_TRUE(texts.contains("100")) << "its exact number of threads: " << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains("40"));
    EXPECT_TRUE(texts.contains(q(formatBytes(1536))));
    const auto* result = card.findChild<QLabel*>("whatIfResult");
    const auto says = [&](const BlockNeeds& needs) { return q(formatPercent(computeOccupancy(expected->limits, needs).percent)); };
    EXPECT_TRUE(result->text().startsWith(says(expected->needs))) << "no arrow: " << result->text().toStdString();
    registers->setValue(200);
    BlockNeeds more = expected->needs;
    more.registersPerThread = 200;
    EXPECT_TRUE(result->text().startsWith(q("▼ ") + says(more))) << result->text().toStdString();
    registers->setValue(40);
    threads->setValue(8);
    EXPECT_TRUE(seenOn(card).contains("256"));
    more = expected->needs;
    more.threads = 256;
    EXPECT_TRUE(result->text().contains(says(more))) << result->text().toStdString();
    threads->setValue(4);
    shared->setValue(100);
    EXPECT_TRUE(result->text().startsWith(q("▼ ")));
    threads->setValue(32);
    registers->setValue(255);
    EXPECT_FALSE(result->text().contains(q(formatPercent(0)))) << "it says that no block fits: " << result->text().toStdString();
    card.setRun(run);
    EXPECT_EQ(shared->value(), 2) << "back at the run";
    RunRecord unknown = run;
    unknown.launches.clear();
    card.setRun(unknown);
    EXPECT_TRUE(card.isHidden());
    registers->setValue(41);
}

TEST(OccupancyCards, ALeverMovesItsSlider)
{
    RunRecord run = countedRun("now", 1000);
    run.launches[0].blockThreads = 256;
    run.launches[0].registers = 96;
    run.launches[0].staticSmem = 0;
    run.metrics->values["sm__warps_active.avg.pct_of_peak_sustained_active"] = 33.3;
    run.experiments = {{"half-occupancy", "", 1.25, 3, ""}};
    const std::optional<OccupancyWhatIf> expected = occupancyWhatIf(run);
    ASSERT_TRUE(expected && !expected->levers.empty());
    OccupancyCard card;
    card.setRun(run);
    const QString now = seenOn(card).filter("33.3").value(0);
    EXPECT_TRUE(now.contains(q(formatPercent(expected->now.percent)))) << now.toStdString();
    EXPECT_TRUE(now.contains(q("1.25×")));
    settleWidgets();
    const auto links = card.findChildren<QPushButton*>();
    ASSERT_EQ(links.size(), static_cast<qsizetype>(expected->levers.size()));
    for (std::size_t i = 0; i < expected->levers.size(); ++i) {
        const OccupancyLever& lever = expected->levers[i];
        links[static_cast<qsizetype>(i)]->click();
        const bool byRegisters = lever.input == OccupancyInput::registers, byThreads = lever.input == OccupancyInput::threads;
        EXPECT_EQ(card.findChild<QSlider*>("whatIfRegisters")->value(), byRegisters ? lever.to : 96);
        EXPECT_EQ(card.findChild<QSlider*>("whatIfThreads")->value(), byThreads ? (lever.to + 31) / 32 : 8);
        EXPECT_TRUE(card.findChild<QLabel*>("whatIfResult")->text().startsWith(q("▲ ") + q(formatPercent(lever.gives.percent))));
    }
    run.launches[0].registers = 32;
    card.setRun(run);
    settleWidgets();
    EXPECT_TRUE(card.findChildren<QPushButton*>().isEmpty()) << "it is full already";
}

TEST(HotLinePanels, ABarShowsItsLineAndWithoutSamplesTheReasonIsLeft)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    RunRecord run = countedRun("now", 1000);
    run.kernel = {"transpose", "naive", {}};
    run.sourceHash = contentHash((*catalog->family("transpose"))->source);
    run.sourceProfile.emplace();
    run.sourceProfile->launch = "transpose_naive";
    run.sourceProfile->samples = 1000;
    run.sourceProfile->lines = {{kSourceFile, 15, 700, 0.7, {{"wait", 700}}, {}, {}, {}},
                                {kSourceFile, 13, 300, 0.3, {{"wait", 300}}, {}, {}, {}}};
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    EXPECT_FALSE(panel.isHidden());
    EXPECT_TRUE(panel.missing().isEmpty());
    EXPECT_TRUE(panel.title().contains("15") && panel.title().contains("70")) << panel.title().toStdString();
    auto* bars = panel.findChild<HotLineBars*>("hotLines");
    const auto* code = panel.findChild<CodeView*>();
    const auto line = [&] { return code->textCursor().blockNumber() + 1; };
    EXPECT_EQ(line(), 15);
    emit bars->picked(1);
    EXPECT_EQ(line(), 13);
    emit bars->picked(0);
    EXPECT_EQ(line(), 15);
    emit bars->picked(2);
    EXPECT_EQ(line(), 15) << "there is no such bar";
    const QSignalSpy maximized(&panel, &HotLinesPanel::maximizeRequested);
    buttonOn(panel, "maximizeSource")->click();
    EXPECT_EQ(maximized.count(), 1);
    run.sourceProfile->lines.clear();
    run.sourceProfile->samples = 0;
    run.sourceProfile->unavailable = "no permission";
    panel.setRun(run, *catalog, {});
    EXPECT_FALSE(bars->isVisibleTo(&panel));
    EXPECT_FALSE(panel.missing().isEmpty());
    EXPECT_TRUE(panel.title().isEmpty());
    EXPECT_FALSE(panel.isHidden()) << "the source is there";
    run.kernel = {"program", "k", {}};
    run.sourceProfile.reset();
    panel.setRun(run, *catalog, {});
    EXPECT_TRUE(panel.isHidden());
}

KernelRow placedKernel(const char* id, double intensity, double flops, double ns)
{
    KernelRow row;
    row.id.text = id;
    row.shortName = QStringLiteral("k-") + id;
    row.totalNs = ns;
    row.points[0] = KernelPoint{intensity, flops};
    return row;
}

TEST(KernelRooflines, PlaceEachKernelByItsTimeAndOpenIt)
{
    const RunRecord device = countedRun("device", 100000);
    std::vector<KernelRow> kernels{placedKernel("a", 1, 1e12, 100), placedKernel("b", 10, 2e12, 400), placedKernel("c", 100, 4e12, 200)};
    KernelRow nowhere;
    nowhere.id.text = "d";
    kernels.push_back(nowhere);
    KernelsRoofline view;
    view.setKernels(kernels, device);
    auto* chart = view.findChild<XYChart*>("kernelsRoofline");
    const XYSeries& all = chart->spec().series.back();
    ASSERT_EQ(all.points.size(), 3U);
    EXPECT_EQ(all.points[0].id, "b") << "the longest first";
    EXPECT_EQ(all.points[2].id, "a");
    EXPECT_DOUBLE_EQ(all.points[0].x, 10);
    EXPECT_DOUBLE_EQ(all.points[0].y, 2) << "TFLOP/s";
    EXPECT_EQ(all.points[0].area, 1.0);
    EXPECT_EQ(all.points[1].area, 0.5);
    EXPECT_TRUE(all.points[0].tip.contains("k-b") && all.points[0].tip.contains(q(formatTime(400))));
    EXPECT_TRUE(chart->spec().x.min && *chart->spec().x.min < 1);
    EXPECT_TRUE(chart->spec().x.max && *chart->spec().x.max > 100);
    const auto* card = view.findChild<ChartCard*>();
    EXPECT_TRUE(card->title().startsWith("3 of 4 ")) << card->title().toStdString();
    const QSignalSpy opened(&view, &KernelsRoofline::opened);
    emit chart->opened("c");
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "c");
    view.findChild<QComboBox*>()->setCurrentIndex(1);
    EXPECT_TRUE(chart->spec().series.empty()) << "no traffic of L2 is known";
    EXPECT_FALSE(chart->spec().emptyReason.isEmpty());
    EXPECT_FALSE(card->title().startsWith("3 "));
    view.findChild<QComboBox*>()->setCurrentIndex(0);
    kernels.resize(1);
    view.setKernels(kernels, device);
    EXPECT_EQ(chart->spec().series.back().points.size(), 1U) << "of another report";
    int names = 0;
    for (int i = 0; i < 7; ++i)
        kernels.push_back(placedKernel("more", 10, 1e12, 10));
    for (const XYNote& note : kernelsRooflineSpec(kernels, device, MemoryLevel::dram).notes)
        names += note.text.startsWith("k-");
    EXPECT_EQ(names, 5) << "the longest ones are named";
}

TEST(DecisionCards, SayWhichQuestionDecidedAndShowTheTreeOnRequest)
{
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::vector<DiagnosisTree::Node>& nodes = tree->nodes();
    ASSERT_GT(nodes.size(), 3U);
    Finding finding;
    finding.classId = nodes[2].classId;
    finding.path = {{nodes[0].id, "dram_percent", 10.0, 70.0, ">=", false},
                    {nodes[1].id, "l2_percent", 10.0, 70.0, ">=", false},
                    {nodes[2].id, "waves", 0.5, 1.0, "<", true}};
    DecisionCard card;
    card.setFinding(*tree, finding);
    const auto* answer = card.findChild<QLabel*>("decidingQuestion");
    EXPECT_TRUE(answer->text().startsWith(q(nodes[2].title))) << answer->text().toStdString();
    EXPECT_TRUE(answer->text().contains("0.50") || answer->text().contains("0.5 "));
    EXPECT_TRUE(answer->text().contains("2 ")) << "questions before it";
    auto* view = card.findChild<TreeView*>();
    EXPECT_TRUE(view->isHidden());
    auto* whole = buttonOn(card, "wholeTree");
    const QString shows = whole->text();
    whole->click();
    EXPECT_FALSE(view->isHidden());
    EXPECT_NE(whole->text(), shows);
    const auto* help = card.findChild<QLabel*>("questionHelp");
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_FALSE(help->isHidden());
    EXPECT_TRUE(help->text().contains(q(nodes[0].title).toHtmlEscaped()));
    whole->click();
    EXPECT_TRUE(view->isHidden());
    EXPECT_TRUE(help->isHidden());
    whole->click();
    QTest::keyClick(view, Qt::Key_Return);
    const QStringList known = seenOn(card);
    finding.path[0].node = "no such question";
    card.setFinding(*tree, finding);
    EXPECT_TRUE(help->isHidden()) << "of the finding before";
    EXPECT_GT(seenOn(card).size(), known.size() - 1) << "it says that the tree is another one";
    EXPECT_FALSE(view->isHidden()) << "as the user left it";
    finding.path.clear();
    finding.classId.clear();
    card.setFinding(*tree, finding);
    EXPECT_FALSE(answer->text().contains(q(nodes[2].title)));
}

TEST(TreeView, AQuestionIsExplainedByKeyClickAndTooltip)
{
    TreeView view;
    view.setTree({{"a", "A?", "x", "help of a"},
                  {"b", "B?", "y", std::string("long ") + std::string(60, 'w') + " " + std::string(60, 'v')},
                  {"c", "C?", "z", ""}},
                 {});
    view.resize(600, view.heightForWidth(600));
    view.show();
    const QSignalSpy explained(&view, &TreeView::explained);
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(explained.count(), 0) << "it is the first";
    for (const int key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right})
        QTest::keyClick(&view, static_cast<Qt::Key>(key));
    ASSERT_EQ(explained.count(), 2) << "the third is the last";
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_TRUE(explained.last()[0].toString().contains("B?"));
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_TRUE(explained.last()[0].toString().contains("A?"));
    EXPECT_TRUE(explained.last()[0].toString().contains("help of a"));
    QTest::keyClick(&view, Qt::Key_Enter);
    EXPECT_TRUE(explained.last()[0].toString().contains("A?"));
    QTest::keyClick(&view, Qt::Key_X);
    EXPECT_EQ(explained.count(), 5);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(200, 10));
    ASSERT_EQ(explained.count(), 6);
    EXPECT_TRUE(explained.last()[0].toString().contains("B?")) << "the second of three beside each other";
    QHelpEvent help(QEvent::ToolTip, QPoint(200, 10), view.mapToGlobal(QPoint(200, 10)));
    QCoreApplication::sendEvent(&view, &help);
    EXPECT_EQ(QToolTip::text().section('\n', 0, 0), "B?");
    EXPECT_TRUE(QToolTip::text().contains("long " + QString(60, 'w') + "\n" + QString(60, 'v'))) << "lines that a tooltip has room for";
}

TEST(TimelineTabs, SayWhatTheMarksCostOrWhyThatIsNotKnown)
{
    RunRecord run;
    run.timeline.emplace();
    Timeline& timeline = *run.timeline;
    timeline.entry = "kernel_f";
    timeline.gridBlocks = 4;
    timeline.blockWarps = 1;
    timeline.recordedBlocks = 1;
    timeline.sites = {{1, MarkKind::user, SyncKind::none, "load", 3, false}};
    WarpMarks warp;
    warp.endCycle = 1000;
    warp.endNs = 500;
    warp.marks = {{1, 100, 0}};
    timeline.warps = {warp};
    timeline.noOverhead = "It was not asked for.";
    timeline.notes = {"a note"};
    TimelineTab tab;
    tab.setRun(run);
    const auto* facts = tab.findChild<QLabel*>("timelineFacts");
    EXPECT_TRUE(facts->text().contains("It was not asked for."));
    EXPECT_TRUE(facts->text().contains("a note"));
    EXPECT_FALSE(tab.findChild<QLabel*>("timelineRoles")->text().isEmpty());
    EXPECT_EQ(seenOn(tab).filter("kernel_f").size(), 1);
    EXPECT_TRUE(seenOn(tab).filter("kernel_f").value(0).contains(q(formatTime(500))))
        << seenOn(tab).filter("kernel_f").value(0).toStdString();
    for (int i = 0; i < 8; ++i)
        timeline.overhead.push_back({{100, 100}, {110, 110}});
    timeline.noOverhead.clear();
    timeline.notes.clear();
    tab.setRun(run);
    EXPECT_TRUE(facts->text().contains("10")) << "percent: " << facts->text().toStdString();
    EXPECT_FALSE(facts->text().contains("a note")) << "of the run before";
}

} // namespace
} // namespace kl::ui
