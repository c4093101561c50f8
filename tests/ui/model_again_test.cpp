// SPDX-License-Identifier: MIT
// Figures of models, charts and lists whose case is rare: one value alone, groups, GPUs of one generation, two runs to compare.
#include "core/base/format.h"
#include "core/device/device_table.h"
#include "core/device/metric_catalog.h"
#include "kernels/catalog.h"
#include "sessions/learning/history.h"
#include "sessions/learning/scripted.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/linked_hover.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/context/baselines.h"
#include "ui/models/kernel_row.h"
#include "ui/models/pattern_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/models/word_filter.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/static_charts.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTreeWidget>

namespace kl::ui {
namespace {

TEST(LogRanges, OfOneValueReachOneDecadeUp)
{
    const auto range = [](std::vector<double> values) {
        const AxisRange found = logRange(values);
        return std::pair(found.low, found.high);
    };
    const auto expectNear = [&](std::vector<double> values, double low, double high) {
        const auto [from, to] = range(std::move(values));
        EXPECT_NEAR(from, low, low * 1e-9);
        EXPECT_NEAR(to, high, high * 1e-9);
    };
    expectNear({100}, 100, 1000);
    expectNear({1}, 1, 10);
    expectNear({0.01}, 0.01, 0.1);
    expectNear({30}, 10, 100);
    expectNear({10, 10}, 10, 100);
    expectNear({5, 0.2}, 0.1, 10);
    expectNear({10, 1000}, 10, 1000);
}

TEST(LimitTables, HaveTheirUnitAndLeaveOutWhatHasNoLimit)
{
    LimitBars bars;
    const QSignalSpy changed(&bars, &ChartBody::changed);
    bars.setBars({{"H200", 41.5, 50, true, "fits", {}}, {"T4", 30, {}, false, "does not", {}}}, "bytes", "most");
    EXPECT_EQ(changed.count(), 1);
    const ChartTable table = bars.table();
    EXPECT_EQ(table.header[1], "bytes");
    EXPECT_EQ(table.header[2], "most");
    EXPECT_EQ(table.rows[0], (QStringList{"H200", "41.5", "50", "fits"}));
    EXPECT_EQ(table.rows[1], (QStringList{"T4", "30", "", "does not"}));
    ASSERT_EQ(bars.legend().size(), 3U) << "one has a limit";
    EXPECT_EQ(bars.legend()[0].token, Token::better);
    EXPECT_EQ(bars.legend()[1].token, Token::worse);
    EXPECT_EQ(bars.legend()[2].name, "most");
    const int four = bars.sizeHint().height();
    bars.setBars(std::vector<LimitBar>(4, {"a", 1, {}, true, "w", {}}), {}, {});
    EXPECT_EQ(bars.sizeHint().height(), four) << "room for four at least";
    bars.setBars(std::vector<LimitBar>(8, {"a", 1, {}, true, "w", {}}), {}, {});
    EXPECT_EQ(bars.sizeHint().height(), 2 * four);
    EXPECT_LT(bars.minimumSizeHint().height(), bars.sizeHint().height());
    EXPECT_LT(bars.minimumSizeHint().width(), bars.sizeHint().width());
}

TEST(SavingTables, AreInMinutesWithTheirTotalsLast)
{
    WaterfallChart chart;
    chart.setSteps({{"pad", 12.0, 60.0}, {"fuse", {}, 0.5}}, "none yet");
    const ChartTable table = chart.table();
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0], (QStringList{"pad", "12", "60"}));
    EXPECT_EQ(table.rows[1], (QStringList{"fuse", "", "0.5"}));
    EXPECT_EQ(table.rows[2].mid(1), (QStringList{"12", "60.5"}));
    ASSERT_EQ(chart.legend().size(), 2U);
    EXPECT_EQ(chart.legend()[0].token, Token::series1);
    EXPECT_EQ(chart.legend()[1].token, Token::series4);
    EXPECT_EQ(chart.legend()[1].swatch, Swatch::hatched);
    const int two = chart.sizeHint().height();
    chart.setSteps({{"pad", 12.0, 60.0}}, "none yet");
    EXPECT_EQ(chart.sizeHint().height(), two) << "room for three at least";
    chart.setSteps(std::vector<SavingStep>(5, {"pad", 1.0, {}}), "none yet");
    EXPECT_EQ(chart.sizeHint().height(), two + 3 * 26);
}

TEST(LinkedHovers, TellOfEachChangeOnce)
{
    LinkedHover& hover = LinkedHover::instance();
    hover.set({});
    QSignalSpy changed(&hover, &LinkedHover::changed);
    hover.set("a");
    hover.set("a");
    hover.set("b");
    hover.set({});
    ASSERT_EQ(changed.count(), 3);
    EXPECT_EQ(changed[1][0].toString(), "b");
    EXPECT_EQ(changed[2][0].toString(), "");
    EXPECT_EQ(hover.id(), "");
}

TEST(GroupFilters, AGroupIsShownForItsRowsAndNotForItsOwnWords)
{
    QStandardItemModel model;
    const auto item = [](const char* words) {
        auto* made = new QStandardItem;
        made->setData(QString::fromLatin1(words), kFilterRole);
        return made;
    };
    auto* group = item("forward pass");
    group->appendRow(item("gemm"));
    group->appendRow(item("norm"));
    model.appendRow(group);
    model.appendRow(item("forward alone"));
    WordFilter filter;
    filter.setSourceModel(&model);
    filter.setWords("forward");
    ASSERT_EQ(filter.rowCount(), 1) << "none of the group's rows has the word";
    EXPECT_EQ(filter.index(0, 0).data(kFilterRole).toString(), "forward alone");
    filter.setWords("NORM");
    ASSERT_EQ(filter.rowCount(), 1);
    EXPECT_EQ(filter.index(0, 0).data(kFilterRole).toString(), "forward pass");
    EXPECT_EQ(filter.rowCount(filter.index(0, 0)), 1) << "the other row is left out";
    filter.setWords({});
    EXPECT_EQ(filter.rowCount(), 2);
    EXPECT_EQ(filter.rowCount(filter.index(0, 0)), 2);
}

TEST(Baskets, ActionsOnAllRunsAreThereFromTwoOn)
{
    BasketCard card(nullptr);
    const auto offers = [&](const char* name) { return card.findChild<QPushButton*>(QString::fromLatin1(name))->isVisibleTo(&card); };
    const auto run = [](const char* id, const char* variant) { return support::timedRun(id, variant, "2026-03-01T09:00:00.000Z", 5); };
    card.setRuns({}, {});
    EXPECT_FALSE(offers("swapRuns"));
    card.setRuns({run("a", "naive")}, {});
    EXPECT_FALSE(offers("swapRuns"));
    EXPECT_FALSE(offers("emptyBasket"));
    card.setRuns({run("a", "naive"), run("b", "tiled")}, {});
    EXPECT_TRUE(offers("swapRuns"));
    EXPECT_TRUE(offers("emptyBasket"));
    settleWidgets();
    QStringList names = seenOn(card).filter("transpose/");
    ASSERT_EQ(names.size(), 2);
    EXPECT_TRUE(names[0].startsWith("A") && names[0].endsWith("transpose/naive")) << names[0].toStdString();
    EXPECT_TRUE(names[1].startsWith("B") && names[1].endsWith("transpose/tiled")) << names[1].toStdString();
    const QSignalSpy removed(&card, &BasketCard::removed);
    for (QPushButton* button : card.findChildren<QPushButton*>())
        if (button->accessibleName().endsWith("transpose/tiled"))
            button->click();
    ASSERT_EQ(removed.count(), 1);
    EXPECT_EQ(removed[0][0].toString(), "b");
    card.setRuns({run("b", "tiled")}, "the newest");
    settleWidgets();
    names = seenOn(card).filter("transpose/");
    ASSERT_EQ(names.size(), 1) << "nothing of the runs before";
    EXPECT_TRUE(names[0].startsWith("A"));
    EXPECT_FALSE(seenOn(card).filter("the newest").isEmpty());
    EXPECT_FALSE(offers("emptyBasket"));
}

TEST(StaticOccupancy, EachBarNamesTheGpusOfItsOwnArchitecture)
{
    const auto& rows = deviceTable().capabilities;
    std::vector<BuiltPoint> points(rows.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].ok = true;
        points[i].arch = listArchs()[i];
        points[i].launches = {{"f", 256, 16, 0, 0, 0, 0, 0, 0, {}}};
    }
    const OccupancyBars all = occupancyBars(points);
    QStringList named;
    for (const LimitBar& bar : all.bars)
        for (const QString& gpu : bar.name.split(", ")) {
            EXPECT_FALSE(named.contains(gpu)) << gpu.toStdString() << " has one architecture";
            named << gpu;
            const auto row = std::ranges::find(deviceTable().gpus, utf8(gpu), &GpuRow::match);
            ASSERT_NE(row, deviceTable().gpus.end()) << gpu.toStdString();
            EXPECT_EQ(bar.help.section('\n', 0, 0), q("sm_" + std::to_string(row->ccMajor) + std::to_string(row->ccMinor)));
        }
    for (const GpuRow& gpu : deviceTable().gpus)
        if (std::ranges::any_of(
                rows, [&](const CapabilityRow& row) { return row.limits.ccMajor == gpu.ccMajor && row.limits.ccMinor == gpu.ccMinor; })) {
            EXPECT_TRUE(named.contains(q(gpu.match))) << gpu.match;
        }
    points.resize(1);
    EXPECT_LE(occupancyBars(points).bars.size(), 1U) << "of what was built";
    EXPECT_TRUE(occupancyBars({}).bars.empty());
    EXPECT_EQ(occupancyBars({}).best, 0);
    points[0].launches.clear();
    for (const LimitBar& bar : occupancyBars(points).bars)
        EXPECT_FALSE(bar.good) << "there is nothing to launch";
}

TEST(StaticInstructions, LinesAndSharesAreOfAllLaunchesTogether)
{
    CompiledLaunch first{"f", 64, 32, 0, 0, 0, 0, 0, 0, {}}, second{"g", 64, 32, 0, 0, 0, 0, 0, 0, {}};
    first.opcodes = {{"ld", 6}, {"st", 2}};
    second.opcodes = {{"ld", 2}, {"fma", 10}};
    first.lines = {{3, {{"ld", 6}}}, {4, {{"st", 2}}}};
    second.lines = {{3, {{"ld", 2}}}, {7, {{"fma", 5}}}};
    const std::map<int, LineHeat> heat = instructionHeat({first, second});
    ASSERT_EQ(heat.size(), 3U);
    EXPECT_DOUBLE_EQ(heat.at(3).share, 0.4) << "8 of 20, those without a line included";
    EXPECT_DOUBLE_EQ(heat.at(7).share, 0.25);
    EXPECT_TRUE(heat.at(3).tip.startsWith("8 ")) << heat.at(3).tip.toStdString();
    EXPECT_TRUE(heat.at(3).tip.endsWith("ld 8"));
    const QString busiest = busiestLine({first, second});
    EXPECT_TRUE(busiest.contains("3") && busiest.contains(q(formatPercent(40))) && busiest.endsWith("ld")) << busiest.toStdString();
    EXPECT_TRUE(busiestLine({}).isEmpty());
    EXPECT_TRUE(describeMix({first, second}).endsWith("fma, " + q(formatPercent(50)))) << describeMix({first, second}).toStdString();
    const InstructionRows rows = instructionRows({first, second});
    EXPECT_EQ(rows.classes.mid(0, 3), (QStringList{"fma", "ld", "st"}));
    ASSERT_EQ(rows.rows.size(), 2U);
    EXPECT_EQ(rows.rows[0].parts, (std::vector<double>{0, 6, 2, 0}));
    EXPECT_EQ(rows.rows[1].parts, (std::vector<double>{10, 2, 0, 0}));
    EXPECT_EQ(rows.rows[1].name, "g");
}

TEST(KernelFilters, FindTheExpectedBottleneckAndTheIdOfAFamily)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    QTreeWidget list;
    list.setColumnCount(3);
    fillKernels(list, *catalog, {});
    ASSERT_EQ(list.topLevelItemCount(), static_cast<int>(catalog->families().size()));
    std::optional<std::string> expected;
    std::string address;
    for (const KernelFamily& family : catalog->families())
        for (const Variant& variant : family.variants)
            if (!expected && variant.expected) {
                expected = variant.expected;
                address = family.id + "/" + variant.id;
            }
    ASSERT_TRUE(expected);
    filterKernels(list, q(*expected).toUpper());
    int shown = 0;
    for (int i = 0; i < list.topLevelItemCount(); ++i)
        for (int k = 0; k < list.topLevelItem(i)->childCount(); ++k) {
            const QTreeWidgetItem* item = list.topLevelItem(i)->child(k);
            if (item->isHidden())
                continue;
            ++shown;
            EXPECT_FALSE(list.topLevelItem(i)->isHidden());
            if (item->data(0, Qt::UserRole).toString() == q(address)) {
                EXPECT_TRUE(item->toolTip(0).contains(q(*expected)));
                EXPECT_TRUE(item->textAlignment(1) & Qt::AlignRight);
            }
        }
    EXPECT_GE(shown, 1);
    filterKernels(list, q(address));
    shown = 0;
    for (int i = 0; i < list.topLevelItemCount(); ++i)
        shown += !list.topLevelItem(i)->isHidden();
    EXPECT_EQ(shown, 1) << "by its address";
}

TEST(CostCharts, TheTargetIsCountedAsExceededOnlyAboveIt)
{
    History history;
    history.sessionCostTarget = 5;
    for (const auto& [name, cost] : {std::pair("A", 5.0), {"B", 5.01}, {"C", 0.2}}) {
        HistoryRow& row = history.rows.emplace_back();
        row.name = name;
        row.money.gpu = {{cost, FigureKind::entered, ""}};
    }
    history.rows.emplace_back().name = "D";
    const HistoryChart chart = costChart(history);
    EXPECT_TRUE(chart.title.startsWith("1 ")) << chart.title.toStdString();
    EXPECT_EQ(chart.spec.x.categories, (QStringList{"A", "B", "C", "D"})) << "also what has no cost";
    ASSERT_EQ(chart.spec.series.size(), 1U);
    ASSERT_EQ(chart.spec.series[0].points.size(), 3U);
    EXPECT_EQ(chart.spec.series[0].points[1].x, 1);
    EXPECT_EQ(chart.spec.series[0].points[1].y, 5.01);
    history.rows.clear();
    const HistoryChart none = costChart(history);
    EXPECT_EQ(none.spec.series.size(), 2U) << "each says why it is empty";
    EXPECT_EQ(none.spec.references.size(), 1U);
    EXPECT_FALSE(none.spec.emptyReason.isEmpty());
}

TEST(HistoryAxes, AreSecondsOnlyWhereNothingTakesLong)
{
    History history;
    HistoryRow& row = history.rows.emplace_back();
    row.name = "A";
    row.kind = nameScriptedKind("optimize");
    row.minutes = {{0.5, FigureKind::measured, ""}};
    const XYSpec brief = minutesChart(history).spec;
    EXPECT_EQ(brief.series[0].points[0].y, 30);
    history.goal.emplace();
    history.goal->session = "B";
    history.goal->minutes = 60;
    const XYSpec withGoal = minutesChart(history).spec;
    EXPECT_EQ(withGoal.series[0].points[0].y, 0.5) << "the goal is on the axis, too";
    EXPECT_NE(withGoal.y.title, brief.y.title);
    ASSERT_EQ(withGoal.references.size(), 1U);
    EXPECT_EQ(withGoal.references[0].y, 60);
}

TEST(SessionTips, SayWhereEachFigureIsFrom)
{
    HistoryRow row;
    row.speedup = {{1.5, FigureKind::measured, "run 7"}, {2, FigureKind::quoted, ""}};
    EXPECT_EQ(figureTip(row.speedup, &formatRatio).split('\n').size(), 2);
    EXPECT_TRUE(figureTip(row.speedup, &formatRatio).startsWith(q(formatRatio(1.5)) + ' '))
        << figureTip(row.speedup, &formatRatio).toStdString();
    EXPECT_TRUE(figureTip(row.speedup, &formatRatio).section('\n', 0, 0).endsWith(", run 7"));
    EXPECT_FALSE(figureTip(row.speedup, &formatRatio).section('\n', 1, 1).contains(','));
    EXPECT_EQ(figureText({}, &formatRatio), q(kNoValue));
    EXPECT_NE(figureTip({}, &formatRatio), "");
    row.sample = true;
    EXPECT_FALSE(sumMistakes(row)) << "a shipped one lists none";
    row.sample = false;
    EXPECT_EQ(sumMistakes(row), 0);
    row.mistakes = {{"blind", 2, 1, 4, ""}, {"large", 3, 0, 0, ""}};
    EXPECT_EQ(sumMistakes(row), 5);
}

TEST(SessionTips, WhatIsNotKnownIsMissingInItsCellAlone)
{
    using Model = SessionTableModel;
    HistoryRow bare;
    bare.name = "A";
    HistoryRow scripted = bare;
    scripted.kind = nameScriptedKind("optimize");
    scripted.budgetMinutes = 60;
    scripted.patternsApplied = 0;
    scripted.status = SessionStatus::endedEarly;
    HistoryRow open = bare;
    open.status = SessionStatus::open;
    Model model;
    model.setRows({bare, scripted, open});
    const auto say = [&](int row, int column, int role = Qt::DisplayRole) { return model.index(row, column).data(role).toString(); };
    for (const int column : {Model::Minutes, Model::Gain, Model::Speedup, Model::Patterns, Model::Gates, Model::Grade, Model::Cost})
        EXPECT_EQ(say(0, column), q(kNoValue)) << column;
    EXPECT_EQ(say(0, Model::Name), "A");
    EXPECT_TRUE(say(1, Model::Name).startsWith("A #")) << "who took the steps";
    EXPECT_EQ(say(1, Model::Minutes), q(kNoValue) + " / " + q(formatMinutes(60)));
    EXPECT_EQ(say(1, Model::Patterns), "0");
    EXPECT_TRUE(say(1, Model::Status).startsWith(markSign(Mark::fail)));
    EXPECT_TRUE(say(2, Model::Status).startsWith(markSign(Mark::running)));
    EXPECT_EQ(model.index(0, Model::Patterns).data(kSortRole).toInt(), -1);
    EXPECT_EQ(model.index(1, Model::Patterns).data(kSortRole).toInt(), 0);
    for (const int column : {Model::Gates, Model::Minutes, Model::Mistakes, Model::Cost, Model::Gain})
        EXPECT_FALSE(say(0, column, Qt::ToolTipRole).isEmpty()) << column << ": it says that nothing is known";
}

TEST(PinnedRuns, StandInTheOrderOfPinningForTheirDatabaseAlone)
{
    Baselines& baselines = Baselines::instance();
    const QString here = "/tmp/kl-pinned-here.db", there = "/tmp/kl-pinned-there.db";
    const auto clear = [&] {
        for (const QString& database : {here, there})
            for (const RunId& id : baselines.of(database))
                baselines.pin(database, id, false);
    };
    clear();
    const auto ids = [&](const QString& database) {
        std::string all;
        for (const RunId& id : baselines.of(database))
            all += id.text;
        return all;
    };
    QSignalSpy changed(&baselines, &Baselines::changed);
    for (const char* id : {"a", "b", "c", "d"})
        baselines.pin(here, {id}, true);
    baselines.pin(here, {"a"}, true);
    EXPECT_EQ(changed.count(), 4) << "it was pinned already";
    EXPECT_EQ(ids(here), "abcd");
    baselines.pin(here, {"e"}, true);
    EXPECT_EQ(ids(here), "bcde") << "in place of the oldest";
    EXPECT_FALSE(baselines.isPinned(here, {"a"}));
    EXPECT_FALSE(baselines.isPinned(there, {"b"}));
    baselines.pin(there, {"z"}, true);
    baselines.pin(here, {"c"}, false);
    baselines.pin(here, {"none"}, false);
    EXPECT_EQ(changed.count(), 7);
    EXPECT_EQ(ids(here), "bde");
    EXPECT_EQ(ids(there), "z");
    EXPECT_EQ(Baselines::colorAt(0), Token::series5) << "kernels have those before";
    EXPECT_EQ(Baselines::colorAt(3), seriesToken(7));
    clear();
}

TEST(ShownTimes, AreInUtcToTheMinuteWhereTheyHaveOne)
{
    EXPECT_EQ(absoluteTime("2026-01-02T03:04:05.678Z"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(absoluteTime("2026-01-02T03:04"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(absoluteTime("2026-01-02"), "2026-01-02");
    EXPECT_EQ(absoluteTime("2026-01-02 03:04:05"), "2026-01-02 03:04:05") << "not a time of this program";
    EXPECT_TRUE(formatMeasuredTime(Source::sample, "2026-01-02T03:04:05.678Z").endsWith("2026-01-02"));
}

TEST(StallWords, MeaningsBeginAtFivePercentAndAreThree)
{
    RunRecord run = countedRun("now", 1000);
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 20.0;
    run.metrics->values[kLongScoreboard] = 1.0;
    run.metrics->values[kWait] = 0.9;
    const QString one = stallMeanings(run);
    EXPECT_EQ(one.count("<b>"), 1) << one.toStdString();
    EXPECT_TRUE(one.contains(q(formatPercent(5)))) << one.toStdString();
    const auto startsWith = [&](const char* stall) { return stallTitle(run).startsWith(q(kl::stallTitle(stall)), Qt::CaseInsensitive); };
    EXPECT_TRUE(startsWith("long_scoreboard")) << stallTitle(run).toStdString();
    EXPECT_TRUE(stallTitle(run).contains(q(formatPercent(5))));
    run.metrics->values[kWait] = 4.0;
    EXPECT_EQ(stallMeanings(run).count("<b>"), 2);
    EXPECT_LT(stallMeanings(run).indexOf(q(formatPercent(20))), stallMeanings(run).indexOf(q(formatPercent(5)))) << "the largest first";
    EXPECT_TRUE(startsWith("wait")) << stallTitle(run).toStdString();
    RunRecord imported = run;
    imported.imported.emplace();
    EXPECT_NE(explainMissingStalls({&imported}), explainMissingStalls({&run})) << "a report is not profiled again";
    EXPECT_EQ(explainMissingStalls({&imported, &run}), explainMissingStalls({&run}));
}

TEST(UnitTitles, IssueSlotsAndWarpsAreNoUnits)
{
    const auto unit = [](const char* name, std::optional<double> value) {
        EvidenceRow row;
        row.name = QLatin1String(name);
        row.value = value;
        row.valueText = value ? q(formatPercent(*value)) : QString();
        return row;
    };
    const QString whole = unitTitle({unit("DRAM", 40), unit("L2", 60), unit("Issue slots", 90), unit("Achieved occupancy", 95)});
    EXPECT_TRUE(whole.startsWith("L2 ") && whole.contains(q(formatPercent(60)))) << whole.toStdString();
    EXPECT_EQ(unitTitle({unit("DRAM", 40), unit("L2", 60), unit("Issue slots", {})}), whole) << "these may be missing";
    EXPECT_NE(unitTitle({unit("DRAM", {}), unit("L2", 60)}), whole) << "the other may be busier";
    EXPECT_EQ(unitTitle({unit("Issue slots", 90)}), unitTitle({}));
}

} // namespace
} // namespace kl::ui
