// SPDX-License-Identifier: MIT
// Charts and cards of a diagnosis that get another run: everything in them is of that run, of its GPU and of its baselines.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/model/source_lines.h"
#include "core/timeline/timeline_report.h"
#include "kernels/catalog.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/diagnose/gaps_card.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/kernels_roofline.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/occupancy_card.h"
#include "ui/pages/diagnose/timeline_tab.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/style_sheet.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTextBlock>

namespace kl::ui {
namespace {

class HotLinesAgain : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(catalog); }
    /// A run whose samples are at these lines of its kernel's source.
    RunRecord sampledAt(const std::vector<std::pair<int, double>>& lines) const
    {
        RunRecord run = countedRun("now", 1000);
        run.kernel = {"transpose", "naive", {}};
        run.sourceHash = contentHash((*catalog->family("transpose"))->source);
        run.sourceProfile.emplace();
        run.sourceProfile->launch = "transpose_naive";
        run.sourceProfile->samples = 1000;
        for (const auto& [line, share] : lines) {
            const auto samples = static_cast<std::int64_t>(1000 * share);
            run.sourceProfile->lines.push_back({kSourceFile, line, samples, share, {{"wait", samples}}, {}, {}, {}});
        }
        return run;
    }
    int shownLine() const { return panel.findChild<CodeView*>()->textCursor().blockNumber() + 1; }

    const Result<Catalog> catalog = Catalog::loadEmbedded();
    HotLinesPanel panel;
    HotLineBars* const bars = panel.findChild<HotLineBars*>("hotLines");
};

TEST_F(HotLinesAgain, ABarLeadsToALineOfTheRunThatIsShown)
{
    panel.setRun(sampledAt({{15, 0.7}, {13, 0.3}}), *catalog, {});
    panel.setRun(sampledAt({{12, 0.6}, {9, 0.4}}), *catalog, {});
    emit bars->picked(1);
    EXPECT_EQ(shownLine(), 9);
    emit bars->picked(0);
    EXPECT_EQ(shownLine(), 12);
    emit bars->picked(-1);
    EXPECT_EQ(shownLine(), 12);
    emit bars->picked(2);
    EXPECT_EQ(shownLine(), 12) << "two lines have a bar";
    EXPECT_EQ(bars->table().rows.size(), 2U);
}

TEST_F(HotLinesAgain, SixHaveABarAndNoneThatWouldReadZero)
{
    panel.setRun(sampledAt({{15, 0.3}, {14, 0.2}, {13, 0.15}, {12, 0.12}, {11, 0.1}, {10, 0.08}, {9, 0.05}}), *catalog, {});
    EXPECT_EQ(bars->table().rows.size(), 6U);
    emit bars->picked(5);
    EXPECT_EQ(shownLine(), 10);
    const auto* card = qobject_cast<ChartCard*>(bars->parentWidget()->parentWidget());
    ASSERT_TRUE(card);
    const QStringList sampled = seenOn(*card);
    panel.setRun(sampledAt({{15, 0.9996}, {14, 0.0004}}), *catalog, {});
    EXPECT_EQ(bars->table().rows.size(), 1U);
    RunRecord bare = sampledAt({});
    bare.sourceProfile->samples = 0;
    bare.sourceProfile->unavailable = "no permission";
    panel.setRun(bare, *catalog, {});
    EXPECT_EQ(bars->emptyReason(), panel.missing());
    EXPECT_LT(seenOn(*card).size(), sampled.size()) << "there is nothing to click";
    panel.setRun(sampledAt({{15, 1.0}}), *catalog, {});
    EXPECT_TRUE(panel.missing().isEmpty());
    EXPECT_TRUE(bars->isVisibleTo(&panel));
}

KernelRow placedAt(const char* id, MemoryLevel level, double intensity)
{
    KernelRow row;
    row.id.text = id;
    row.shortName = QLatin1String(id);
    row.totalNs = 100;
    row.points[static_cast<std::size_t>(level)] = KernelPoint{intensity, 1e12};
    return row;
}

TEST(KernelRooflinesAgain, RoofsAreThoseOfTheGpuOfTheKernels)
{
    const std::vector<KernelRow> kernels{placedAt("a", MemoryLevel::dram, 10)};
    const RunRecord large = countedRun("large", 1000);
    RunRecord small = large;
    small.device.name = "NVIDIA L4";
    small.device.memoryBusBits = 192;
    small.device.smCount = 58;
    KernelsRoofline view;
    const auto* chart = view.findChild<XYChart*>("kernelsRoofline");
    const auto highest = [](const XYSpec& spec) {
        double most = 0;
        for (const XYSeries& series : spec.series)
            for (const XYPoint& point : series.points)
                most = std::max(most, point.y);
        return most;
    };
    view.setKernels(kernels, large);
    const double before = highest(chart->spec());
    EXPECT_DOUBLE_EQ(before, highest(kernelsRooflineSpec(kernels, large, MemoryLevel::dram)));
    view.setKernels(kernels, small);
    EXPECT_DOUBLE_EQ(highest(chart->spec()), highest(kernelsRooflineSpec(kernels, small, MemoryLevel::dram)));
    EXPECT_LT(highest(chart->spec()), before);
}

TEST(KernelRooflinesAgain, TheLevelIsTheChosenOneAlsoForOtherKernels)
{
    const RunRecord device = countedRun("device", 1000);
    KernelsRoofline view;
    auto* level = view.findChild<QComboBox*>();
    const auto* chart = view.findChild<XYChart*>("kernelsRoofline");
    const auto* card = view.findChild<ChartCard*>();
    view.setKernels({placedAt("d", MemoryLevel::dram, 1), placedAt("two", MemoryLevel::l2, 2), placedAt("one", MemoryLevel::l1, 3)},
                    device);
    const char* ids[] = {"d", "two", "one"};
    for (int at = 0; at < 3; ++at) {
        level->setCurrentIndex(at);
        ASSERT_FALSE(chart->spec().series.empty()) << at;
        ASSERT_EQ(chart->spec().series.back().points.size(), 1U) << at;
        EXPECT_EQ(chart->spec().series.back().points[0].id, ids[at]);
        EXPECT_TRUE(card->title().startsWith("1 of 3 ")) << card->title().toStdString();
    }
    view.setKernels({placedAt("next", MemoryLevel::l1, 3)}, device);
    EXPECT_EQ(chart->spec().series.back().points[0].id, "next");
    EXPECT_TRUE(card->title().startsWith("1 of 1 ")) << card->title().toStdString();
}

TEST(MemoryCardsAgain, ChangesAreAgainstTheBaselineAndNotTheRunItself)
{
    const RunRecord run = countedRun("now", 1000);
    RunRecord before = countedRun("before", 2000), other = before;
    before.metrics->values[kDramShare] = 50.0;
    other.metrics->values[kDramShare] = 5.0;
    MemoryCard card;
    const auto* view = card.findChild<MemoryChartView*>("memoryChart");
    const auto changes = [&] {
        QStringList texts;
        for (const QStringList& row : view->table().rows)
            texts << row.last();
        return texts.join('|');
    };
    card.setRun(run, {{&before, Token::series5}});
    EXPECT_TRUE(changes().contains(q("−30\u202fpts"))) << changes().toStdString();
    card.setRun(run, {{&before, Token::series5}, {&other, Token::series6}});
    EXPECT_TRUE(changes().contains(q("−30\u202fpts, +15\u202fpts"))) << changes().toStdString();
    card.setRun(before, {{&other, Token::series6}});
    EXPECT_TRUE(changes().contains(q("+45\u202fpts"))) << changes().toStdString();
    card.setRun(run, {});
    EXPECT_FALSE(changes().contains("pts"));
}

TEST(OccupancyAgain, TheResultHasTheColorOfItsChangeAndTheLimitOfWhatDoesNotFit)
{
    RunRecord run = countedRun("now", 1000);
    run.launches[0].blockThreads = 256;
    run.launches[0].registers = 96;
    run.launches[0].staticSmem = run.launches[0].dynamicSmem = 0;
    const std::optional<OccupancyWhatIf> whatIf = occupancyWhatIf(run);
    ASSERT_TRUE(whatIf);
    OccupancyCard card;
    card.setRun(run);
    const auto* result = card.findChild<QLabel*>("whatIfResult");
    auto* registers = card.findChild<QSlider*>("whatIfRegisters");
    auto* threads = card.findChild<QSlider*>("whatIfThreads");
    EXPECT_EQ(registers->minimum(), 1);
    EXPECT_EQ(registers->maximum(), 255);
    EXPECT_EQ(threads->minimum(), 1);
    EXPECT_EQ(threads->maximum(), 32) << "warps";
    EXPECT_EQ(result->property("token"), tokenName(Token::text));
    registers->setValue(32);
    EXPECT_EQ(result->property("token"), tokenName(Token::better));
    EXPECT_TRUE(result->text().endsWith(q(computeOccupancy(whatIf->limits, {256, 32, 0}).limiter)));
    registers->setValue(250);
    EXPECT_EQ(result->property("token"), tokenName(Token::worse));
    threads->setValue(32);
    registers->setValue(255);
    const Occupancy none = computeOccupancy(whatIf->limits, {1024, 255, 0});
    ASSERT_EQ(none.blocksPerSm, 0);
    EXPECT_TRUE(result->text().endsWith(q(none.limiter))) << result->text().toStdString();
    run.launches[0].registers = 32;
    run.launches[0].blockThreads = 96;
    run.launches[0].staticSmem = 4096;
    card.setRun(run);
    EXPECT_EQ(threads->value(), 3);
    EXPECT_EQ(registers->value(), 32);
    EXPECT_EQ(card.findChild<QSlider*>("whatIfShared")->value(), 4);
    EXPECT_EQ(result->property("token"), tokenName(Token::text)) << "against the run that is shown";
}

TEST(GapsAgain, EachHasALineInItsOrder)
{
    GapsCard card;
    card.setGaps({{"Stalls", "no counters"}, {"Memory", {}}, {"Roofline", "no work"}});
    const auto* text = card.findChild<QLabel*>("chartGaps");
    EXPECT_EQ(text->text(), "Stalls: no counters\nRoofline: no work");
    card.setGaps({});
    EXPECT_TRUE(card.isHidden());
    card.setGaps({{"Memory", "not counted"}});
    EXPECT_FALSE(card.isHidden());
    EXPECT_EQ(text->text(), "Memory: not counted");
}

/// Warp 1 waits at lines 10, 20, … of these lengths, one after the other; warp 0 ends each wait.
RunRecord waitingRun(const std::vector<int>& lengths)
{
    RunRecord run;
    run.timeline.emplace();
    Timeline& timeline = *run.timeline;
    timeline.entry = "kernel_f";
    timeline.gridBlocks = 1;
    timeline.blockWarps = 2;
    timeline.recordedBlocks = 1;
    timeline.automatic = true;
    WarpMarks first, second;
    first.endCycle = 2000;
    second.warp = 1;
    second.endCycle = 2000;
    int cycle = 100;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const int line = 10 * (static_cast<int>(i) + 1);
        const int id = 1 + 3 * static_cast<int>(i);
        timeline.sites.push_back({id, MarkKind::waitBegin, SyncKind::memoryBarrier, "try_wait", line, false});
        timeline.sites.push_back({id + 1, MarkKind::waitEnd, SyncKind::memoryBarrier, "try_wait", line, false});
        second.marks.push_back({id, cycle, 8});
        cycle += lengths[i];
        second.marks.push_back({id + 1, cycle, 8});
        cycle += 50;
    }
    timeline.warps = {first, second};
    return run;
}

QStringList readWaits(const TimelineTab& tab)
{
    QStringList waits;
    for (const QString& line : tab.findChild<QLabel*>("timelineRoles")->text().split('\n'))
        if (line.startsWith(' '))
            waits << line.trimmed();
    return waits;
}

TEST(TimelineAgain, TheThreeLongestWaitsOfARoleAreListed)
{
    TimelineTab tab;
    tab.setRun(waitingRun({100, 400, 200, 300}));
    const QStringList waits = readWaits(tab);
    ASSERT_EQ(waits.size(), 3) << waits.join('|').toStdString();
    const std::pair<int, int> longest[] = {{400, 20}, {300, 40}, {200, 30}};
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(waits[i].startsWith(q(formatPercent(100.0 * longest[i].first / 2000)))) << waits[i].toStdString();
        EXPECT_TRUE(waits[i].contains(QString::number(longest[i].second))) << waits[i].toStdString();
        EXPECT_TRUE(waits[i].contains(q(formatCount(longest[i].first)))) << waits[i].toStdString();
    }
}

TEST(TimelineAgain, AWaitThatWouldReadZeroIsLeftOutAndNothingOfBeforeStays)
{
    TimelineTab tab;
    tab.setRun(waitingRun({400, 200}));
    EXPECT_EQ(readWaits(tab).size(), 2);
    tab.setRun(waitingRun({400, 8}));
    ASSERT_EQ(readWaits(tab).size(), 1);
    EXPECT_TRUE(readWaits(tab)[0].contains("10"));
    EXPECT_FALSE(readWaits(tab)[0].contains('(')) << "nobody is known to have ended it";
}

TEST(TimelineAgain, TheCostOfMarksHasBothEndsOfItsInterval)
{
    RunRecord run = waitingRun({400});
    for (int i = 0; i < 8; ++i) {
        const double marked = 110 + 2 * i;
        run.timeline->overhead.push_back({{100, 100}, {marked, marked}});
    }
    const TimelineReport report = analyzeTimeline(*run.timeline);
    ASSERT_TRUE(report.overhead);
    ASSERT_LT(report.overhead->low, report.overhead->high);
    TimelineTab tab;
    tab.setRun(run);
    const QString facts = tab.findChild<QLabel*>("timelineFacts")->text();
    qsizetype at = -1;
    for (const double end : {report.overhead->value, report.overhead->low, report.overhead->high}) {
        const qsizetype found = facts.indexOf(q(formatChange(end - 1)), at + 1);
        EXPECT_GT(found, at) << end << ": " << facts.toStdString();
        at = found;
    }
}

TEST(StallChanges, NeitherTheRestNorWhatIsNotStalledIsAReason)
{
    StallBars bars;
    bars.parts = {"barrier", "wait", "other", "not stalled"};
    bars.rows = {{"a", {10, 20, 50, 20}, {}}, {"b", {12, 35, 1, 52}, {}}};
    const QString change = stallChange(bars);
    EXPECT_TRUE(change.startsWith("Wait:")) << change.toStdString();
    qsizetype at = 0;
    for (const QString& part : {q(formatPercent(20)), QStringLiteral("a"), q(formatPercent(35)), QStringLiteral("b")}) {
        const qsizetype found = change.indexOf(part, at);
        EXPECT_GE(found, at) << part.toStdString() << ": " << change.toStdString();
        at = found + part.size();
    }
    bars.rows[1].parts = {90, 21, 0, 0};
    EXPECT_TRUE(stallChange(bars).startsWith("Barrier:")) << "the first of them, too";
    bars.rows[1].parts = {5, 21, 50, 24};
    EXPECT_TRUE(stallChange(bars).startsWith("Barrier:")) << "one that became less";
    bars.rows.pop_back();
    EXPECT_TRUE(stallChange(bars).isEmpty());
}

} // namespace
} // namespace kl::ui
