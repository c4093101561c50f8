// SPDX-License-Identifier: MIT
#include "core/model/model_words.h"
#include "tests/support/snapshot.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/fix_rows.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QRegularExpression>

#include <algorithm>

namespace kl::ui {
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

bool hasDigit(const QString& text)
{
    return text.contains(QRegularExpression("[0-9]"));
}

std::string findFact(const RunRecord& run, const std::string& name)
{
    const auto rows = factRows(run);
    const auto found = std::ranges::find(rows, name, &std::pair<std::string, std::string>::first);
    return found == rows.end() ? "no such row" : found->second;
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
    for (const char* part : {"4.06×", "90\u202f%", "9"})
        EXPECT_TRUE(rows[0].basis.contains(q(part))) << rows[0].basis.toStdString();
    EXPECT_EQ(rows[1].ready, QStringList{"family/next"});
    EXPECT_TRUE(rows[2].basis.contains(q("30\u202f%"))) << "its own confidence, since nothing was learned of it";
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
    const QString gaps = explainMissingMemory(memoryChart(makeProfiledFma()));
    EXPECT_FALSE(gaps.isEmpty());
    EXPECT_TRUE(explainMissingMemory({}).isEmpty());
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
    EXPECT_NE(spec.series.back().name, "fma/fp32");
    EXPECT_TRUE(rooflineSpec({&run}, MemoryLevel::l2, false).series.empty());
}

TEST(Roofline, WhatTheRunExecutedStandsBesideWhatItHadToCompute)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 3e9; // 6e9 FLOP where 2e9 would do
    const auto named = [](const XYSpec& spec) {
        return std::ranges::find_if(spec.series, [](const XYSeries& series) { return series.name.startsWith("fma/fp32, "); });
    };
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    const auto executed = named(spec);
    ASSERT_NE(executed, spec.series.end());
    EXPECT_DOUBLE_EQ(executed->points.at(0).y, 60); // TFLOP/s
    EXPECT_EQ(spec.series.back().name, "fma/fp32");
    const XYSpec compared = rooflineSpec({&run}, MemoryLevel::dram, true);
    EXPECT_EQ(named(compared), compared.series.end()) << "runs that are compared appear once each";
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e9;
    const XYSpec same = rooflineSpec({&run}, MemoryLevel::dram, false);
    EXPECT_EQ(named(same), same.series.end());
}

TEST(ChartReasons, AreWordedAsInTheSnapshot)
{
    QStringList reasons;
    RunRecord run = makeProfiledFma();
    EXPECT_TRUE(explainMissingRoofline(run).isEmpty());
    run.flops = 0;
    reasons << explainMissingRoofline(run);
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 0.0;
    reasons << explainMissingRoofline(run);
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e9;
    run.metrics->values.erase("dram__bytes_read.sum");
    reasons << explainMissingRoofline(run) << explainMissingMemory(memoryChart(run)) << explainMissingStalls({&run});
    run.metrics->missing["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = "not in the file";
    reasons << explainMissingUnits(run);
    run.imported.emplace();
    reasons << explainMissingStalls({&run});
    run.imported.reset();
    run.metrics.reset();
    reasons << explainMissingRoofline(run) << explainMissingUnits(run);
    EXPECT_EQ(explainMissingStalls({&run}), explainMissingUnits(run)) << "both need counters";
    run.imported.emplace();
    reasons << explainMissingRoofline(run);
    EXPECT_FALSE(reasons.contains(QString()));
    const QString text = reasons.join('\n') + u'\n';
    EXPECT_EQ(reasons.removeDuplicates(), 0) << text.toStdString();
    test::expectSnapshot("ui/chart-reasons.txt", utf8(text));
}

TEST(ChartTitles, AreWordedAsInTheSnapshot)
{
    RunRecord run = makeProfiledFma();
    Finding finding;
    finding.classId = "uncoalesced";
    finding.path = {{"a", "dram_percent", 10.0, 70.0, ">=", false}, {"c", "excess_sectors_percent", 87.0, 20.0, ">=", true}};
    QStringList titles{rooflineTitle(run, MemoryLevel::dram), describeAmplification(run), unitTitle(unitRows(run)), unitTitle({}),
                       memoryTitle(memoryChart(run)),         evidenceTitle(finding)};
    run.idealBytes = 2e7; // 8 MB were moved
    titles << describeAmplification(run) << rooflineSpec({&run}, MemoryLevel::l1, false).emptyReason;
    StallBars bars;
    bars.parts = QStringList{"wait", "long scoreboard", "other", "not stalled"};
    bars.rows = {{"a", {20, 60, 5, 15}}, {"b", {30, 10, 0, 60}}};
    titles << stallChange(bars);
    run.metrics->values["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"] = 3.0;
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 5.0;
    titles << stallTitle(run) << stallMeanings(run);
    test::expectSnapshot("ui/chart-titles.txt", utf8(titles.join('\n') + u'\n'));
}

TEST(FactRows, AreWordedAsInTheSnapshot)
{
    QStringList lines;
    const auto add = [&](const char* kind, const RunRecord& run) {
        lines << QStringLiteral("== ") + q(kind);
        for (const auto& [name, value] : factRows(run))
            lines << q(name + ": " + value);
    };
    RunRecord run = makeProfiledFma();
    add("profile", run);
    run.correctness.result = CorrectnessResult::replays;
    run.correctness.witness = Witness{"It was not computed.", 3, "out", 35, 3.0, 4.5, "0x7f00", ""};
    run.correctness.proof = PassProof{3, 12, 12, true, ""};
    run.launches.push_back(run.launches.front());
    run.launches.back().entry = "g";
    add("refuted", run);
    run = makeProfiledFma();
    run.imported.emplace();
    add("report", run);
    run = makeProfiledFma();
    run.program = ProgramFacts{{"prog"}, "scale(float*)", 12, 24'000, 0.25, {"step", "forward"}, 3};
    add("program", run);
    run.program->profiledLaunch.reset();
    run.metrics->missing = {{"a", "not in the file"}, {"b", "not in the file"}, {"c", "no number"}};
    add("program without a profiled launch", run);
    test::expectSnapshot("ui/fact-rows.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(Roofline, ALevelWithoutTrafficNamesTheMetricThatIsMissing)
{
    const RunRecord run = makeProfiledFma();
    const QString reason = rooflineSpec({&run}, MemoryLevel::l1, false).emptyReason;
    EXPECT_TRUE(reason.contains("l1tex__t_sectors.sum")) << reason.toStdString();
}

TEST(Roofline, LessTrafficThanNeededIsExplained)
{
    RunRecord run = makeProfiledFma();
    const QString usual = describeAmplification(run);
    run.idealBytes = 2e7; // 8 MB were moved
    EXPECT_TRUE(describeAmplification(run).contains("0.40×")) << describeAmplification(run).toStdString();
    EXPECT_GT(describeAmplification(run).size(), usual.size() + 20) << "an explanation is added";
}

TEST(MemoryChartView, IsDrawnWhereOnlyTheUnitsWereMeasured)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values = {{"lts__throughput.avg.pct_of_peak_sustained_elapsed", 93.5}};
    MemoryChart chart = memoryChart(run);
    EXPECT_TRUE(memoryTitle(chart).contains("L2")) << memoryTitle(chart).toStdString();
    EXPECT_TRUE(memoryTitle(chart).contains("93.5")) << memoryTitle(chart).toStdString();
    MemoryChartView view;
    view.setChart(chart);
    EXPECT_TRUE(view.emptyReason().isEmpty()) << "the title names a figure that the chart must show";
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
    EXPECT_FALSE(rows.back().valueText.isEmpty() || hasDigit(rows.back().valueText)) << rows.back().valueText.toStdString();
    finding.classId = "uncoalesced";
    EXPECT_TRUE(evidenceTitle(finding).contains("uncoalesced"));
    EXPECT_TRUE(evidenceTitle(finding).contains("1 of 3")) << evidenceTitle(finding).toStdString();
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

TEST(Evidence, AValueThatMeetsItsTestShowsSoWhicheverItsDirection)
{
    Finding finding;
    finding.path = {{"a", "dram_percent", 80.0, 70.0, ">=", true},
                    {"b", "busiest_percent", 3.1, 70.0, "<", true},
                    {"b", "l2_percent", 80.0, 70.0, "<", false},
                    {"c", "excess_sectors_percent", 87.0, 20.0, ">=", true}};
    EvidenceBars bars;
    bars.setRows(evidenceRows(finding));
    ASSERT_EQ(bars.rows().size(), 4U);
    bars.resize(400, bars.sizeHint().height());
    const QImage image = bars.grab().toImage();
    for (std::size_t i = 0; i < bars.rows().size(); ++i) {
        const EvidenceRow& row = bars.rows()[i];
        EXPECT_EQ(row.met, row.threshold == 70.0 ? (*row.value >= 70) == (row.sense == QStringLiteral("≥")) : true) << i;
        bool accent = false;
        for (int x = 0; x < 9; ++x)
            for (int y = 20; y < 28; ++y)
                accent = accent || image.pixelColor(x, static_cast<int>(i) * 38 + y) == color(Token::accent);
        EXPECT_EQ(accent, row.met) << i;
    }
}

TEST(Evidence, OfAQuantityAskedTwiceTheComparisonThatHoldsStands)
{
    Finding finding;
    finding.path = {{"c", "dram_percent", 70.0, 80.0, ">=", false}, {"c", "dram_percent", 70.0, 80.0, "<", true}};
    const auto rows = evidenceRows(finding);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_TRUE(rows[0].holds) << "the title counts it";
}

TEST(Evidence, AQuantityAskedTwiceAppearsOnce)
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
    EXPECT_FALSE(rows[1].valueText.isEmpty() || hasDigit(rows[1].valueText)) << rows[1].valueText.toStdString();
    EXPECT_TRUE(unitTitle(rows).startsWith("DRAM")) << unitTitle(rows).toStdString();
    std::vector<EvidenceRow> all = rows;
    for (EvidenceRow& row : all)
        row.value = row.value.value_or(0.0);
    EXPECT_TRUE(unitTitle(all).startsWith("DRAM")) << unitTitle(all).toStdString();
    EXPECT_NE(unitTitle(rows), unitTitle(all)) << "the others may be busier";
}

TEST(Units, SnapshotOfFiguresWithoutAValue)
{
    Finding finding;
    finding.path = {{"b", "unknown_quantity", std::nullopt, 1.0, ">", false}};
    test::expectSnapshot("ui/no-figure.txt", "evidence | " + utf8(evidenceRows(finding).at(0).valueText) + "\nunit | " +
                                                 utf8(unitRows(makeProfiledFma()).at(1).valueText) + '\n');
}

TEST(Units, ArithmeticPipesStandAmongThemAndIssueSlotsAreNoUnit)
{
    RunRecord run = makeProfiledFma();
    run.metrics->values["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 89.8;
    run.metrics->values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 94.7;
    EXPECT_TRUE(unitTitle(unitRows(run)).startsWith("FP32 pipe")) << unitTitle(unitRows(run)).toStdString();
}

TEST(Units, WithoutCountersThereIsNone)
{
    RunRecord run = makeProfiledFma();
    run.metrics.reset();
    EXPECT_TRUE(unitRows(run).empty());
}

TEST(Stalls, WithoutStallMetricsThereIsNoBar)
{
    const RunRecord run = makeProfiledFma();
    EXPECT_TRUE(stallBars({&run}).rows.empty());
    EXPECT_TRUE(stallTitle(run).isEmpty());
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
    EXPECT_EQ(bars.rows[0].name, "fma_k");
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
    EXPECT_FALSE(time->second.empty() || hasDigit(q(time->second))) << time->second;
    EXPECT_EQ(time->second, findFact(run, "Memory")) << "another figure that is missing";
}

TEST(FactRows, ARefutedRunHasItsWordWitnessAndProof)
{
    RunRecord run = makeProfiledFma();
    run.correctness.result = CorrectnessResult::replays;
    run.correctness.witness = Witness{"It was not computed.", 3, "out", 35, 3.0, 4.5, "0x7f00", ""};
    run.correctness.proof = PassProof{3, 12, 12, true, ""};
    EXPECT_TRUE(findFact(run, "Result").starts_with(toWord(CorrectnessResult::replays))) << findFact(run, "Result");
    EXPECT_TRUE(findFact(run, "Result").ends_with("It was not computed.")) << findFact(run, "Result");
    EXPECT_NE(findFact(run, "First failure").find("out[35]"), std::string::npos) << findFact(run, "First failure");
    EXPECT_TRUE(findFact(run, "Checks").starts_with("12 of 12")) << findFact(run, "Checks");
}

TEST(FactRows, AReportDoesNotClaimACacheStateOrPassesThatItDoesNotTell)
{
    RunRecord run = makeProfiledFma();
    EXPECT_NE(findFact(run, "GPU time, L2 cold"), "no such row");
    run.imported.emplace();
    run.problem = {};
    EXPECT_EQ(findFact(run, "GPU time, L2 cold"), "no such row");
    EXPECT_NE(findFact(run, "GPU time"), "no such row");
    EXPECT_NE(findFact(run, "Metric passes"), "no such row");
    EXPECT_FALSE(hasDigit(q(findFact(run, "Metric passes")))) << findFact(run, "Metric passes");
    EXPECT_EQ(findFact(run, "Metric passes"), findFact(run, "Measured by")) << "neither is known";
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
    EXPECT_TRUE(findFact(run, "Launches").starts_with("2 ")) << findFact(run, "Launches");
    EXPECT_EQ(findFact(run, "Profiled").substr(0, 3), "f, ") << "the metrics are of it";
    run.metrics.reset();
    EXPECT_EQ(findFact(run, "Longest").substr(0, 3), "g, ");
    EXPECT_EQ(findFact(run, "Launch").substr(0, 2), "7 ");
}

TEST(FactRows, MissingMetricsAreCountedByTheirReason)
{
    RunRecord run = makeProfiledFma();
    run.metrics->missing = {{"a", "not in the file"}, {"b", "not in the file"}, {"c", "no number"}};
    const std::string text = findFact(run, "Metrics");
    EXPECT_TRUE(text.starts_with("4 ")) << text;
    EXPECT_NE(text.find("c (no number)"), std::string::npos) << text;
    EXPECT_LT(text.find("c (no number)"), text.find("2 (not in the file)")) << text;
    EXPECT_TRUE(text.ends_with("2 (not in the file)")) << "the names of several are left out: " << text;
}

} // namespace
} // namespace kl::ui
