// SPDX-License-Identifier: MIT
// Machine code, timelines, occupancy, stalls, roofs and lists of metrics in tables.
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/render/render_sass.h"
#include "app/kloop/render/render_show.h"
#include "app/kloop/render/render_timeline.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_name.h"
#include "core/device/metric_sections.h"
#include "text_rows.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

using test::rowOf;
using test::rowsOf;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunRecord runOfCode(KernelCode code, double gpuNs = 0)
{
    RunRecord run;
    run.sourceProfile = SourceProfile{.launch = "k"};
    run.sourceProfile->code = SharedCode(std::move(code));
    if (gpuNs > 0)
        run.timing = Timing{.gpu = {gpuNs, gpuNs, gpuNs, 3}};
    return run;
}

TEST(RenderCode, AnInstructionHasItsCountersBelowTheirHeadings)
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
    const std::string text = renderCode(runOfCode(code), "mine/plain");
    EXPECT_EQ(rowsOf(text)[0], "mine/plain: 3 instructions, 40 samples");
    EXPECT_EQ(rowsOf(text)[1], "Offset | Line | Samples | Waits for | Executed | Threads | Sectors | Ideal | Bank conflicts | Live | SASS");
    EXPECT_EQ(rowOf(text, "0000"), "0000 | MOV R1");
    EXPECT_EQ(rowOf(text, "01a0"), "01a0 | kernel.cu:7 | 75 % | long scoreboard | 200 | 15.0 | 800 | 100 | 40 | 12 | LDG R2");
    EXPECT_EQ(rowOf(text, "01b0"), "01b0 | kernel.cu:8 | 25 % | 0 | ADD R3") << "an issued warp waits for nothing";
    for (CodeInstruction& one : code.instructions)
        one.liveRegisters.reset();
    EXPECT_THAT(rowsOf(renderCode(runOfCode(code), "k"))[1], Not(HasSubstr("Live"))) << "a column that nothing is in";
    code.language = CodeLanguage::ptx;
    code.notDisassembled = "there is no nvdisasm.";
    const std::string ptx = renderCode(runOfCode(code), "k");
    EXPECT_THAT(rowsOf(ptx)[1], testing::EndsWith("nvdisasm. there is no nvdisasm."));
    EXPECT_THAT(rowsOf(ptx)[2], testing::EndsWith("From PTX"));
    code.language = CodeLanguage::none;
    EXPECT_EQ(rowsOf(renderCode(runOfCode(code), "k"))[1], "No SASS: there is no nvdisasm.");
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
        a_ = runOfCode(a, 1000);
        b_ = runOfCode(b, 800);
    }
    std::string text() const { return renderCodeDiff(a_, b_, diff_, "k/a", "k/b"); }

    RunRecord a_;
    RunRecord b_;
    CodeDiff diff_;
};

TEST_F(RenderCodeDiff, DifferencesAreShownWithTwoRowsAround)
{
    std::vector<std::string> rows = rowsOf(text());
    EXPECT_EQ(rows[0], "k/a -> k/b");
    const auto head = std::ranges::find(rows, "Before | After | Time | Instruction");
    ASSERT_NE(head, rows.end());
    EXPECT_THAT(std::vector<std::string>(head + 1, rows.end()),
                ElementsAre("0050 | 0050 | B5", "0060 | 0060 | B6", "- | 0070 | A7", "0080 | 0070 | B8", "0090 | 0080 | B9", "...",
                            "00b0 | 00a0 | B11", "00c0 | 00b0 | B12", "- | 00d0 | A13", "+ | 00c0 | B13"));
    diff_.rows[0].a.reset(); // an added one
    rows = rowsOf(text());
    EXPECT_THAT(rows, Contains("+ | 0000 | B0"));
    EXPECT_THAT(rows, Contains("0020 | 0020 | B2"));
    EXPECT_THAT(rows, Not(Contains("0030 | 0030 | B3")));
}

TEST_F(RenderCodeDiff, ATimeThatMovedMuchIsADifference)
{
    diff_.rows[2].movedNs = -10; // a hundredth of the slower launch
    diff_.rows[3].movedNs = 9.9;
    diff_.rows[13].movedNs = 250;
    EXPECT_EQ(rowOf(text(), "0020"), "0020 | 0020 | -10 ns | B2");
    EXPECT_EQ(rowOf(text(), "0000"), "0000 | 0000 | B0");
    EXPECT_EQ(rowOf(text(), "0040"), "0040 | 0040 | B4");
    EXPECT_EQ(rowOf(text(), "+ "), "+ | 00c0 | +250 ns | B13");
    diff_.rows[2].movedNs = -9.9;
    diff_.rows[4].movedNs = 0.4; // too little to name
    EXPECT_EQ(rowOf(text(), "0020"), "");
    EXPECT_EQ(rowOf(text(), "0050"), "0050 | 0050 | B5");
    diff_.rows[5].movedNs = 0.4;
    EXPECT_EQ(rowOf(text(), "0050"), "0050 | 0050 | B5");
}

TEST_F(RenderCodeDiff, TotalsAreOfTheSideThatTheyStandOn)
{
    diff_.mostLiveA = 40;
    diff_.mostLiveB = 32;
    diff_.spillsA = diff_.spillsB = 6;
    diff_.added = 1;
    diff_.removed = 2;
    diff_.changed = 3;
    diff_.opcodes = {{"LDG", 8, 2, -100}, {"MOV", 1, 3, {}}};
    a_.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32, .registers = 64}};
    b_.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32, .registers = 48}};
    const std::vector<std::string> rows = rowsOf(text());
    EXPECT_THAT(rows, Contains("Registers per thread: 64 -> 48"));
    EXPECT_THAT(rows, Contains("Most live registers: 40 -> 32"));
    EXPECT_THAT(rows, Contains("Spill instructions (LDL, STL): 6"));
    EXPECT_THAT(rows, Contains("Instructions: 1 added, 2 removed, 3 with other operands"));
    EXPECT_THAT(rows, Contains("GPU time: 1 µs -> 800 ns"));
    EXPECT_EQ(rowOf(text(), "Opcode"), "Opcode | Before | After | Time");
    EXPECT_EQ(rowOf(text(), "LDG"), "LDG | 8 | 2 | -100 ns");
    EXPECT_EQ(rowOf(text(), "MOV"), "MOV | 1 | 3");
    diff_.opcodes.assign(12, {"XOR", 1, 2, {}});
    diff_.opcodes.push_back({"LATE", 1, 2, {}});
    diff_.mostLiveB = 0;
    b_.timing.reset();
    b_.launches.clear();
    EXPECT_EQ(rowOf(text(), "LATE"), "") << "twelve are listed";
    EXPECT_EQ(rowOf(text(), "Registers") + rowOf(text(), "Most live") + rowOf(text(), "GPU time"), "") << "known of one side only";
    diff_.opcodes.clear();
    EXPECT_EQ(rowOf(text(), "Opcode"), "");
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

    Timeline timeline_;
    TimelineReport report_;
};

TEST_F(RenderTimeline, RolesHaveTheirSharesAndWarps)
{
    EXPECT_EQ(rowsOf(text())[0], "consumer waits for producer.");
    EXPECT_EQ(rowOf(text(), "Role"), "Role | Warps | Works | Waits | Own copies, products | Critical path");
    EXPECT_EQ(rowOf(text(), "producer"), "producer | 0 | 60 % | 30 % | 10 % | 70 %");
    EXPECT_EQ(rowOf(text(), "consumer |"), "consumer | 1-3 (3) | 20 % | 75 % | 5 % | 25 %");
    EXPECT_EQ(rowOf(text(), "Rest"), "");
    report_.pathCopies = 0.005;
    EXPECT_EQ(rowOf(text(), "Rest"), "Rest of the critical path: copies under way 0.5 %, from arrival to wake-up 0 %");
    report_.pathCopies = 0;
    report_.pathHandover = 0.04;
    EXPECT_EQ(rowOf(text(), "Rest"), "Rest of the critical path: copies under way 0 %, from arrival to wake-up 4 %");
    report_.notes = {"Marks were lost."};
    EXPECT_EQ(rowsOf(text()).back(), "Marks were lost.");
}

TEST_F(RenderTimeline, WaitsSayWhatEndsThem)
{
    EXPECT_THAT(rowsOf(text()), Not(Contains("Waits")));
    const RoleWait wait{
        .label = "bar.sync", .line = 12, .count = 40, .cycles = 1500, .share = 0.5, .waitsFor = "producer", .waitsForShare = 0.9};
    RoleWait small = wait;
    small.label = "small";
    small.share = 0.004;
    RoleWait unknown{.label = "mbarrier", .count = 3, .cycles = 20, .share = 0.005};
    report_.roles[1].waits = {wait, small, unknown, wait, wait};
    report_.roles[1].waits[4].label = "fifth";
    EXPECT_EQ(rowOf(text(), "Role | Waits"), "Role | Waits at | Times | Cycles each | Of the time | Ended by");
    const std::vector<std::string> rows = rowsOf(text());
    EXPECT_EQ(std::ranges::count(rows, "consumer | bar.sync, line 12 | 40 | 1 500 | 50 % | producer (90 %)"), 2);
    EXPECT_THAT(rows, Contains("consumer | mbarrier | 3 | 20 | 0.5 %"));
    EXPECT_THAT(text(), Not(HasSubstr("small")));
    EXPECT_THAT(text(), Not(HasSubstr("fifth"))) << "four of a role";
}

TEST_F(RenderTimeline, OverlapsNameBothRoles)
{
    EXPECT_EQ(rowOf(text(), "Role | And"), "");
    report_.overlaps = {{"producer", "consumer", 0.4}};
    EXPECT_EQ(rowOf(text(), "Role | And"), "Role | And | Work at the same time");
    EXPECT_EQ(rowOf(text(), "producer | consumer"), "producer | consumer | 40 %");
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
    EXPECT_THAT(rowsOf(text()), Contains(StartsWith("Block 5, 9 600 cycles | #")));
    report_.cyclesPerNs = 2;
    EXPECT_THAT(rowsOf(text()), Contains(StartsWith("Block 5, 9 600 cycles: 4.8 µs | #")));
    report_.roles[0].name = "p";
    EXPECT_THAT(text(), HasSubstr("\n  p         " + bar(0, 48, 24, 8) + "\n")) << "bars stand below each other";
    report_.spanCycles = 48; // a column is less than a cycle
    report_.roles[0].segments = {{0, 24, SegmentKind::work, {}, 0}, {24, 48, SegmentKind::wait, {}, 0}};
    EXPECT_THAT(text(), HasSubstr("\n  p         " + bar(0, 48, 48, 0) + "\n"));
}

TEST_F(RenderTimeline, TheCostOfMarksIsAChangeOrWhyItIsUnknown)
{
    const auto says = [&] { return rowsOf(text()).back(); };
    EXPECT_THAT(says(), testing::EndsWith("was not measured."));
    timeline_.noOverhead = "no plain kernel";
    EXPECT_THAT(says(), testing::EndsWith("was not measured: no plain kernel"));
    report_.overhead = Ratio{1.03, 1.02, 1.05};
    EXPECT_THAT(says(), HasSubstr("by +3 % (+2 % to +5 %, "));
}

TEST(RenderShow, OccupancyNamesItsLimitsAndItsLevers)
{
    RunRecord run;
    EXPECT_THAT(renderOccupancyWhatIf(run), HasSubstr("unknown"));
    run.device.ccMajor = 9;
    run.device.regsPerSm = 65536;
    run.device.maxThreadsPerSm = 2048;
    run.device.maxBlocksPerSm = 32;
    run.device.smemPerSm = 233472;
    run.device.smemPerBlockOptin = 232448;
    run.device.smemReservedPerBlock = 1024;
    run.launches = {{.entry = "k", .gridBlocks = 1000, .blockThreads = 256, .registers = 64, .staticSmem = 1024, .dynamicSmem = 1024}};
    run.metrics = MetricSet{.values = {{"sm__warps_active.avg.pct_of_peak_sustained_active", 40}}};
    std::string text = renderOccupancyWhatIf(run);
    EXPECT_EQ(rowsOf(text)[1],
              "256 threads per block, 64 registers per thread, 2 KB of shared memory per block: 4 blocks per SM, 50 %, limited "
              "by registers; achieved 40 %");
    EXPECT_EQ(rowOf(text, "block limits"), "block limits per SM: registers 4, shared memory 32, warps 8, blocks 32");
    EXPECT_EQ(rowOf(text, "Change"), "Change | From | To | Occupancy | Then limited by");
    EXPECT_THAT(rowOf(text, "registers |"), StartsWith("registers | 64 | 48 | 62.5 % | registers"));
    EXPECT_EQ(rowOf(text, "measured"), "");
    run.experiments = {{"half-occupancy", "2 instead of 4", 1.5, 10, {}}};
    EXPECT_THAT(rowOf(renderOccupancyWhatIf(run), "measured"), HasSubstr("1.50×"));
    run.launches[0].registers = 32;
    run.metrics.reset();
    text = renderOccupancyWhatIf(run);
    EXPECT_THAT(rowsOf(text)[1], testing::EndsWith("8 blocks per SM, 100 %, limited by warps"));
    EXPECT_EQ(rowOf(text, "Change"), "");
    EXPECT_THAT(text, HasSubstr("maximum"));
}

TEST(RenderShow, ARoofIsHeldAgainstWhatTheKernelReaches)
{
    RunRecord run;
    EXPECT_EQ(rowsOf(renderRoofline(run))[0], "Roofline (clock unknown)");
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
    EXPECT_THAT(rowsOf(text)[0], StartsWith("Roofline at 1 500 MHz ("));
    EXPECT_EQ(rowsOf(text)[1], "Roof | Nominal | Measured | This kernel | Of nominal | Of measured");
    EXPECT_EQ(rowOf(text, "DRAM |"), "DRAM | 4.8 TB/s | 4.46 TB/s | 2 TB/s | 41.7 % | 44.8 %");
    EXPECT_EQ(rowOf(text, "L2 |"), "L2 | 10.3 TB/s | 9.74 TB/s | – | – | –");
    EXPECT_EQ(rowOf(text, "FP64"), "FP64 | 25.3 TFLOP/s | 25.4 TFLOP/s | – | – | –");
    EXPECT_EQ(rowOf(text, "FP32"), "FP32 | 50.7 TFLOP/s | 48.6 TFLOP/s | – | – | – | its arithmetic");
    EXPECT_EQ(rowOf(text, "Point"), "Point | Intensity | Rate | Roof | Of roof");
    EXPECT_EQ(rowOf(text, "analytic"), "analytic, DRAM bytes by formula | 40 FLOP/B | 40 TFLOP/s | 50.7 TFLOP/s | 78.9 %");
    EXPECT_EQ(rowOf(text, "useful"), "useful, DRAM bytes | 20 FLOP/B | 40 TFLOP/s | 50.7 TFLOP/s | 78.9 %");
    EXPECT_THAT(rowsOf(text), Contains("traffic amplification 2.00×, FLOP amplification unknown"));
    EXPECT_EQ(std::ranges::count_if(rowsOf(text), [](const std::string& row) { return row.starts_with("not drawn: "); }), 3);
    EXPECT_THAT(text, Not(HasSubstr("raised to it")));
    run.flops = 4e8;
    EXPECT_EQ(rowOf(renderRoofline(run), "useful"), "useful, DRAM bytes | 2 FLOP/B | 4 TFLOP/s | 9.6 TFLOP/s | 41.7 %")
        << "below DRAM's slope";
    run.flops = 0;
    run.metrics->values["dram__bytes_read.sum"] = 4.5e8;
    text = renderRoofline(run);
    EXPECT_EQ(rowOf(text, "Point"), "");
    EXPECT_THAT(text, Not(HasSubstr("its arithmetic")));
    EXPECT_EQ(rowOf(text, "DRAM |"), "DRAM | 5 TB/s | 5 TB/s | 5 TB/s | 100 % | 100 %");
    EXPECT_THAT(rowsOf(text), Contains(AllOf(StartsWith("DRAM 5 TB/s"), HasSubstr(": above the nominal roof"))));
    EXPECT_THAT(rowsOf(text), Contains(AllOf(StartsWith("DRAM 5 TB/s"), HasSubstr(": above the measured roof"))));
    run.device.name = "Another GPU";
    EXPECT_EQ(rowOf(renderRoofline(run), "DRAM |"), "DRAM | – | – | 5 TB/s | – | –") << "whose roofs are not known";
}

TEST(RenderShow, StallsBelowHalfAPercentAreLeftOut)
{
    RunRecord run;
    EXPECT_THAT(renderStalls(run), HasSubstr("need hardware counters"));
    run.metrics = MetricSet{};
    EXPECT_THAT(renderStalls(run), HasSubstr("tier 2"));
    run.imported = ImportFacts{};
    EXPECT_THAT(renderStalls(run), HasSubstr("ncu --set full"));
    for (const StallReason& reason : stallReasons())
        run.metrics->values[std::string(stallMetric(reason))] = 0;
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 100;
    run.metrics->values[std::string(stallMetric("barrier"))] = 99.6;
    run.metrics->values[std::string(stallMetric("math_pipe_throttle"))] = 0.4;
    const std::string text = renderStalls(run);
    EXPECT_EQ(rowOf(text, "Waits"), "Waits for | Time | Meaning");
    EXPECT_THAT(rowOf(text, "barrier"), StartsWith("barrier | 99.6 % | "));
    EXPECT_EQ(rowsOf(text).size(), 3U);
}

TEST(RenderShow, TheMemoryChartHasAFigureBelowItsHeading)
{
    RunRecord run;
    run.launches = {{.entry = "k", .gridBlocks = 1, .blockThreads = 32}};
    run.metrics = MetricSet{.values = {{"gpu__time_duration.sum", 1000},
                                       {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 41},
                                       {"dram__bytes_read.sum", 4000},
                                       {"dram__bytes_write.sum", 2000}},
                            .launch = "k"};
    const std::string text = renderMemoryChart(run);
    EXPECT_EQ(rowsOf(text)[0], "Memory chart of k, 1 µs");
    EXPECT_EQ(rowOf(text, "Unit"), "Unit | Busy | Hit rate | Bytes | More");
    EXPECT_EQ(rowOf(text, "From"), "From | To | What | Requests | Bytes | Rate | Of peak | More");
    EXPECT_THAT(rowsOf(text), Contains("DRAM | 41 %"));
    EXPECT_THAT(rowsOf(text), Contains(StartsWith("DRAM | L2 cache | reads | 3.91 KB | 4 GB/s")));
    EXPECT_THAT(rowsOf(text), Contains(StartsWith("L2 cache | DRAM | writes | 1.95 KB | 2 GB/s")));
    EXPECT_EQ(rowsOf(renderMemoryChart(RunRecord{}))[0], "Memory chart");
}

TEST(RenderMetrics, APlanCountsMetricsAndPasses)
{
    MetricsAnswer plan{.chip = "GH100", .names = {"dram__bytes_read.sum"}, .passes = 1};
    EXPECT_EQ(planSentence(plan), "1 metric in 1 pass on GH100");
    plan.names.emplace_back("no.such.metric");
    plan.spelled = {{"no.such.metric", "its.name.here"}};
    plan.missing = {{"gone", "not on this chip"}};
    plan.passes = 3;
    EXPECT_EQ(planSentence(plan), "2 metrics in 3 passes on GH100, 1 left out");
    const std::string text = renderPlan(plan);
    EXPECT_EQ(rowOf(text, "Metric"), "Metric | Description | Name on this chip");
    EXPECT_EQ(rowOf(text, "dram__bytes_read.sum"), "dram__bytes_read.sum | " + std::string(findMetric("dram__bytes_read.sum")->title));
    EXPECT_EQ(rowOf(text, "no.such.metric"), "no.such.metric | its.name.here");
    EXPECT_EQ(rowOf(text, "gone"), "gone | not on this chip");
    const Json json = planToJson(plan);
    EXPECT_EQ(json["chip"], "GH100");
    EXPECT_EQ(json["metrics"], Json(plan.names));
    EXPECT_EQ(json["spelled"]["no.such.metric"], "its.name.here");
    EXPECT_EQ(json["missing"]["gone"], "not on this chip");
    EXPECT_EQ(json["plan"], Json({{"passes", 3}, {"ran", 0}}));
    plan.missing.clear();
    EXPECT_EQ(rowOf(renderPlan(plan), "Left out"), "");
}

TEST(RenderMetrics, TheListHasThePassesOfTiersAndSections)
{
    MetricListing listing{"GH100", {1, {}, 19}, {}};
    listing.sectionPasses.resize(metricSections().size());
    listing.sectionPasses[1] = 4;
    const std::string first = metricSections()[0].id, second = metricSections()[1].id;
    const auto count = [](const auto& list) { return std::to_string(list.size()); };
    std::string text = renderListing(listing);
    EXPECT_EQ(rowsOf(text)[0], "Tier | Metrics | Passes on GH100");
    EXPECT_EQ(rowsOf(text)[1], "0 | " + count(metricsOfTier(0)) + " | 1");
    EXPECT_EQ(rowsOf(text)[2], "1 | " + count(metricsOfTier(1)));
    EXPECT_EQ(rowsOf(text)[3], "2 | " + count(metricsOfTier(2)) + " | 19");
    EXPECT_EQ(rowOf(text, "Section"), "Section | Metrics | Passes on GH100 | Purpose");
    EXPECT_EQ(rowOf(text, first), first + " | " + count(metricSections()[0].metrics) + " | " + metricSections()[0].help);
    EXPECT_EQ(rowOf(text, second), second + " | " + count(metricSections()[1].metrics) + " | 4 | " + metricSections()[1].help);
    Json json = listingToJson(listing);
    EXPECT_EQ(json["chip"], "GH100");
    EXPECT_EQ(json["tiers"][0]["passes"], 1);
    EXPECT_TRUE(json["tiers"][1]["passes"].is_null());
    EXPECT_EQ(json["tiers"][2]["tier"], 2);
    EXPECT_EQ(json["tiers"][2]["metrics"].size(), metricsOfTier(2).size());
    EXPECT_TRUE(json["sections"][0]["passes"].is_null());
    EXPECT_EQ(json["sections"][1]["passes"], 4);
    EXPECT_EQ(json["sections"][1]["id"], second);
    EXPECT_EQ(json["metrics"].size(), metricCatalog().size());
    text = renderListing({});
    EXPECT_EQ(rowsOf(text)[0], "Tier | Metrics");
    EXPECT_THAT(text, Not(HasSubstr("; not on ")));
    EXPECT_THAT(text, HasSubstr("--chip GH100"));
    EXPECT_TRUE(listingToJson({})["chip"].is_null());
}

TEST(RenderMetrics, WhatAChipLacksIsSaidOfThatChipAlone)
{
    const auto lackedOf = [](const std::string& chip) {
        std::vector<std::string> names;
        const Json json = listingToJson({chip, {}, {}});
        for (const Json& metric : json["metrics"])
            if (!metric["lacked"].is_null())
                names.push_back(metric["name"].get<std::string>());
        return names;
    };
    EXPECT_THAT(lackedOf(""), ElementsAre());
    std::vector<std::string> lacked;
    for (const MetricInfo& metric : metricCatalog())
        if (!lackReason(metric, "GA100").empty())
            lacked.emplace_back(metric.name);
    ASSERT_FALSE(lacked.empty());
    EXPECT_EQ(lackedOf("GA100"), lacked);
    const MetricInfo& one = *findMetric(lacked.front());
    EXPECT_THAT(renderListing({"GA100", {}, {}}), HasSubstr("; not on GA100: " + lackReason(one, "GA100")));
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
    EXPECT_THAT(renderFound(answer), StartsWith("No metric of GH100"));
    answer.found = {{.name = "dram__bytes.sum", .description = "Bytes.", .unit = "bytes", .passes = 2}};
    answer.matches = 1;
    EXPECT_EQ(rowsOf(renderFound(answer))[0], "1 metric of GH100 matches:");
    EXPECT_EQ(rowOf(renderFound(answer), "Metric"), "Metric | Unit | Passes | Description");
    EXPECT_EQ(rowOf(renderFound(answer), "dram__bytes.sum"), "dram__bytes.sum | bytes | 2 | Bytes.");
    answer.matches = 30;
    EXPECT_EQ(rowsOf(renderFound(answer))[0], "30 metrics of GH100 match; the first 1 are shown, --limit 30 shows all:");
}

} // namespace
} // namespace kl::cli
