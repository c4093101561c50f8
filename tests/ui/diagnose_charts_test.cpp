// SPDX-License-Identifier: MIT
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/finding_charts.h"
#include "ui/pages/diagnose/fix_rows.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/roofline_spec.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kl {
namespace {

RunRecord profiledFma()
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

QStringList titlesOf(const std::vector<FixRow>& rows)
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
    EXPECT_EQ(titlesOf(fixRows(finding, {})), (QStringList{"Stage a tile", "Rewrite it", "Coalesce"})) << "the tree's own order";
    Advice advice;
    advice.changes = {changeTo("coalesce", 1.4), changeTo("vectorise", 1.0), changeTo("stage", 0.7)};
    const auto rows = fixRows(finding, advice);
    EXPECT_EQ(titlesOf(rows), (QStringList{"Coalesce", "Stage a tile", "Rewrite it"}));
    EXPECT_EQ(rows[0].basis, q("expected 4.06× as fast, 90\u202f%, 9 similar cases"));
    EXPECT_EQ(rows[1].ready, QStringList{"family/next"});
    EXPECT_EQ(rows[2].basis, q("confidence 30\u202f%")) << "nothing was learned of it";
}

TEST(FixRows, BeginWithTheAdvicesFirstChangeWhosoeverItIs)
{
    Finding finding;
    finding.fixes = {{"coalesce", "Coalesce", {}, 0.91, {}, {}, "coalesce", 9, 0.7}};
    Advice advice;
    advice.changes = {changeTo("vectorise", 2.0), changeTo("coalesce", 1.4)};
    advice.changes[0].ready = {"copy/a", "copy/b", "copy/c"};
    const auto rows = fixRows(finding, advice);
    EXPECT_EQ(titlesOf(rows), (QStringList{"vectorise", "Coalesce"}));
    EXPECT_EQ(rows[0].ready.size(), 2) << "of many points the first ones";
}

TEST(MemoryChartView, SaysWhyAFigureIsMissing)
{
    const QString gaps = memoryMissing(memoryChart(profiledFma()));
    EXPECT_TRUE(gaps.startsWith("Not measured: ")) << gaps.toStdString();
    EXPECT_TRUE(gaps.contains("L2 cache requests")) << gaps.toStdString();
    EXPECT_TRUE(memoryMissing({}).isEmpty());
}

TEST(Roofline, PlacesARunAtItsIntensityAndRate)
{
    const RunRecord run = profiledFma();
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    ASSERT_FALSE(spec.series.empty());
    const XYSeries& own = spec.series.back();
    ASSERT_EQ(own.points.size(), 1U);
    EXPECT_DOUBLE_EQ(own.points[0].x, 250); // 2e9 FLOP / 8e6 B
    EXPECT_DOUBLE_EQ(own.points[0].y, 20);  // 2e9 FLOP / 100 µs, in TFLOP/s
    EXPECT_TRUE(spec.x.log && spec.y.log);
}

TEST(Roofline, RoofsAreLabelledWithTheClock)
{
    const RunRecord run = profiledFma();
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    const bool clock =
        std::any_of(spec.notes.begin(), spec.notes.end(), [](const XYNote& note) { return note.text.contains(QStringLiteral("MHz")); });
    EXPECT_TRUE(clock);
}

TEST(Roofline, AKernelWithoutFloatingPointWorkSaysWhyItIsNotThere)
{
    RunRecord run = profiledFma();
    run.flops = 0;
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    EXPECT_TRUE(spec.series.empty());
    EXPECT_FALSE(spec.emptyReason.isEmpty());
}

TEST(Roofline, MissingTrafficIsNotZeroTraffic)
{
    RunRecord run = profiledFma();
    run.metrics->values.erase("dram__bytes_read.sum");
    run.metrics->values.erase("dram__bytes_write.sum");
    EXPECT_FALSE(bytesAt(run, MemoryLevel::dram));
    const XYSpec spec = rooflineSpec({&run}, MemoryLevel::dram, false);
    ASSERT_FALSE(spec.series.empty()) << "the formula's bytes stand in, and say so";
    EXPECT_TRUE(spec.series.back().name.contains(QStringLiteral("by formula")));
    EXPECT_TRUE(rooflineSpec({&run}, MemoryLevel::l2, false).series.empty());
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

TEST(Evidence, AQuantityAskedTwiceStandsOnce)
{
    Finding finding;
    finding.path = {{"a", "dram_percent", 10.0, 70.0, ">=", false}, {"b", "dram_percent", 10.0, 60.0, "<", true}};
    EXPECT_EQ(evidenceRows(finding).size(), 1U);
}

TEST(Units, AMissingUnitIsShownAsMissing)
{
    const std::vector<EvidenceRow> rows = unitRows(profiledFma());
    ASSERT_FALSE(rows.empty());
    EXPECT_DOUBLE_EQ(*rows[0].value, 2.0);
    EXPECT_FALSE(rows[1].value);
    EXPECT_EQ(rows[1].valueText, QStringLiteral("not measured"));
    EXPECT_TRUE(unitTitle(rows).contains("is the busiest unit")) << unitTitle(rows).toStdString();
    EXPECT_FALSE(unitTitle({}).contains("busiest"));
}

TEST(Stalls, WithoutStallMetricsThereIsNoBar)
{
    const RunRecord run = profiledFma();
    EXPECT_TRUE(stallBars({&run}).rows.empty());
    EXPECT_TRUE(stallTitle(run).isEmpty());
}

TEST(SampleStrips, EverySampleAndTheMedian)
{
    const RunRecord run = profiledFma();
    const XYSpec spec = sampleStrips({&run});
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_EQ(spec.series[0].points.size(), 3U);
    EXPECT_DOUBLE_EQ(spec.series[1].points[0].y, 100.0); // µs
    EXPECT_EQ(spec.x.categories.size(), 1);
}

TEST(FactRows, WhatWasNotMeasuredSaysSo)
{
    RunRecord run = profiledFma();
    run.timing.reset();
    const auto rows = factRows(run);
    const auto time = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.first == "GPU time"; });
    ASSERT_NE(time, rows.end());
    EXPECT_EQ(time->second, "not measured");
}

} // namespace
} // namespace kl
