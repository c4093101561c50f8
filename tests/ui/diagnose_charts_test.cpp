// SPDX-License-Identifier: MIT
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/finding_charts.h"
#include "ui/pages/diagnose/fix_rows.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/profile_choices.h"
#include "ui/pages/diagnose/roofline_spec.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kl {
namespace {

RunRecord makeProfiledFma()
{
    RunRecord run;
    run.kernel = *parseAddress("fma/fp32");
    run.problem = *parseParams("N=1");
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.device.memoryClockMhz = 3201;
    run.device.memoryBusBits = 6144;
    run.flops = 2e9;
    run.idealBytes = 8e6;
    run.timing = Timing{{100000, 99000, 101000, 50}, {}, {}, {}, {}, {99000, 100000, 101000}};
    run.launches = {{"f", 1000, 256, 16, 0, 0, 0, 8, 100, "warps", 1.0, 100000.0, {}}};
    MetricSet metrics;
    metrics.launch = "f";
    metrics.values = {{"dram__bytes_read.sum", 4e6},
                      {"dram__bytes_write.sum", 4e6},
                      {"gpu__time_duration.sum", 100000.0},
                      {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 2.0}};
    run.metrics = metrics;
    return run;
}

Recommendation changeTo(const char* kind, double gain)
{
    Recommendation change;
    change.chance = {kind, 0.9, gain, 9, 4, true};
    change.title = kind;
    return change;
}

QStringList collectTitles(const std::vector<FixRow>& rows)
{
    QStringList titles;
    for (const FixRow& row : rows)
        titles << row.title;
    return titles;
}

TEST(FixRows, StandInTheOrderOfTheAdvice)
{
    Finding finding;
    finding.fixes = {{"family/next", "Stage a tile", {}, 0.89, "family/next", "Ready.", "stage", 7, 0.5},
                     {"unnamed", "Rewrite it", {}, 0.3, {}, {}, {}, 0, {}},
                     {"coalesce", "Coalesce", {}, 0.91, {}, "Four sectors.", "coalesce", 9, 0.7}};
    EXPECT_EQ(collectTitles(fixRows(finding, {})), (QStringList{"Stage a tile", "Rewrite it", "Coalesce"})) << "the tree's own order";
    Advice advice;
    advice.changes = {changeTo("coalesce", 1.4), changeTo("vectorize", 1.0), changeTo("stage", 0.7)};
    const auto rows = fixRows(finding, advice);
    EXPECT_EQ(collectTitles(rows), (QStringList{"Coalesce", "Stage a tile", "Rewrite it"}));
    EXPECT_EQ(rows[0].basis, q("expected 4.06× as fast, 90\u202f%, 9 similar cases"));
    EXPECT_EQ(rows[1].ready, QStringList{"family/next"});
    EXPECT_EQ(rows[2].basis, q("confidence 30\u202f%")) << "nothing was learned of it";
}

TEST(FixRows, BeginWithTheAdvicesFirstChangeWhosoeverItIs)
{
    Finding finding;
    finding.fixes = {{"coalesce", "Coalesce", {}, 0.91, {}, {}, "coalesce", 9, 0.7}};
    Advice advice;
    advice.changes = {changeTo("vectorize", 2.0), changeTo("coalesce", 1.4)};
    advice.changes[0].ready = {"copy/a", "copy/b", "copy/c"};
    const auto rows = fixRows(finding, advice);
    EXPECT_EQ(collectTitles(rows), (QStringList{"vectorize", "Coalesce"}));
    EXPECT_EQ(rows[0].ready.size(), 2) << "of many points the first ones";
}

TEST(MemoryChartView, SaysWhyAFigureIsMissing)
{
    const QString gaps = memoryMissing(memoryChart(makeProfiledFma()));
    EXPECT_TRUE(gaps.startsWith("Not measured: ")) << gaps.toStdString();
    EXPECT_TRUE(gaps.contains("L2 cache requests")) << gaps.toStdString();
    EXPECT_TRUE(memoryMissing({}).isEmpty());
}

TEST(Roofline, PlacesARunAtItsIntensityAndRate)
{
    const RunRecord run = makeProfiledFma();
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    ASSERT_FALSE(spec.series.empty());
    const XYSeries& own = spec.series.back();
    ASSERT_EQ(own.points.size(), 1U);
    EXPECT_DOUBLE_EQ(own.points[0].x, 250); // 2e9 FLOP / 8e6 B
    EXPECT_DOUBLE_EQ(own.points[0].y, 20);  // 2e9 FLOP / 100 µs, in TFLOP/s
    EXPECT_TRUE(spec.x.log && spec.y.log);
}

TEST(Roofline, RoofsAreLabeledWithTheClock)
{
    const RunRecord run = makeProfiledFma();
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    const bool clock =
        std::any_of(spec.notes.begin(), spec.notes.end(), [](const XYNote& note) { return note.text.contains(QStringLiteral("MHz")); });
    EXPECT_TRUE(clock);
}

TEST(Roofline, AKernelWithoutFloatingPointWorkSaysWhyItIsNotThere)
{
    RunRecord run = makeProfiledFma();
    run.flops = 0;
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    EXPECT_TRUE(spec.series.empty());
    EXPECT_FALSE(spec.emptyReason.isEmpty());
}

TEST(Roofline, MissingTrafficIsNotZeroTraffic)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values.erase("dram__bytes_read.sum");
    run.metrics->values.erase("dram__bytes_write.sum");
    EXPECT_FALSE(bytesAt(run, MemoryLevel::dram));
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    ASSERT_FALSE(spec.series.empty()) << "the formula's bytes stand in, and say so";
    EXPECT_TRUE(spec.series.back().name.contains(QStringLiteral("by formula")));
    EXPECT_TRUE(rooflineSpec({&run}, MemoryLevel::l2, false).series.empty());
}

TEST(Roofline, WhatTheRunExecutedStandsBesideWhatItHadToCompute)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 3e9; // 6e9 FLOP where 2e9 would do
    const auto named = [](const XYSpec& spec) {
        return std::ranges::find_if(spec.series, [](const XYSeries& series) { return series.name == "fma/fp32, all that it executed"; });
    };
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    const auto executed = named(spec);
    ASSERT_NE(executed, spec.series.end());
    EXPECT_DOUBLE_EQ(executed->points.at(0).y, 60); // TFLOP/s
    EXPECT_EQ(spec.series.back().name, "fma/fp32");
    const XYSpec compared = rooflineSpec({&run}, MemoryLevel::dram, true);
    EXPECT_EQ(named(compared), compared.series.end()) << "runs that are compared stand once each";
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e9;
    const XYSpec same = rooflineSpec({&run}, MemoryLevel::dram, false);
    EXPECT_EQ(named(same), same.series.end());
}

TEST(Roofline, WhereThereIsNoneTheReasonIsSaid)
{
    RunRecord run = makeProfiledFma();
    EXPECT_TRUE(rooflineMissing(run).isEmpty());
    run.flops = 0;
    EXPECT_EQ(rooflineMissing(run), "No roofline: its floating-point work was not counted, and has no formula.");
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 0.0;
    EXPECT_EQ(rooflineMissing(run), "No roofline: it executes no floating-point arithmetic.");
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e9;
    run.metrics->values.erase("dram__bytes_read.sum");
    EXPECT_EQ(rooflineMissing(run), "No roofline: the bytes that it moved were not measured.");
    run.metrics.reset();
    EXPECT_TRUE(rooflineMissing(run).contains("no hardware counters")) << rooflineMissing(run).toStdString();
    run.imported.emplace();
    EXPECT_TRUE(rooflineMissing(run).contains("the report does not say")) << rooflineMissing(run).toStdString();
}

TEST(Roofline, ALevelWithoutTrafficNamesTheMetricThatIsMissing)
{
    const RunRecord run = makeProfiledFma();
    const QString reason = rooflineSpec({&run}, MemoryLevel::l1, false).emptyReason;
    EXPECT_TRUE(reason.contains("L1 traffic: l1tex__t_sectors.sum not collected.")) << reason.toStdString();
}

TEST(Roofline, LessTrafficThanNeededIsExplained)
{
    RunRecord run = makeProfiledFma();
    EXPECT_FALSE(describeAmplification(run).contains("Less than it must move"));
    run.idealBytes = 2e7; // 8 MB were moved
    EXPECT_TRUE(describeAmplification(run).contains("0.40×")) << describeAmplification(run).toStdString();
    EXPECT_TRUE(describeAmplification(run).contains("Less than it must move")) << describeAmplification(run).toStdString();
}

TEST(MemoryChartView, IsDrawnWhereOnlyTheUnitsWereMeasured)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values = {{"lts__throughput.avg.pct_of_peak_sustained_elapsed", 93.5}};
    MemoryChart chart = memoryChart(run);
    EXPECT_EQ(memoryTitle(chart), "Memory: L2 cache is the busiest level measured, 93.5\u202f% of its peak");
    MemoryChartView view;
    view.setChart(chart);
    EXPECT_TRUE(view.emptyReason().isEmpty()) << "the title speaks of a figure that the chart must show";
    run.metrics.reset();
    view.setChart(memoryChart(run));
    EXPECT_FALSE(view.emptyReason().isEmpty());
    EXPECT_TRUE(memoryTitle(memoryChart(run)).isEmpty());
}

TEST(Evidence, DecidingNodeComesFirstAndMissingLast)
{
    Finding finding;
    finding.path = {{"a", "dram_percent", 10.0, 70.0, ">=", false},
                    {"b", "unknown_quantity", std::nullopt, 1.0, ">", false},
                    {"c", "excess_sectors_percent", 87.0, 20.0, ">=", true}};
    const std::vector<EvidenceRow> rows = evidenceRows(finding);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_TRUE(rows.front().holds);
    EXPECT_DOUBLE_EQ(*rows.front().value, 87.0);
    EXPECT_FALSE(rows.back().value);
    EXPECT_EQ(rows.back().valueText, QStringLiteral("not measured"));
    finding.klass = "uncoalesced";
    EXPECT_EQ(evidenceTitle(finding), "Evidence: 1 of 3 comparisons speak for uncoalesced");
}

TEST(Evidence, WhatHeldOnTheWayToAnotherQuestionDoesNotSpeakForTheFinding)
{
    Finding finding;
    finding.path = {{"a", "dram_percent", 80.0, 70.0, ">=", true},
                    {"a", "waves", 5.0, 1.0, "<", false},
                    {"c", "excess_sectors_percent", 87.0, 20.0, ">=", true}};
    for (const EvidenceRow& row : evidenceRows(finding))
        EXPECT_EQ(row.holds, row.value == 87.0) << row.name.toStdString();
}

TEST(Evidence, OfAQuantityAskedTwiceTheComparisonThatHoldsStands)
{
    Finding finding;
    finding.path = {{"c", "dram_percent", 70.0, 80.0, ">=", false}, {"c", "dram_percent", 70.0, 80.0, "<", true}};
    const auto rows = evidenceRows(finding);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_TRUE(rows[0].holds) << "the title counts it";
}

TEST(Evidence, AQuantityAskedTwiceStandsOnce)
{
    Finding finding;
    finding.path = {{"a", "dram_percent", 10.0, 70.0, ">=", false}, {"b", "dram_percent", 10.0, 60.0, "<", true}};
    EXPECT_EQ(evidenceRows(finding).size(), 1U);
}

TEST(Units, AMissingUnitIsShownAsMissing)
{
    const std::vector<EvidenceRow> rows = unitRows(makeProfiledFma());
    ASSERT_FALSE(rows.empty());
    EXPECT_DOUBLE_EQ(*rows[0].value, 2.0);
    EXPECT_FALSE(rows[1].value);
    EXPECT_EQ(rows[1].valueText, QStringLiteral("not measured"));
    EXPECT_EQ(unitTitle(rows), "DRAM is the busiest unit measured, 2\u202f% of its peak") << "the others may be busier";
    EXPECT_FALSE(unitTitle({}).contains("busiest"));
}

TEST(Units, ArithmeticPipesStandAmongThemAndIssueSlotsAreNoUnit)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 89.8;
    run.metrics->values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 94.7;
    EXPECT_TRUE(unitTitle(unitRows(run)).startsWith("FP32 pipe is the busiest unit")) << unitTitle(unitRows(run)).toStdString();
}

TEST(Units, WithoutCountersThereIsNoneAndTheReasonIsSaid)
{
    RunRecord run = makeProfiledFma();
    run.metrics->missing["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = "not in the file";
    EXPECT_EQ(unitsMissing(run), "What is missing: not in the file.");
    run.metrics.reset();
    EXPECT_TRUE(unitRows(run).empty());
    EXPECT_TRUE(unitsMissing(run).contains("needs hardware counters")) << unitsMissing(run).toStdString();
}

TEST(Stalls, WithoutStallMetricsThereIsNoBar)
{
    const RunRecord run = makeProfiledFma();
    EXPECT_TRUE(stallBars({&run}).rows.empty());
    EXPECT_TRUE(stallTitle(run).isEmpty());
}

TEST(Stalls, TheReasonForNoneIsTheRuns)
{
    RunRecord run = makeProfiledFma();
    EXPECT_TRUE(stallsMissing({&run}).contains("tier 2")) << stallsMissing({&run}).toStdString();
    run.imported.emplace();
    EXPECT_TRUE(stallsMissing({&run}).contains("ncu --set full")) << stallsMissing({&run}).toStdString();
    run.metrics.reset();
    EXPECT_TRUE(stallsMissing({&run}).contains("need hardware counters")) << "no tier would give them";
}

TEST(Stalls, BarsOfAReportAreCalledAsItsKernelsAre)
{
    RunRecord run = makeProfiledFma();
    run.imported.emplace();
    run.imported->kernel = "fma_k(float *, int)";
    run.metrics->values["smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"] = 1.0;
    run.metrics->values["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"] = 3.0;
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 5.0;
    const StallBars bars = stallBars({&run});
    ASSERT_EQ(bars.rows.size(), 1U);
    EXPECT_EQ(bars.rows[0].name, "fma_k(float *, int)");
}

TEST(SampleStrips, EverySampleAndTheMedian)
{
    const RunRecord run = makeProfiledFma();
    const XYSpec spec = sampleStrips({&run});
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_EQ(spec.series[0].points.size(), 3U);
    EXPECT_DOUBLE_EQ(spec.series[1].points[0].y, 100.0); // µs
    EXPECT_EQ(spec.x.categories.size(), 1);
}

TEST(FactRows, WhatWasNotMeasuredSaysSo)
{
    RunRecord run = makeProfiledFma();
    run.timing.reset();
    const auto rows = factRows(run);
    const auto time = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.first == "GPU time"; });
    ASSERT_NE(time, rows.end());
    EXPECT_EQ(time->second, "not measured");
}

std::string findFact(const RunRecord& run, const std::string& name)
{
    const auto rows = factRows(run);
    const auto found = std::ranges::find(rows, name, &std::pair<std::string, std::string>::first);
    return found == rows.end() ? "no such row" : found->second;
}

TEST(FactRows, ARefutedRunHasItsWordWitnessAndProof)
{
    RunRecord run = makeProfiledFma();
    EXPECT_EQ(findFact(run, "Proof"), "timed passes were not checked") << "as an older version recorded it";
    run.correctness.result = CorrectnessResult::replays;
    run.correctness.witness = Witness{"It was not computed.", 3, "out", 35, 3.0, 4.5, "0x7f00", ""};
    run.correctness.proof = PassProof{3, 12, 12, true, ""};
    EXPECT_EQ(findFact(run, "Result"), "replays: It was not computed.");
    EXPECT_EQ(findFact(run, "Seen at"), "checked pass 3, out[35]: 4.5 instead of 3, at 0x7f00");
    EXPECT_EQ(findFact(run, "Proof"), "12 of 12 timed passes checked, on 3 secret input sets");
}

TEST(FactRows, AReportDoesNotClaimACacheStateOrPassesThatItDoesNotTell)
{
    RunRecord run = makeProfiledFma();
    EXPECT_NE(findFact(run, "GPU time, L2 cold"), "no such row");
    run.imported.emplace();
    run.problem = {};
    EXPECT_EQ(findFact(run, "GPU time, L2 cold"), "no such row");
    EXPECT_NE(findFact(run, "GPU time"), "no such row");
    EXPECT_EQ(findFact(run, "Metric passes"), "not said");
    EXPECT_EQ(findFact(run, "Geometry"), "that of several launches");
}

TEST(FactRows, OfSeveralLaunchesTheOneThatIsSpokenOfIsNamed)
{
    RunRecord run = makeProfiledFma();
    EXPECT_EQ(findFact(run, "Launches"), "no such row") << "there is one";
    LaunchFacts longer = run.launches.front();
    longer.entry = "g";
    longer.gridBlocks = 7;
    longer.gpuNs = 200000.0;
    run.launches.push_back(longer);
    EXPECT_EQ(findFact(run, "Launches"), "2 different ones");
    EXPECT_EQ(findFact(run, "Counted").substr(0, 3), "f, ") << "the metrics are of it";
    run.metrics.reset();
    EXPECT_EQ(findFact(run, "The longest").substr(0, 3), "g, ");
    EXPECT_EQ(findFact(run, "Launch").substr(0, 2), "7 ");
}

TEST(FactRows, MissingMetricsAreCountedByTheirReason)
{
    RunRecord run = makeProfiledFma();
    run.metrics->missing = {{"a", "not in the file"}, {"b", "not in the file"}, {"c", "no number"}};
    EXPECT_EQ(findFact(run, "Metrics"), "4 measured; missing c (no number); missing 2 (not in the file)");
}

TEST(ProfileChoices, NoTwoReadAlike)
{
    RunSummary one;
    one.id = RunId{"aaaaaaaa-1"};
    one.kernel = "program/spin-1";
    one.klass = "small-grid";
    one.gpuNs = 19700;
    one.startedAt = "2026-01-02T03:04:05.000Z";
    RunSummary timed = one, later = one, twin = one;
    timed.gpuNs = 107000;
    later.startedAt = "2026-01-03T03:04:05.000Z";
    twin.id = RunId{"bbbbbbbb-1"};
    const auto choices = profileChoices({one, timed, later, twin});
    EXPECT_EQ(choices[1].first, q("program/spin-1 · small-grid · 107\u202fµs"));
    EXPECT_TRUE(choices[2].first.endsWith("2026-01-03 03:04 UTC")) << choices[2].first.toStdString();
    QStringList names;
    for (const auto& choice : choices)
        names << choice.first;
    EXPECT_EQ(names.removeDuplicates(), 0) << names.join('\n').toStdString();
    EXPECT_EQ(choices[3].second, "bbbbbbbb-1");
}

} // namespace
} // namespace kl
