// SPDX-License-Identifier: MIT
// Machine code, timelines, occupancy, stalls, roofs and lists of metrics in tables.
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/render/render_sass.h"
#include "app/kloop/render/render_show.h"
#include "app/kloop/render/render_timeline.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_name.h"
#include "core/device/metric_sections.h"
#include "core/diagnosis/roofline.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

using test::countCells;
using test::findRow;
using test::lacksRow;
using test::readFigures;
using test::readRows;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunRecord makeCodeRun(KernelCode code, double gpuNs = 0)
{
    RunRecord run;
    run.sourceProfile = SourceProfile{.launch = "k"};
    run.sourceProfile->code = SharedCode(std::move(code));
    if (gpuNs > 0)
        run.timing = Timing{.gpu = {gpuNs, gpuNs, gpuNs, 3}};
    return run;
}

KernelCode codeWithCounters()
{
    KernelCode code{.language = CodeLanguage::sass, .functions = {"k"}, .files = {"kernel.cu"}, .stalls = {"long_scoreboard", "selected"}};
    code.instructions = {
        {.offset = 0, .text = "MOV R1"},
        {.offset = 0x1a0,
         .file = 0,
         .line = 7,
         .text = "LDG R2",
         .liveRegisters = 12,
         .samples = 30,
         .stalls = {25, 5},
         .executed = 200,
         .threads = 3000,
         .sectors = 800,
         .idealSectors = 100,
         .wavefronts = 50,
         .idealWavefronts = 10},
        {.offset = 0x1b0, .file = 0, .line = 8, .text = "ADD R3", .samples = 10, .stalls = {0, 10}, .executed = 0, .threads = 0}};
    return code;
}

TEST(RenderCode, AnInstructionHasItsCounters)
{
    KernelCode code = codeWithCounters();
    const std::string text = renderCode(makeCodeRun(code), "mine/plain");
    EXPECT_THAT(readRows(text)[0], StartsWith("mine/plain: "));
    EXPECT_EQ(readFigures(readRows(text)[0]), "3 | 40");
    EXPECT_EQ(findRow(text, "0000"), "0000 | MOV R1");
    EXPECT_EQ(findRow(text, "01a0"), "01a0 | kernel.cu:7 | 75 % | long scoreboard | 200 | 15.0 | 800 | 100 | 40 | 12 | LDG R2");
    EXPECT_EQ(findRow(text, "01b0"), "01b0 | kernel.cu:8 | 25 % | 0 | ADD R3") << "an issued warp waits for nothing";
    for (CodeInstruction& one : code.instructions)
        one.liveRegisters.reset();
    EXPECT_EQ(countCells(readRows(renderCode(makeCodeRun(code), "k"))[1]), countCells(readRows(text)[1]) - 1)
        << "a column that nothing is in";
    code.language = CodeLanguage::ptx;
    code.notDisassembled = "there is no nvdisasm.";
    const std::string ptx = renderCode(makeCodeRun(code), "k");
    EXPECT_THAT(readRows(ptx)[1], EndsWith(" there is no nvdisasm."));
    EXPECT_EQ(countCells(readRows(ptx)[2]), countCells(readRows(text)[1]) - 1);
    EXPECT_NE(readRows(ptx)[2], readRows(text)[1]) << "what the code is from";
    code.language = CodeLanguage::none;
    EXPECT_THAT(readRows(renderCode(makeCodeRun(code), "k"))[1], EndsWith(": there is no nvdisasm."));
}

TEST(RenderCode, EachLanguageSnapshot)
{
    KernelCode code = codeWithCounters();
    std::string text = renderCode(makeCodeRun(code), "mine/plain");
    code.notDisassembled = "there is no nvdisasm.";
    for (const CodeLanguage language : {CodeLanguage::ptx, CodeLanguage::none}) {
        code.language = language;
        text += renderCode(makeCodeRun(code), "mine/plain");
    }
    test::expectSnapshot("render/code.txt", text);
}

/// Fourteen instructions; the eighth is removed, the last changed.
class RenderCodeDiff : public testing::Test {
protected:
    void SetUp() override
    {
        KernelCode a{.language = CodeLanguage::sass, .functions = {"k"}}, b = a;
        for (int i = 0; i < 14; ++i) {
            a.instructions.push_back({.offset = 16 * i, .text = "A" + std::to_string(i)});
            diff_.rows.push_back({.a = i, .b = i < 7 ? i : i - 1});
            if (i != 7)
                b.instructions.push_back({.offset = 16 * (i < 7 ? i : i - 1), .text = "B" + std::to_string(i)});
        }
        diff_.rows[7].b.reset();
        diff_.rows[13].changed = true;
        a_ = makeCodeRun(a, 1000);
        b_ = makeCodeRun(b, 800);
    }
    std::string text() const { return renderCodeDiff(a_, b_, diff_, "k/a", "k/b"); }

    RunRecord a_;
    RunRecord b_;
    CodeDiff diff_;
};

TEST_F(RenderCodeDiff, DifferencesAreShownWithTwoRowsAround)
{
    std::vector<std::string> rows = readRows(text());
    EXPECT_EQ(rows[0], "k/a -> k/b");
    const auto first = std::ranges::find(rows, "0050 | 0050 | B5");
    EXPECT_THAT(std::vector<std::string>(first, rows.end()),
                ElementsAre("0050 | 0050 | B5", "0060 | 0060 | B6", "- | 0070 | A7", "0080 | 0070 | B8", "0090 | 0080 | B9", "...",
                            "00b0 | 00a0 | B11", "00c0 | 00b0 | B12", "- | 00d0 | A13", "+ | 00c0 | B13"));
    diff_.rows[0].a.reset(); // an added one
    rows = readRows(text());
    EXPECT_THAT(rows, Contains("+ | 0000 | B0"));
    EXPECT_THAT(rows, Contains("0020 | 0020 | B2"));
    EXPECT_THAT(rows, Not(Contains("0030 | 0030 | B3")));
}

TEST_F(RenderCodeDiff, ATimeThatMovedMuchIsADifference)
{
    diff_.rows[2].movedNs = -10; // a hundredth of the slower launch
    diff_.rows[3].movedNs = 9.9;
    diff_.rows[13].movedNs = 250;
    EXPECT_EQ(findRow(text(), "0020"), "0020 | 0020 | -10 ns | B2");
    EXPECT_EQ(findRow(text(), "0000"), "0000 | 0000 | B0");
    EXPECT_EQ(findRow(text(), "0040"), "0040 | 0040 | B4");
    EXPECT_EQ(findRow(text(), "+ "), "+ | 00c0 | +250 ns | B13");
    diff_.rows[2].movedNs = -9.9;
    diff_.rows[4].movedNs = 0.4; // too little to name
    EXPECT_TRUE(lacksRow(text(), "0020"));
    EXPECT_EQ(findRow(text(), "0050"), "0050 | 0050 | B5");
    diff_.rows[5].movedNs = 0.4;
    EXPECT_EQ(findRow(text(), "0050"), "0050 | 0050 | B5");
}

class RenderCodeTotals : public RenderCodeDiff {
protected:
    void SetUp() override
    {
        RenderCodeDiff::SetUp();
        diff_.mostLiveA = 40;
        diff_.mostLiveB = 32;
        diff_.spillsA = diff_.spillsB = 6;
        diff_.added = 1;
        diff_.removed = 2;
        diff_.changed = 3;
        diff_.opcodes = {{"LDG", 8, 2, -100}, {"MOV", 1, 3, {}}};
        a_.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32, .registers = 64}};
        b_.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32, .registers = 48}};
    }
};

TEST_F(RenderCodeTotals, EveryPartOfOneSnapshot)
{
    test::expectSnapshot("render/code-diff.txt", text());
}

TEST_F(RenderCodeTotals, AreOfTheSideThatTheyStandOn)
{
    EXPECT_THAT(findRow(text(), "Registers"), EndsWith(": 64 -> 48"));
    EXPECT_THAT(findRow(text(), "Most live"), EndsWith(": 40 -> 32"));
    EXPECT_THAT(findRow(text(), "Spill"), EndsWith(": 6"));
    EXPECT_EQ(readFigures(findRow(text(), "Instructions: ")), "1 | 2 | 3");
    EXPECT_THAT(findRow(text(), "GPU time"), EndsWith(": 1 µs -> 800 ns"));
    EXPECT_EQ(findRow(text(), "LDG"), "LDG | 8 | 2 | -100 ns");
    EXPECT_EQ(findRow(text(), "MOV"), "MOV | 1 | 3");
    diff_.opcodes.assign(12, {"XOR", 1, 2, {}});
    diff_.opcodes.push_back({"LATE", 1, 2, {}});
    diff_.mostLiveB = 0;
    b_.timing.reset();
    b_.launches.clear();
    EXPECT_EQ(findRow(text(), "LATE"), "") << "twelve are listed";
    EXPECT_TRUE(lacksRow(text(), "Registers")) << "known of one side only";
    EXPECT_TRUE(lacksRow(text(), "Most live")) << "known of one side only";
    EXPECT_TRUE(lacksRow(text(), "GPU time")) << "known of one side only";
    diff_.opcodes.clear();
    EXPECT_TRUE(lacksRow(text(), "Opcode"));
}

class RenderTimeline : public testing::Test {
protected:
    void SetUp() override
    {
        report_.sentence = "consumer waits for producer.";
        report_.roles = {{.name = "producer", .warps = {0}, .work = 0.6, .wait = 0.3, .async = 0.1, .path = 0.7},
                         {.name = "consumer", .warps = {1, 2, 3}, .work = 0.2, .wait = 0.75, .async = 0.05, .path = 0.25}};
        report_.spanCycles = 9600;
        report_.shownBlock = 5;
    }
    std::string text() const { return renderTimeline(timeline_, report_); }
    /// Where a role waits, and what for.
    static RoleWait waitCalled(const std::string& label)
    {
        return {.label = label, .line = 12, .count = 40, .cycles = 1500, .share = 0.5, .waitsFor = "producer", .waitsForShare = 0.9};
    }

    Timeline timeline_;
    TimelineReport report_;
};

TEST_F(RenderTimeline, RolesHaveTheirSharesAndWarps)
{
    EXPECT_EQ(readRows(text())[0], "consumer waits for producer.");
    EXPECT_EQ(findRow(text(), "producer"), "producer | 0 | 60 % | 30 % | 10 % | 70 %");
    EXPECT_EQ(findRow(text(), "consumer |"), "consumer | 1-3 (3) | 20 % | 75 % | 5 % | 25 %");
    EXPECT_TRUE(lacksRow(text(), "Rest"));
    report_.pathCopies = 0.005;
    EXPECT_EQ(readFigures(findRow(text(), "Rest")), "0.5 % | 0 %");
    report_.pathCopies = 0;
    report_.pathHandover = 0.04;
    EXPECT_EQ(readFigures(findRow(text(), "Rest")), "0 % | 4 %");
    report_.notes = {"Marks were lost."};
    EXPECT_EQ(readRows(text()).back(), "Marks were lost.");
}

TEST_F(RenderTimeline, WaitsSayWhatEndsThem)
{
    const RoleWait wait = waitCalled("bar.sync");
    RoleWait small = wait;
    small.label = "small";
    small.share = 0.004;
    RoleWait unknown{.label = "mbarrier", .count = 3, .cycles = 20, .share = 0.005};
    report_.roles[1].waits = {wait, small, unknown, wait, wait};
    report_.roles[1].waits[4].label = "fifth";
    const std::vector<std::string> rows = readRows(text());
    EXPECT_EQ(std::ranges::count(rows, "consumer | bar.sync, line 12 | 40 | 1,500 | 50 % | producer (90 %)"), 2);
    EXPECT_THAT(rows, Contains("consumer | mbarrier | 3 | 20 | 0.5 %"));
    EXPECT_THAT(text(), Not(HasSubstr("small")));
    EXPECT_THAT(text(), Not(HasSubstr("fifth"))) << "four of a role";
}

TEST_F(RenderTimeline, OverlapsNameBothRoles)
{
    EXPECT_TRUE(lacksRow(text(), "producer | consumer"));
    report_.overlaps = {{"producer", "consumer", 0.4}};
    EXPECT_EQ(findRow(text(), "producer | consumer"), "producer | consumer | 40 %");
}

/// 96 columns of 100 cycles.
TEST_F(RenderTimeline, ABarShowsWhatARoleMostlyDoes)
{
    report_.roles[0].segments = {
        {0, 4800, SegmentKind::work, {}, 0}, {4800, 7240, SegmentKind::wait, {}, 0}, {7240, 8000, SegmentKind::async, {}, 0}};
    report_.roles[1].segments = {{4800, 9600, SegmentKind::work, {}, 0}};
    const auto bar = [](int blank, int work, int wait, int async) {
        return std::string(static_cast<std::size_t>(blank), ' ') + std::string(static_cast<std::size_t>(work), '#') +
               std::string(static_cast<std::size_t>(wait), '.') + std::string(static_cast<std::size_t>(async), '~');
    };
    EXPECT_THAT(text(), HasSubstr("\n  producer  " + bar(0, 48, 24, 8) + "\n"));
    EXPECT_THAT(text(), HasSubstr("\n  consumer  " + bar(48, 48, 0, 0) + "\n"));
    const auto legend = [&] {
        const std::string row = findRow(text(), "Block 5, ");
        return readFigures(row.substr(0, row.find(" | #")));
    };
    EXPECT_EQ(legend(), "5 | 9,600");
    report_.cyclesPerNs = 2;
    EXPECT_EQ(legend(), "5 | 9,600 | 4.8 µs");
    report_.roles[0].name = "p";
    EXPECT_THAT(text(), HasSubstr("\n  p         " + bar(0, 48, 24, 8) + "\n")) << "bars are aligned";
    report_.spanCycles = 48; // a column is less than a cycle
    report_.roles[0].segments = {{0, 24, SegmentKind::work, {}, 0}, {24, 48, SegmentKind::wait, {}, 0}};
    EXPECT_THAT(text(), HasSubstr("\n  p         " + bar(0, 48, 48, 0) + "\n"));
}

TEST_F(RenderTimeline, TheCostOfMarksIsAChangeOrWhyItIsUnknown)
{
    const auto says = [&] { return readRows(text()).back(); };
    EXPECT_EQ(readFigures(says()), "");
    timeline_.noOverhead = "no plain kernel";
    EXPECT_THAT(says(), EndsWith(": no plain kernel"));
    report_.overhead = Ratio{1.03, 1.02, 1.05};
    EXPECT_THAT(readFigures(says()), StartsWith("+3 % | +2 % | +5 %"));
}

TEST_F(RenderTimeline, EveryPartOfOneSnapshot)
{
    for (RoleRow& role : report_.roles)
        role.segments = {{0, 9600, SegmentKind::work, {}, 0}};
    std::string all = text();
    report_.roles[1].waits = {waitCalled("bar.sync")};
    report_.overlaps = {{"producer", "consumer", 0.4}};
    report_.pathCopies = 0.005;
    report_.cyclesPerNs = 2;
    report_.notes = {"Marks were lost."};
    timeline_.noOverhead = "no plain kernel";
    all += text();
    report_.overhead = Ratio{1.03, 1.02, 1.05};
    test::expectSnapshot("render/timeline.txt", all + text());
}

/// On a chip like an H200, of a launch that registers limit.
RunRecord runWithRegisters()
{
    RunRecord run;
    run.device.ccMajor = 9;
    run.device.regsPerSm = 65536;
    run.device.maxThreadsPerSm = 2048;
    run.device.maxBlocksPerSm = 32;
    run.device.smemPerSm = 233472;
    run.device.smemPerBlockOptin = 232448;
    run.device.smemReservedPerBlock = 1024;
    run.launches = {{.entry = "k", .gridBlocks = 1000, .blockThreads = 256, .registers = 64, .staticSmem = 1024, .dynamicSmem = 1024}};
    run.metrics = MetricSet{.values = {{"sm__warps_active.avg.pct_of_peak_sustained_active", 40}}};
    return run;
}

TEST(RenderShow, OccupancyNamesItsLimitsAndItsLevers)
{
    EXPECT_EQ(readFigures(renderOccupancyWhatIf({})), "") << "it is not known";
    RunRecord run = runWithRegisters();
    std::string text = renderOccupancyWhatIf(run);
    EXPECT_EQ(readFigures(readRows(text)[1]), "256 | 64 | 2 KiB | 4 | 50 % | 40 %");
    EXPECT_THAT(readRows(text)[1], HasSubstr(" registers; "));
    EXPECT_EQ(readFigures(readRows(text)[2]), "4 | 32 | 8 | 32") << "blocks that registers, shared memory, warps and the SM allow";
    EXPECT_THAT(findRow(text, "registers |"), StartsWith("registers | 64 | 48 | 62.5 % | registers"));
    EXPECT_TRUE(lacksRow(text, "measured"));
    run.experiments = {{"half-occupancy", "2 instead of 4", 1.5, 10, {}}};
    EXPECT_THAT(findRow(renderOccupancyWhatIf(run), "measured"), HasSubstr("1.50×"));
    run.launches[0].registers = 32;
    run.metrics.reset();
    text = renderOccupancyWhatIf(run);
    EXPECT_EQ(readFigures(readRows(text)[1]), "256 | 32 | 2 KiB | 8 | 100 %");
    EXPECT_THAT(readRows(text)[1], EndsWith(" warps"));
    EXPECT_TRUE(lacksRow(text, "registers |")) << "it is at its most";
    EXPECT_TRUE(lacksRow(text, "Change")) << "it is at its most";
}

TEST(RenderShow, OccupancySnapshot)
{
    RunRecord run = runWithRegisters();
    run.experiments = {{"half-occupancy", "2 instead of 4", 1.5, 10, {}}};
    std::string text = renderOccupancyWhatIf({}) + renderOccupancyWhatIf(run);
    run.launches[0].registers = 32;
    run.metrics.reset();
    test::expectSnapshot("render/occupancy.txt", text + renderOccupancyWhatIf(run));
}

TEST(RenderShow, ARoofIsHeldAgainstWhatTheKernelReaches)
{
    RunRecord run;
    EXPECT_EQ(readFigures(readRows(renderRoofline(run))[0]), "") << "the clock is not known";
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.timing = Timing{.gpu = {100000, 99000, 101000, 5}};
    run.launches = {{.entry = "k", .gridBlocks = 132, .blockThreads = 256}};
    run.flops = 4e9;
    run.idealBytes = 1e8;
    run.metrics =
        MetricSet{.values = {{"gpu__time_duration.sum", 100000}, {"dram__bytes_read.sum", 1.5e8}, {"dram__bytes_write.sum", 0.5e8}},
                  .launch = "k",
                  .clockMhz = 1500};
    std::string text = renderRoofline(run);
    EXPECT_THAT(readFigures(readRows(text)[0]), StartsWith("1500 MHz"));
    EXPECT_EQ(findRow(text, "DRAM |"), "DRAM | 4.8 TB/s | 4.46 TB/s | 2 TB/s | 41.7 % | 44.8 %");
    EXPECT_EQ(findRow(text, "L2 |"), "L2 | 10.3 TB/s | 9.74 TB/s | – | – | –");
    EXPECT_EQ(findRow(text, "FP64"), "FP64 | 25.3 TFLOP/s | 25.4 TFLOP/s | – | – | –");
    EXPECT_THAT(findRow(text, "FP32"), StartsWith("FP32 | 50.7 TFLOP/s | 48.6 TFLOP/s | – | – | – | ")) << "marked as its arithmetic";
    EXPECT_EQ(readFigures(findRow(text, "analytic")), "40 FLOP/B | 40 TFLOP/s | 50.7 TFLOP/s | 78.9 %");
    EXPECT_EQ(readFigures(findRow(text, "useful")), "20 FLOP/B | 40 TFLOP/s | 50.7 TFLOP/s | 78.9 %");
    EXPECT_EQ(readFigures(findRow(text, "traffic")), "2.00×") << "that of arithmetic is not known";
    const std::vector<std::string> missing = computeRoofline(run).missing;
    EXPECT_EQ(missing.size(), 3U);
    for (const std::string& one : missing)
        EXPECT_THAT(readRows(text), Contains(EndsWith(": " + readRows(one)[0])));
    EXPECT_EQ(std::ranges::count_if(readRows(text), [](const std::string& row) { return row.starts_with("DRAM "); }), 1)
        << "no roof is raised";
    run.flops = 4e8;
    EXPECT_EQ(readFigures(findRow(renderRoofline(run), "useful")), "2 FLOP/B | 4 TFLOP/s | 9.6 TFLOP/s | 41.7 %") << "below DRAM's slope";
    run.flops = 0;
    run.metrics->values["dram__bytes_read.sum"] = 4.5e8;
    text = renderRoofline(run);
    EXPECT_TRUE(lacksRow(text, "Point"));
    EXPECT_TRUE(lacksRow(text, "useful"));
    EXPECT_EQ(findRow(text, "FP32"), "FP32 | 50.7 TFLOP/s | 48.6 TFLOP/s | – | – | –");
    EXPECT_EQ(findRow(text, "DRAM |"), "DRAM | 5 TB/s | 5 TB/s | 5 TB/s | 100 % | 100 %");
    for (const char* roof : {" nominal ", " measured "})
        EXPECT_THAT(readRows(text), Contains(AllOf(StartsWith("DRAM 5 TB/s"), HasSubstr(roof)))) << "which is raised";
    run.device.name = "Another GPU";
    EXPECT_EQ(findRow(renderRoofline(run), "DRAM |"), "DRAM | – | – | 5 TB/s | – | –") << "whose roofs are not known";
}

TEST(RenderShow, StallsBelowHalfAPercentAreLeftOut)
{
    RunRecord run;
    run.metrics = MetricSet{};
    for (const StallReason& reason : stallReasons())
        run.metrics->values[std::string(stallMetric(reason))] = 0;
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 100;
    run.metrics->values[std::string(stallMetric("barrier"))] = 99.6;
    run.metrics->values[std::string(stallMetric("math_pipe_throttle"))] = 0.4;
    const std::string text = renderStalls(run);
    EXPECT_THAT(findRow(text, "barrier"), StartsWith("barrier | 99.6 % | "));
    EXPECT_EQ(readRows(text).size(), 3U);
}

TEST(RenderShow, WhatStallsNeedSnapshot)
{
    RunRecord run;
    std::string text = renderStalls(run);
    run.metrics = MetricSet{};
    text += renderStalls(run);
    run.imported = ImportFacts{};
    test::expectSnapshot("render/no-stalls.txt", text + renderStalls(run));
}

TEST(RenderShow, TheMemoryChartHasWhatItsMetricsCounted)
{
    RunRecord run;
    run.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32}};
    run.metrics = MetricSet{.values = {{"gpu__time_duration.sum", 1000},
                                       {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 41},
                                       {"dram__bytes_read.sum", 4000},
                                       {"dram__bytes_write.sum", 2000}},
                            .launch = "k"};
    const std::string text = renderMemoryChart(run);
    EXPECT_THAT(readRows(text)[0], EndsWith(" k, 1 µs"));
    EXPECT_THAT(readRows(text), Contains("DRAM | 41 %"));
    EXPECT_THAT(readRows(text), Contains(StartsWith("DRAM | L2 cache | reads | 3.91 KiB | 4 GB/s")));
    EXPECT_THAT(readRows(text), Contains(StartsWith("L2 cache | DRAM | writes | 1.95 KiB | 2 GB/s")));
    EXPECT_EQ(readFigures(readRows(renderMemoryChart(RunRecord{}))[0]), "");
}

TEST(RenderMetrics, APlanCountsMetricsAndPasses)
{
    MetricsAnswer plan{.chip = "GH100", .names = {"dram__bytes_read.sum"}, .passes = 1};
    EXPECT_THAT(planSentence(plan), EndsWith(" GH100"));
    EXPECT_EQ(readFigures(planSentence(plan)), "1 | 1");
    plan.names.emplace_back("no.such.metric");
    plan.spelled = {{"no.such.metric", "its.name.here"}};
    plan.missing = {{"gone", "not on this chip"}};
    plan.passes = 3;
    EXPECT_EQ(readFigures(planSentence(plan)), "2 | 3 | 1");
    const std::string text = renderPlan(plan);
    EXPECT_EQ(findRow(text, "dram__bytes_read.sum"), "dram__bytes_read.sum | " + std::string(findMetric("dram__bytes_read.sum")->title));
    EXPECT_EQ(findRow(text, "no.such.metric"), "no.such.metric | its.name.here");
    EXPECT_EQ(findRow(text, "gone"), "gone | not on this chip");
    const Json json = planToJson(plan);
    EXPECT_EQ(json["chip"], "GH100");
    EXPECT_EQ(json["metrics"], Json(plan.names));
    EXPECT_EQ(json["spelled"]["no.such.metric"], "its.name.here");
    EXPECT_EQ(json["missing"]["gone"], "not on this chip");
    EXPECT_EQ(json["plan"], Json({{"passes", 3}, {"ran", 0}}));
    plan.missing.clear();
    EXPECT_EQ(readRows(renderPlan(plan)).size(), readRows(text).size() - 3) << "nor a heading, and the blank line before it";
}

TEST(RenderMetrics, APlanAndASearchSnapshot)
{
    MetricsAnswer answer{.chip = "GH100", .names = {"dram__bytes_read.sum"}, .passes = 1};
    std::string text = planSentence(answer) + '\n' + renderFound(answer);
    answer.names.emplace_back("no.such.metric");
    answer.spelled = {{"no.such.metric", "its.name.here"}};
    answer.missing = {{"gone", "not on this chip"}};
    answer.passes = 3;
    answer.found = {{.name = "dram__bytes.sum", .description = "Bytes.", .unit = "bytes", .passes = 2}};
    answer.matches = 1;
    text += planSentence(answer) + '\n' + renderPlan(answer) + renderFound(answer);
    answer.matches = 30;
    test::expectSnapshot("render/metrics.txt", text + renderFound(answer));
}

TEST(RenderMetrics, TheListHasThePassesOfTiersAndSections)
{
    MetricListing listing{"GH100", {1, {}, 19}, {}};
    listing.sectionPasses.resize(metricSections().size());
    listing.sectionPasses[1] = 4;
    const std::string first = metricSections()[0].id, second = metricSections()[1].id;
    const auto count = [](const auto& list) { return std::to_string(list.size()); };
    std::string text = renderListing(listing);
    EXPECT_EQ(countCells(readRows(text)[0]), 3);
    EXPECT_THAT(readRows(text)[0], EndsWith(" GH100"));
    EXPECT_EQ(readRows(text)[1], "0 | " + count(listTierMetrics(0)) + " | 1");
    EXPECT_EQ(readRows(text)[2], "1 | " + count(listTierMetrics(1)));
    EXPECT_EQ(readRows(text)[3], "2 | " + count(listTierMetrics(2)) + " | 19");
    EXPECT_EQ(countCells(findRow(text, "Section")), 4);
    EXPECT_EQ(findRow(text, first), first + " | " + count(metricSections()[0].metrics) + " | " + metricSections()[0].help);
    EXPECT_EQ(findRow(text, second), second + " | " + count(metricSections()[1].metrics) + " | 4 | " + metricSections()[1].help);
    Json json = listingToJson(listing);
    EXPECT_EQ(json["chip"], "GH100");
    EXPECT_EQ(json["tiers"][0]["passes"], 1);
    EXPECT_TRUE(json["tiers"][1]["passes"].is_null());
    EXPECT_EQ(json["tiers"][2]["tier"], 2);
    EXPECT_EQ(json["tiers"][2]["metrics"].size(), listTierMetrics(2).size());
    EXPECT_TRUE(json["sections"][0]["passes"].is_null());
    EXPECT_EQ(json["sections"][1]["passes"], 4);
    EXPECT_EQ(json["sections"][1]["id"], second);
    EXPECT_EQ(json["metrics"].size(), metricCatalog().size());
    text = renderListing({});
    EXPECT_EQ(countCells(readRows(text)[0]), 2);
    EXPECT_EQ(countCells(findRow(text, "Section")), 3);
    EXPECT_THAT(text, HasSubstr("--chip GH100"));
    EXPECT_TRUE(listingToJson({})["chip"].is_null());
}

TEST(RenderMetrics, WhatAChipLacksIsSaidOfThatChipAlone)
{
    const auto listLacked = [](const std::string& chip) {
        std::vector<std::string> names;
        const Json json = listingToJson({chip, {}, {}});
        for (const Json& metric : json["metrics"])
            if (!metric["lacked"].is_null())
                names.push_back(metric["name"].get<std::string>());
        return names;
    };
    EXPECT_THAT(listLacked(""), ElementsAre());
    std::vector<std::string> lacked;
    for (const MetricInfo& metric : metricCatalog())
        if (!lackReason(metric, "GA100").empty())
            lacked.emplace_back(metric.name);
    ASSERT_FALSE(lacked.empty());
    EXPECT_EQ(listLacked("GA100"), lacked);
    const MetricInfo& one = *findMetric(lacked.front());
    EXPECT_THAT(renderListing({"GA100", {}, {}}), HasSubstr(" GA100: " + lackReason(one, "GA100")));
    EXPECT_THAT(renderListing({}), Not(HasSubstr(lackReason(one, "GA100"))));
    const Json all = listingToJson({})["metrics"];
    const Json& first = all[0];
    EXPECT_EQ(first["name"], metricCatalog()[0].name);
    EXPECT_EQ(first["title"], metricCatalog()[0].title);
    EXPECT_EQ(first["unit"], metricCatalog()[0].unit);
    EXPECT_EQ(first["tier"], metricCatalog()[0].tier);
    EXPECT_EQ(first["help"], metricCatalog()[0].help);
    for (const auto& [better, word] :
         {std::pair{Better::higher, "higher"}, std::pair{Better::lower, "lower"}, std::pair{Better::neutral, "neutral"}})
        for (std::size_t i = 0; i < metricCatalog().size(); ++i)
            if (metricCatalog()[i].better == better) {
                EXPECT_EQ(all[i]["better"], word) << metricCatalog()[i].name;
            }
}

TEST(RenderMetrics, ASearchSaysHowManyMoreThereAre)
{
    MetricsAnswer answer{.chip = "GH100"};
    EXPECT_EQ(readFigures(readRows(renderFound(answer))[0]), "") << "none";
    answer.found = {{.name = "dram__bytes.sum", .description = "Bytes.", .unit = "bytes", .passes = 2}};
    answer.matches = 1;
    EXPECT_EQ(readFigures(readRows(renderFound(answer))[0]), "1");
    EXPECT_EQ(findRow(renderFound(answer), "dram__bytes.sum"), "dram__bytes.sum | bytes | 2 | Bytes.");
    answer.matches = 30;
    EXPECT_EQ(readFigures(readRows(renderFound(answer))[0]), "30 | 1 | 30");
}

} // namespace
} // namespace kl::cli
