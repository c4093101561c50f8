// SPDX-License-Identifier: MIT
// What follows where a figure is missing, nought or at its bound: of devices, launches, stalls, trees and code.
#include "core/device/arch.h"
#include "core/device/occupancy.h"
#include "core/device/peaks.h"
#include "core/device/physics_floor.h"
#include "core/device/shared_memory.h"
#include "core/device/stall_reasons.h"
#include "core/diagnosis/decide.h"
#include "core/diagnosis/estimates.h"
#include "core/diagnosis/predicted_metrics.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "core/diagnosis/tree_thresholds.h"
#include "core/sass/code_diff.h"
#include "core/sass/disassemble.h"
#include "core/timeline/timeline_report.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace kl {
namespace {

/// One launch of 264 blocks on an H200.
RunRecord oneLaunch()
{
    RunRecord run;
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.timing.emplace();
    run.timing->gpu = {1e5, 1e5, 1e5, 20};
    run.launches.resize(1);
    run.launches[0].gridBlocks = 264;
    run.launches[0].blockThreads = 256;
    return run;
}

Value computeQuantity(const RunRecord& run, const char* id)
{
    return findQuantity(id)->compute(RunFacts(run));
}

TEST(UnknownFigures, PipesOfADeviceWithoutPeaksAreIdle)
{
    RunRecord run = oneLaunch();
    WarpModel& warp = run.launches[0].warp.emplace();
    warp.instructions = 100;
    warp.activeThreads = 32;
    warp.executed = {{"fma.f32", 50}, {"fma.f64", 20}, {"xu", 10}};
    constexpr const char* kFma = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
    constexpr const char* kFp64 = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active";
    constexpr const char* kXu = "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active";
    const std::map<std::string, double> known = predictMetrics(run, run.launches[0]);
    EXPECT_GT(known.at(kFma), 0);
    EXPECT_GT(known.at(kFp64), 0);
    run.device.name = "Prototype";
    run.device.ccMajor = 99;
    ASSERT_FALSE(computePeaks(run.device, 1980).fp32);
    ASSERT_FALSE(computePeaks(run.device, 1980).fp64);
    const std::map<std::string, double> unknown = predictMetrics(run, run.launches[0]);
    EXPECT_EQ(unknown.at(kFma), 0);
    EXPECT_EQ(unknown.at(kFp64), 0);
    EXPECT_EQ(unknown.at(kXu), known.at(kXu)) << "as wide on every chip";
    EXPECT_EQ(unknown.at("gpc__cycles_elapsed.max"), known.at("gpc__cycles_elapsed.max"));
}

TEST(UnknownFigures, AStallWithoutOthersLeadsByAllOfItself)
{
    RunRecord run = oneLaunch();
    run.metrics.emplace();
    run.metrics->values = {{"smsp__average_warp_latency_per_inst_issued.ratio", 1000.0},
                           {std::string(stallMetric("barrier")), 5.0},
                           {std::string(stallMetric("selected")), 900.0}};
    EXPECT_DOUBLE_EQ(computeQuantity(run, "barrier_lead").value_or(0), 0.5);
    run.metrics->values[std::string(stallMetric("wait"))] = 2.0;
    EXPECT_DOUBLE_EQ(computeQuantity(run, "barrier_lead").value_or(0), 0.3);
    EXPECT_FALSE(computeQuantity(run, "not_selected_lead"));
}

TEST(UnknownFigures, AnOccupancyOfNoughtIsUnknown)
{
    RunRecord run = oneLaunch();
    EXPECT_FALSE(computeQuantity(run, "theoretical_occupancy_percent"));
    run.launches[0].theoreticalOccupancy = 12.5;
    EXPECT_EQ(computeQuantity(run, "theoretical_occupancy_percent"), 12.5);
    run.launches.clear();
    EXPECT_FALSE(computeQuantity(run, "theoretical_occupancy_percent"));
}

TEST(UnknownFigures, BlocksOfUnknownSizeFillTheirSchedulers)
{
    RunRecord run = oneLaunch();
    run.metrics.emplace();
    run.metrics->values = {{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 20.0},
                           {"smsp__issue_active.avg.per_cycle_active", 0.4},
                           {"gpu__time_duration.sum", 20'000.0}};
    run.launches[0].waves = 1;
    run.launches[0].blocksPerSm = 2;
    run.launches[0].blockThreads = 0;
    EXPECT_EQ(computeQuantity(run, "imbalance_percent"), 50);
}

TEST(UnknownFigures, AWarpOfOneInstructionHasShares)
{
    RunRecord run = oneLaunch();
    WarpModel& warp = run.launches[0].warp.emplace();
    warp.instructions = 1;
    warp.executed = {{"bar", 0.25}};
    EXPECT_EQ(computeQuantity(run, "executed_barrier_percent"), 25);
    EXPECT_EQ(computeQuantity(run, "executed_int_percent"), 0);
}

TEST(UnknownFigures, WithoutAClockOnlyTheTablesRatesAreKnown)
{
    DeviceInfo device = oneLaunch().device;
    device.name = "Prototype";
    device.clockMhz = 0;
    EXPECT_EQ(computePeaks(device).clockMhz, 0);
    EXPECT_FALSE(computePeaks(device).fp32);
    EXPECT_FALSE(computePeaks(device).dram);
    device.clockMhz = 1;
    EXPECT_EQ(computePeaks(device).clockMhz, 1);
    ASSERT_TRUE(computePeaks(device).fp32) << "of the capability";
    EXPECT_EQ(computePeaks(device, 0.0).clockMhz, 1);
    EXPECT_EQ(computePeaks(device, 0.5).clockMhz, 0.5);
    EXPECT_DOUBLE_EQ(*computePeaks(device, 0.5).fp32, *computePeaks(device).fp32 / 2);
    device.name = "NVIDIA H200";
    device.clockMhz = 0;
    EXPECT_GT(computePeaks(device).clockMhz, 1000) << "the table's";
}

TEST(UnknownFigures, OneMatrixInstructionMeansTensorCores)
{
    RunRecord run = oneLaunch();
    run.flops = 1e9;
    const double plain = computeQuantity(run, "analytic_flops_percent").value_or(0);
    ASSERT_GT(plain, 0);
    run.launches[0].opcodes["mma"] = 1;
    const Peaks peaks = computePeaks(run.device);
    EXPECT_NEAR(computeQuantity(run, "analytic_flops_percent").value_or(0), plain * *peaks.fp32 / *peaks.tensorFp16, 1e-9);
}

TEST(UnknownFigures, TheShortestTimesHaveAReduction)
{
    Timing before, after;
    before.gpu = {0.5, 0.5, 0.5, 20};
    after.gpu = {0.125, 0.125, 0.125, 20};
    EXPECT_EQ(computeRealizedReduction("dram-bound", before, after), 0.75);
}

TEST(UnknownFigures, TilesAndScoresTogetherAreAtMostATerabyte)
{
    constexpr std::int64_t rows = std::int64_t{1} << 20;
    const auto need = [&](std::int64_t scores) { return smemNeed({1, rows, 1, scores, 1, 0, 0}); };
    const Result<SmemNeed> fits = need((1 << 18) - 1);
    ASSERT_TRUE(fits) << fits.error().message;
    EXPECT_EQ(fits->total, rows + rows * 4 * ((1 << 18) - 1));
    const Result<SmemNeed> large = need(1 << 18);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().where, "M");
    EXPECT_TRUE(smemNeed({1, rows, (1 << 20) - 4, 1, 1, 0, 0})) << "a terabyte to the byte";
    EXPECT_FALSE(smemNeed({1, rows, (1 << 20) - 4, 1, 1, 1, 0}));
    EXPECT_FALSE(smemNeed({1, rows, (1 << 20) - 4, 1, 1, 0, 1}));
}

TEST(UnknownFigures, AThresholdIsOnlyWhereTheTreeHasOne)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    for (const char* place : {"/nodes/0/title/more", "/nodes/9999/any", "/nothing", "/nodes/0/any/0/all/0/0"}) {
        const auto changed = withThresholds(*tree, {{place, 1}});
        ASSERT_FALSE(changed) << place;
        EXPECT_EQ(changed.error().where, place);
    }
}

TEST(UnknownFigures, OfTwoRepeatedMembersOfATreeTheFirstIsNamed)
{
    const auto tree = DiagnosisTree::parse(R"({"schema": 1, "schema": 1, "nodes": [], "nodes": []})", "test");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().where, "schema");
}

TEST(UnknownFigures, OneByteTakesTimeAndOneColumnOfScoresTakesRoom)
{
    const std::optional<PhysicsFloor> floor = physicsFloor({0, 1, 0}, oneLaunch().device);
    ASSERT_TRUE(floor);
    EXPECT_GT(floor->ns, 0);
    EXPECT_EQ(smemNeed({1, 16, 16, 1, 2, 0, 4})->scores, 16 * (4 + 4));
    EXPECT_EQ(smemNeed({1, 16, 16, 0, 2, 0, 4})->scores, 0) << "without columns nothing is padded";
    EXPECT_TRUE(checkNeeds({32, 0, 0})) << "registers that are not known";
}

TEST(UnknownFigures, OneBlockIsAsEvenAsItCanBe)
{
    RunRecord run = oneLaunch();
    run.metrics.emplace();
    run.metrics->values = {{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 20.0},
                           {"smsp__issue_active.avg.per_cycle_active", 0.4},
                           {"gpu__time_duration.sum", 20'000.0}};
    run.launches[0].gridBlocks = 1;
    EXPECT_EQ(computeQuantity(run, "imbalance_percent"), 0);
    run.launches[0].gridBlocks = 264;
    run.device.smCount = 1;
    EXPECT_EQ(computeQuantity(run, "imbalance_percent"), 50);
}

TEST(UnknownFigures, WithoutABusyShareLaunchesHaveNoGaps)
{
    RunRecord run = oneLaunch();
    run.timing.reset();
    EXPECT_FALSE(findEstimate("launch-gaps")(RunFacts(run)));
}

TEST(UnknownFigures, BelowParityProfilingComesNext)
{
    const Decision decision = decide(0.75, 1);
    ASSERT_EQ(decision.level, "high");
    ASSERT_EQ(decision.next.size(), 2U);
    EXPECT_EQ(decision.next[0].step.id, StepId::profile);
    EXPECT_EQ(decision.next[1].step.id, StepId::profileWithNcu);
}

TEST(UnknownFigures, AShortNameWithALetterIsAGpus)
{
    ASSERT_TRUE(findArch("L4"));
    EXPECT_EQ(findArch("L4")->name, "sm_89");
    EXPECT_FALSE(findArch("4"));
}

TEST(UnknownFigures, OpcodesOfTheLargestDifferenceComeFirst)
{
    const auto makeKernelCode = [](int adds, int loads) {
        KernelCode code;
        code.instructions.resize(static_cast<std::size_t>(adds) + static_cast<std::size_t>(loads));
        for (int i = 0; i < adds + loads; ++i)
            code.instructions[static_cast<std::size_t>(i)].text = i < adds ? "ADD R1" : "LOAD R1";
        return code;
    };
    const KernelCode a = makeKernelCode(5, 0), b = makeKernelCode(4, 3);
    const CodeDiff diff = diffCode({&a, {}}, {&b, {}});
    ASSERT_EQ(diff.opcodes.size(), 2U);
    EXPECT_EQ(diff.opcodes[0].opcode, "LOAD");
    EXPECT_EQ(diff.opcodes[1].opcode, "ADD");
}

TEST(UnknownFigures, AConditionHasThreeParts)
{
    for (const char* condition : {R"(["speedup", ">="])", R"(["speedup", ">=", 2, 3])", R"({"a": "speedup", "b": ">=", "c": 2})", "[]"}) {
        const auto tree = DiagnosisTree::parse(R"({"schema":1,"nodes":[{"id":"n","title":"Why?","class":"divergence","help":"h",)"
                                               R"("finding":"f","priority":2,"confidence":0.8,"fixes":[],"any":[{"all":[)" +
                                                   std::string(condition) + "]}]}]}",
                                               "test");
        ASSERT_FALSE(tree) << condition;
        EXPECT_EQ(tree.error().code, ErrorCode::badInput);
        EXPECT_TRUE(tree.error().where.starts_with("n.any[0].all[0]")) << tree.error().where;
    }
}

TEST(UnknownFigures, OneLostMarkAndOneOpenWarpAreNoted)
{
    Timeline timeline;
    timeline.sites = {{1, MarkKind::user, SyncKind::none, "work", 0, false}};
    timeline.blockWarps = 1;
    WarpMarks warp;
    warp.marks = {{1, 10, 0}};
    warp.endCycle = 100;
    timeline.warps = {warp};
    EXPECT_EQ(analyzeTimeline(timeline).notes.size(), 0U);
    timeline.warps[0].lost = 1;
    EXPECT_EQ(analyzeTimeline(timeline).notes.size(), 1U);
    timeline.warps[0].lost = 0;
    timeline.warps[0].endCycle.reset();
    EXPECT_EQ(analyzeTimeline(timeline).notes.size(), 1U);
}

TEST(UnknownFigures, AProfileWithoutCodeStaysWithoutAndPtxWithItsImageKeepsIt)
{
    SourceProfile profile;
    profile.samples = 3;
    const SourceProfile before = profile;
    disassemble(profile);
    EXPECT_EQ(profile, before);

    KernelCode code;
    code.image = "no cubin";
    code.functions = {"kernel"};
    code.instructions.resize(1);
    ASSERT_TRUE(canDisassemble(code));
    KernelCode empty = code;
    empty.instructions.clear();
    EXPECT_FALSE(canDisassemble(empty)) << "nothing to show";
    profile.code = SharedCode(code);
    ::setenv("KERNELLOOP_NVDISASM", "/nowhere/nvdisasm", 1);
    disassemble(profile);
    ::unsetenv("KERNELLOOP_NVDISASM");
    ASSERT_TRUE(profile.code);
    EXPECT_FALSE(profile.code->notDisassembled.empty()) << "it was tried";
    EXPECT_EQ(profile.code->image, "no cubin");

    code.language = CodeLanguage::sass;
    profile.code = SharedCode(code);
    const SourceProfile read = profile;
    disassemble(profile);
    EXPECT_EQ(profile, read);
}

} // namespace
} // namespace kl
