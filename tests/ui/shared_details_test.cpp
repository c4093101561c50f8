// SPDX-License-Identifier: MIT
// Hot lines, rooflines, units and changes as the pages share them: each figure, and which one it is.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/device/metric_catalog.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/counted_run.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kl::ui {
namespace {

SourceLine sampledLine(const char* file, int line, std::int64_t samples, std::map<std::string, std::int64_t> stalls)
{
    return {file, line, samples, static_cast<double>(samples) / 1000, std::move(stalls), {}, {}, {}};
}

/// Line 15 of the kernel waits for line 14.
HotLines waitingLines()
{
    HotLines hot;
    SourceLine first = sampledLine(kSourceFile, 15, 700, {{"lg_throttle", 90}, {"long_scoreboard", 600}, {"selected", 10}});
    first.waitsFor = {{"kernel.cu:14", 600}};
    first.executed = 4096;
    first.threads = 65536;
    hot.lines = {{first, {}, "long_scoreboard", {kSourceFile, 14}, "y = x[i];"},
                 {sampledLine("helper.cuh", 3, 300, {{"barrier", 300}}), {}, "barrier", {"helper.cuh", 3}, ""}};
    return hot;
}

TEST(HotLineTexts, ATipHasTheSharesOfTheLineItself)
{
    const HotLineParts parts = hotLineParts(waitingLines(), {});
    ASSERT_EQ(parts.rows.size(), 2U);
    const QStringList lines = parts.rows[0].tip.split('\n');
    ASSERT_EQ(lines.size(), 7) << parts.rows[0].tip.toStdString();
    EXPECT_TRUE(lines[0].startsWith(parts.rows[0].place) && lines[0].contains(q(formatPercent(70))) && lines[0].contains("700"))
        << lines[0].toStdString();
    EXPECT_TRUE(parts.rows[0].place.endsWith(" 15"));
    EXPECT_EQ(lines[1], q(kl::stallTitle("long_scoreboard")) + ' ' + q(formatPercent(100.0 * 600 / 700)))
        << "of its own samples, the most frequent first";
    EXPECT_TRUE(lines[2].endsWith(q(formatPercent(100.0 * 90 / 700))));
    EXPECT_EQ(lines[3], parts.parts.last() + ' ' + q(formatPercent(100.0 * 10 / 700))) << "not stalled";
    EXPECT_TRUE(lines[4].endsWith(" 14"));
    EXPECT_TRUE(lines[5].startsWith(q(formatNumber(4096)))) << lines[5].toStdString();
    EXPECT_TRUE(lines[6].startsWith("16.0")) << "threads of a warp: " << lines[6].toStdString();
    EXPECT_EQ(parts.rows[1].tip.split('\n').size(), 2) << "neither counted nor waiting: " << parts.rows[1].tip.toStdString();
    EXPECT_EQ(parts.rows[0].text, "y = x[i];");
    EXPECT_EQ(parts.rows[0].share, 0.7);
    EXPECT_TRUE(parts.rows[1].note.isEmpty());
    HotLines never = waitingLines();
    never.lines[0].line.executed = 0;
    EXPECT_EQ(hotLineParts(never, {}).rows[0].tip.split('\n').size(), 6) << "no threads of no warp";
}

TEST(HotLineTexts, SnapshotOfTheirWords)
{
    HotLines hot = waitingLines();
    const HotLineParts parts = hotLineParts(hot, {});
    QStringList lines{"parts: " + parts.parts.join(" | "), hotLineTitle(hot)};
    for (const HotLineRow& row : parts.rows)
        lines << row.place << row.note << row.tip;
    hot.lines[0].cause = {kSourceFile, 15};
    lines << hotLineTitle(hot);
    hot.lines[0].stall = "selected";
    lines << hotLineTitle(hot) << hotLineTitle({});
    test::expectSnapshot("ui/hot-line-words.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(HotLineTexts, TheSixMostFrequentStallsHaveAColorAndAWord)
{
    HotLines hot;
    const char* stalls[] = {"barrier",     "branch_resolving", "dispatch_stall", "drain",
                            "lg_throttle", "long_scoreboard",  "membar",         "mio_throttle"};
    SourceLine line = sampledLine(kSourceFile, 1, 1000, {{"selected", 500}});
    for (int i = 0; i < 8; ++i)
        line.stalls[stalls[i]] = 10 * (i + 1);
    hot.lines = {{line, {}, "mio_throttle", {kSourceFile, 1}, ""}};
    const HotLineParts parts = hotLineParts(hot, {});
    ASSERT_EQ(parts.parts.size(), 8) << "six, the others, not stalled";
    EXPECT_EQ(parts.parts[0], q(kl::stallTitle("mio_throttle"))) << "the most frequent one";
    EXPECT_FALSE(parts.parts.contains(q(kl::stallTitle("barrier")))) << "the least frequent ones are summed";
    EXPECT_NE(parts.parts[6], parts.parts[7]);
    EXPECT_DOUBLE_EQ(parts.rows[0].parts[0], 0.08);
    EXPECT_DOUBLE_EQ(parts.rows[0].parts[6], 0.03);
    EXPECT_DOUBLE_EQ(parts.rows[0].parts[7], 0.5);
    EXPECT_EQ(parts.rows[0].tip.split('\n').size(), 7) << "six of the nine";
    EXPECT_TRUE(hotLineParts({}, {}).parts.isEmpty());
    const HotLineParts known = hotLineParts(hot, {parts.parts[1], parts.parts[7]});
    ASSERT_EQ(known.parts.size(), 3);
    EXPECT_EQ(known.parts.last(), parts.parts[6]) << "the others are added where they are not known";
    EXPECT_DOUBLE_EQ(known.rows[0].parts[1], 0.5) << "not stalled";
    EXPECT_DOUBLE_EQ(known.rows[0].parts.back(), 0.36 - 0.07);
}

TEST(HotLineTexts, TheTitleNamesTheCauseBeforeTheLineThatWaits)
{
    HotLines hot = waitingLines();
    const QString title = hotLineTitle(hot);
    EXPECT_TRUE(title.section(':', 0, 0).endsWith(" 14")) << title.toStdString();
    EXPECT_LT(title.indexOf(q(formatPercent(70))), title.indexOf(" 15")) << title.toStdString();
    EXPECT_EQ(lineToShow(hot), 14);
    EXPECT_EQ(lineToShow(hot, "helper.cuh"), 0) << "the hottest is not in it";
    hot.lines[0].cause = {"helper.cuh", 9};
    EXPECT_EQ(lineToShow(hot), 15) << "the cause is in another file";
    EXPECT_EQ(lineToShow(hot, "helper.cuh"), 9);
    EXPECT_TRUE(hotLineTitle(hot).startsWith("Helper.cuh:9"));
    hot.lines[0].cause = {kSourceFile, 15};
    const QString own = hotLineTitle(hot);
    EXPECT_TRUE(own.contains(" 15 ") && own.endsWith(q(kl::stallTitle("long_scoreboard"))) && own.contains(q(formatPercent(70))))
        << own.toStdString();
    hot.lines[0].stall = "selected";
    EXPECT_TRUE(hotLineTitle(hot).endsWith(hotLineParts(hot, {}).parts.last())) << "not stalled";
    EXPECT_EQ(lineToShow({}), 0);
    EXPECT_FALSE(hotLineTitle({}).isEmpty());
}

TEST(HotLineTexts, HeatIsOfTheFilesOwnLinesAboveWhatWouldReadZero)
{
    SourceProfile profile;
    profile.lines = {sampledLine(kSourceFile, 4, 500, {{"wait", 500}}), sampledLine("b.cuh", 5, 300, {{"wait", 300}}),
                     sampledLine(kSourceFile, 0, 100, {{"wait", 100}}), sampledLine(kSourceFile, 7, 1, {{"wait", 1}})};
    profile.lines[3].share = kLeastHeat;
    EXPECT_EQ(mapHeat(profile).size(), 2U);
    EXPECT_TRUE(mapHeat(profile).contains(7));
    EXPECT_TRUE(mapHeat(profile).at(4).tip.section(':', 0, 0).endsWith(" 4"));
    EXPECT_EQ(mapHeat(profile, "b.cuh").at(5).share, 0.3);
    profile.lines[3].share = kLeastHeat * 0.99;
    EXPECT_EQ(mapHeat(profile).size(), 1U);
}

TEST(HotLineTexts, AFunctionBeginsWhereItsWholeNameStands)
{
    EXPECT_EQ(findEntryLine("sum(int)\n", "sum"), 1) << "at the very beginning";
    EXPECT_EQ(findEntryLine("// sum of all\nvoid xsum(int);\nvoid sum1(int);\n\nvoid sum(int);\nsum(3);\n", "sum"), 5);
    EXPECT_EQ(findEntryLine("kl::sum(", "sum"), 1);
}

TEST(RooflineDetails, RoofsMeetWhereTheMemoryFeedsThePipes)
{
    const RunRecord run = countedRun("now", 100000);
    const Roofline roofline = computeRoofline(run);
    const Roof* memory = findRoof(roofline, roofKind(MemoryLevel::dram).id);
    const Roof* compute = findRoof(roofline, roofline.compute);
    ASSERT_TRUE(memory && compute);
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    const XYSeries& slope = spec.series.front();
    ASSERT_EQ(slope.points.size(), 2U);
    EXPECT_FALSE(slope.dashed);
    EXPECT_NEAR(slope.points[0].y, slope.points[0].x * memory->value * 1e-12, 1e-9);
    double top = 0;
    int flat = 0, dashed = 0;
    for (const Roof& roof : roofline.roofs)
        if (!roof.slanted && !roof.measured)
            top = std::max(top, roof.value);
    EXPECT_NEAR(slope.points[1].y, top * 1e-12, top * 1e-18) << "up to the highest one";
    bool own = false;
    for (const XYSeries& series : spec.series) {
        if (series.marker != Marker::none)
            continue;
        dashed += series.dashed;
        if (series.points.front().y != series.points.back().y || series.dashed)
            continue;
        ++flat;
        EXPECT_NEAR(series.points.front().x * memory->value * 1e-12, series.points.front().y, 1e-6) << "from where the slope crosses it";
        EXPECT_GE(series.points.back().x, 10 * series.points.front().x * 0.999);
        own = own || (series.token == Token::neutral && std::abs(series.points.front().y - compute->value * 1e-12) < 1e-6);
    }
    EXPECT_GT(flat, 1);
    EXPECT_TRUE(own) << "that of its own arithmetic stands out";
    EXPECT_GE(*spec.x.max, 250 * 0.999);
    EXPECT_LE(*spec.x.min, 25 * 1.001) << "a decade before the point";
    int labels = 0;
    for (const XYNote& note : spec.notes)
        labels += note.text == q(compute->label) || note.text == q(memory->label);
    EXPECT_EQ(labels, 2);
    if (findRoof(roofline, roofline.compute, true)) {
        EXPECT_GT(dashed, 0) << "what our own loops reached";
        const auto measured =
            std::ranges::find_if(spec.series, [](const XYSeries& series) { return series.dashed && !series.name.isEmpty(); });
        ASSERT_NE(measured, spec.series.end());
        EXPECT_TRUE(measured->name.contains(q(formatFlops(findRoof(roofline, roofline.compute, true)->value))))
            << measured->name.toStdString();
    }
}

TEST(RooflineDetails, TheAxisHoldsEveryPointWhateverTheirOrder)
{
    const RunRecord run = countedRun("now", 100000);
    RunRecord sparse = countedRun("sparse", 100000), dense = countedRun("dense", 100000);
    sparse.flops = 2e6;
    dense.flops = 2e12;
    for (const std::vector<const RunRecord*>& runs :
         {std::vector<const RunRecord*>{&run, &sparse, &dense}, std::vector<const RunRecord*>{&dense, &sparse, &run}}) {
        const XYSpec spec = rooflineSpec(runs, MemoryLevel::dram, false);
        ASSERT_TRUE(spec.x.min && spec.x.max);
        EXPECT_LE(*spec.x.min, 0.025 * 1.001) << "a decade below 0.25";
        EXPECT_GE(*spec.x.max, 2.5e6 * 0.999) << "a decade above 250 000";
        int named = 0;
        for (const XYSeries& series : spec.series)
            named += series.marker == Marker::none && !series.dashed && !series.name.isEmpty();
        EXPECT_EQ(named, 1) << "the legend has the roofs once";
    }
    const XYSpec low = rooflineSpec({&sparse}, MemoryLevel::dram, true);
    const Roofline roofline = computeRoofline(sparse);
    const double ridge = findRoof(roofline, roofline.compute)->value / findRoof(roofline, roofKind(MemoryLevel::dram).id)->value;
    EXPECT_GE(*low.x.max, 10 * ridge * 0.999) << "and the ridge, which is above the point";
    EXPECT_TRUE(std::ranges::none_of(low.series, [](const XYSeries& series) { return series.line && series.points[0].id == "sparse"; }))
        << "one run has no way";
}

TEST(RooflineDetails, KernelsOfAProgramAreAllOnTheAxis)
{
    const RunRecord device = countedRun("device", 100000);
    std::vector<KernelRow> rows(3);
    const double intensities[] = {1, 1e6, 0.01};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].id.text = "k" + std::to_string(i);
        rows[i].points[0] = KernelPoint{intensities[i], 1e12};
    }
    const XYSpec spec = kernelsRooflineSpec(rows, device, MemoryLevel::dram);
    ASSERT_TRUE(spec.x.min && spec.x.max);
    EXPECT_LE(*spec.x.min, 0.0034);
    EXPECT_GE(*spec.x.max, 2e6 * 0.999);
    for (const XYPoint& point : spec.series.back().points)
        EXPECT_EQ(point.area, 1.0) << "their times are not known";
    rows[0].points[0]->flops = 0;
    EXPECT_EQ(kernelsRooflineSpec(rows, device, MemoryLevel::dram).series.back().points.size(), 2U) << "what computes nothing has no place";
    EXPECT_TRUE(kernelsRooflineSpec({}, device, MemoryLevel::dram).series.empty());
}

TEST(RooflineDetails, TheTitleIsTheShareOfEachRoof)
{
    const RunRecord run = countedRun("now", 100000);
    const Roofline roofline = computeRoofline(run);
    const Roof* memory = findRoof(roofline, roofKind(MemoryLevel::dram).id);
    const Roof* compute = findRoof(roofline, roofline.compute);
    ASSERT_TRUE(memory && compute);
    const QString title = rooflineTitle(run, MemoryLevel::dram);
    const QString ofCompute = q(formatPercent(2e13 / compute->value * 100)), ofMemory = q(formatPercent(8e10 / memory->value * 100));
    EXPECT_GE(title.indexOf(ofCompute), 0) << title.toStdString();
    EXPECT_GT(title.lastIndexOf(ofMemory), title.indexOf(ofCompute)) << title.toStdString();
    EXPECT_TRUE(rooflineTitle(run, MemoryLevel::l1).isEmpty()) << "its traffic was not counted";
    RunRecord still = run;
    still.flops = 0;
    EXPECT_TRUE(rooflineTitle(still, MemoryLevel::dram).isEmpty());
    EXPECT_TRUE(describeAmplification(run).contains(q("1.00×"))) << "8 MB of 8";
    still.idealBytes = 0;
    EXPECT_TRUE(describeAmplification(still).isEmpty()) << "neither has a formula";
}

TEST(RooflineDetails, FormulasBytesAndPointsSayWhatTheyAre)
{
    RunRecord run = countedRun("now", 100000);
    const auto own = [&] { return rooflineSpec({&run}, MemoryLevel::dram, false).series.back(); };
    EXPECT_EQ(own().name, "fma/fp32");
    EXPECT_EQ(own().points[0].id, "now");
    const QStringList tip = own().points[0].tip.split('\n');
    EXPECT_EQ(tip[0], "fma/fp32");
    EXPECT_EQ(tip[1], q(formatFlops(2e13)) + ", " + q(formatIntensity(250)));
    run.metrics->values.erase("dram__bytes_read.sum");
    run.metrics->values.erase("dram__bytes_write.sum");
    EXPECT_TRUE(own().name.startsWith("fma/fp32, ")) << "its bytes are a formula's";
    EXPECT_GT(own().points[0].tip.size(), tip.join('\n').size());
}

TEST(UnitDetails, EachUnitHasItsOwnMetric)
{
    RunRecord run = countedRun("now", 1000);
    const std::pair<const char*, const char*> metrics[] = {
        {"DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
        {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"L1 and shared", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"Tensor pipe", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
        {"FP32 pipe", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
        {"FP64 pipe", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"},
        {"Transcendental pipe (XU)", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"},
        {"Integer pipe", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"}};
    double value = 11;
    for (const auto& [name, metric] : metrics)
        run.metrics->values[metric] = value++;
    run.metrics->values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 91;
    run.metrics->values["sm__warps_active.avg.pct_of_peak_sustained_active"] = 92;
    const std::vector<EvidenceRow> rows = unitRows(run);
    ASSERT_EQ(rows.size(), 10U);
    value = 11;
    for (std::size_t i = 0; i < std::size(metrics); ++i) {
        EXPECT_EQ(rows[i].name, metrics[i].first);
        EXPECT_EQ(rows[i].value, value) << metrics[i].first;
        EXPECT_EQ(rows[i].valueText, q(formatPercent(value++)));
        EXPECT_TRUE(rows[i].percent);
        EXPECT_EQ(rows[i].help, metrics[i].second);
    }
    const QString title = unitTitle(rows);
    EXPECT_TRUE(title.startsWith("Integer pipe") && title.contains(q(formatPercent(18)))) << "neither issue slots nor warps are units";
    run.metrics->values.erase(metrics[1].second);
    EXPECT_NE(unitTitle(unitRows(run)), title) << "the one that is missing might be busier";
    run.metrics->missing = {{metrics[1].second, "not in the file"}, {metrics[2].second, "of no use here"}, {"another", "not asked for"}};
    const QString missing = explainMissingUnits(run);
    EXPECT_TRUE(missing.contains("not in the file")) << missing.toStdString();
    EXPECT_FALSE(missing.contains("of no use here")) << "it has a value";
    EXPECT_FALSE(missing.contains("not asked for")) << "it is that of another unit";
}

TEST(StallDetails, ARunWithoutStallsHasNoBarAndTheOthersKeepTheirNames)
{
    RunRecord none = countedRun("none", 1000), first = countedRun("first", 1000), second = countedRun("second", 1000);
    none.metrics.reset();
    second.metrics->values[kLongScoreboard] = 0.5;
    second.metrics->values[kWait] = 4.0;
    const StallBars bars = stallBars({&none, &first, &second}, {"a", "b", "c"});
    ASSERT_EQ(bars.rows.size(), 2U);
    EXPECT_EQ(bars.rows[0].name, "b");
    EXPECT_EQ(bars.rows[1].name, "c");
    EXPECT_EQ(bars.runs, (std::vector<const RunRecord*>{&first, &second}));
    EXPECT_EQ(bars.parts[0], q(kl::stallTitle("wait"))) << "the largest of both together";
    EXPECT_NEAR(bars.rows[0].parts[0], 20, 1e-9);
    EXPECT_NEAR(bars.rows[1].parts[0], 80, 1e-9);
    EXPECT_NEAR(bars.rows[1].parts.back(), 10, 1e-9);
    EXPECT_TRUE(stallChange(bars).startsWith(bars.parts[0] + ':', Qt::CaseInsensitive)) << stallChange(bars).toStdString();
    EXPECT_EQ(explainMissingStalls({&first}), explainMissingStalls({&none, &first})) << "one of them has counters";
    EXPECT_NE(explainMissingStalls({&none}), explainMissingStalls({&none, &first}));
}

TEST(RunDeltaNotes, AreAtThePointOfTheRunInTheColorOfTheBaseline)
{
    const RunRecord run = countedRun("now", 100000), before = countedRun("before", 200000);
    XYSpec spec = rooflineSpec({&run, &before}, MemoryLevel::dram, false);
    const std::size_t notes = spec.notes.size();
    addDeltas(spec, run, {{&before, Token::series5}}, MemoryLevel::dram);
    ASSERT_EQ(spec.notes.size(), notes + 1);
    EXPECT_EQ(spec.notes.back().text, q("×2")) << "twice the rate";
    EXPECT_EQ(spec.notes.back().token, Token::series5);
    EXPECT_DOUBLE_EQ(spec.notes.back().at.x(), 250);
    EXPECT_DOUBLE_EQ(spec.notes.back().at.y(), 20);
    addDeltas(spec, run, {{&before, Token::series5}}, MemoryLevel::l1);
    EXPECT_EQ(spec.notes.size(), notes + 1) << "there the run has no point";
    RunRecord unplaced = before;
    unplaced.flops = 0;
    addDeltas(spec, run, {{&unplaced, Token::series6}}, MemoryLevel::dram);
    EXPECT_EQ(spec.notes.back().text, "n/a");
}

TEST(RunDeltaNotes, EvidenceIsComparedByItsOwnQuantity)
{
    const RunRecord run = countedRun("now", 1000);
    RunRecord before = countedRun("before", 1000);
    before.metrics->values[kDramShare] = 12.0;
    before.launches.front().waves = 2.5;
    std::vector<EvidenceRow> rows = evidenceRows(run.diagnosis->finding);
    addDeltas(rows, run.diagnosis->finding, {{&before, Token::series5}});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].value, 5.0);
    EXPECT_EQ(rows[0].deltas[0].before, 2.5) << "waves";
    EXPECT_EQ(rows[0].deltas[0].text, q("×2")) << "counts are not shares";
    EXPECT_EQ(rows[1].deltas[0].before, 12.0) << "DRAM";
    std::vector<EvidenceRow> unknown(1);
    unknown[0].name = "no such quantity";
    addDeltas(unknown, run.diagnosis->finding, {{&before, Token::series5}});
    EXPECT_FALSE(unknown[0].deltas[0].before);
}

} // namespace
} // namespace kl::ui
