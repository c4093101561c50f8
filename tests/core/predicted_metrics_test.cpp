// SPDX-License-Identifier: MIT
// What follows from the modeled code where no counters are permitted, and the tree's answers from it.

#include "core/base/resource.h"
#include "core/diagnosis/predicted_metrics.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "tests/core/support/profile_parts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace kl {
namespace {

/// 13,200 blocks of 256 threads on an H200 in 100 us at 1980 MHz: 198,000 cycles, 800 warps per multiprocessor.
RunRecord modeled()
{
    RunRecord run;
    run.kernel = *parseAddress("a/b");
    run.problem = *parseParams("N=1");
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.correctness.result = CorrectnessResult::correct;
    run.timing.emplace();
    run.timing->gpu = {1e5, 1e5, 1e5, 20};
    run.timing->clockMhz = 1980;
    run.idealBytes = 1e8;
    LaunchFacts launch;
    launch.gridBlocks = 13200;
    launch.blockThreads = 256;
    launch.waves = 12.5;
    launch.theoreticalOccupancy = 100;
    launch.opcodes = {{"ld.global", 1}, {"fma.f32", 1}, {"st.global", 1}};
    launch.warp.emplace();
    launch.warp->warps = 8;
    launch.warp->instructions = 100;
    launch.warp->activeThreads = 32;
    launch.warp->loads = {1, 4, 4, 0};
    launch.warp->stores = {1, 4, 4, 0};
    launch.warp->blockSectors = 4;
    run.launches.push_back(launch);
    return run;
}

double predicted(const RunRecord& run, const char* metric)
{
    const auto all = predictMetrics(run, run.launches.front());
    const auto found = all.find(metric);
    EXPECT_NE(found, all.end()) << metric;
    return found == all.end() ? 0 : found->second;
}

std::string diagnoseClass(const RunRecord& run)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    EXPECT_TRUE(tree);
    const Finding finding = tree->diagnose(run, {}).finding;
    EXPECT_TRUE(finding.inferred);
    EXPECT_LE(finding.confidence, 0.5);
    return finding.classId;
}

TEST(PredictedMetrics, APartOfAWarpIsAWarp)
{
    RunRecord run = modeled();
    const double full = predicted(run, "smsp__sass_inst_executed_op_global_ld.sum");
    run.launches.front().blockThreads = 225; // 8 warps, as of 256
    EXPECT_EQ(predicted(run, "smsp__sass_inst_executed_op_global_ld.sum"), full);
}

TEST(PredictedMetrics, MatrixInstructionsFillHoppersTensorPipe)
{
    constexpr const char* kPipe = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
    RunRecord run = modeled();
    EXPECT_FALSE(predictMetrics(run, run.launches.front()).contains(kPipe));
    test::getWarp(run).executed = {{"mma", 120}};
    test::getWarp(run).instructions = 300;
    EXPECT_NEAR(predicted(run, kPipe), 100 * 120 * 6.6 * 800 / 4 / 198000, 1e-9);
    EXPECT_EQ(diagnoseClass(run), "tensor-bound");
    run.device.ccMajor = 8;
    EXPECT_FALSE(predictMetrics(run, run.launches.front()).contains(kPipe)) << "seen on Hopper alone";
}

TEST(PredictedMetrics, FollowFromInstructionsGridAndTime)
{
    RunRecord run = modeled();
    // 800 warps x 100 instructions over 4 schedulers and 198,000 cycles.
    EXPECT_NEAR(predicted(run, "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"), 100.0 * 800 * 100 / 4 / 198e3, 1e-9);
    EXPECT_NEAR(predicted(run, "gpc__cycles_elapsed.max"), 198e3, 1e-6);
    EXPECT_NEAR(predicted(run, "lts__t_bytes.sum"), 8.0 * 32 * 13200 * 8, 1e-3);
    test::getWarp(run).executed["fma.f32"] = 800;
    // 128 lanes per cycle and multiprocessor.
    EXPECT_NEAR(predicted(run, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"), 100.0 * 800 * 800 * 32 / 128 / 198e3, 0.5);
    test::getWarp(run).executed["fma.f32"] = 8000;
    EXPECT_EQ(predicted(run, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"), 100) << "a pipe is never busier than always";
}

TEST(PredictedMetrics, NothingWithoutModelTimeOrEnd)
{
    RunRecord run = modeled();
    test::getWarp(run).complete = false;
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty());
    run = modeled();
    run.timing.reset();
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty());
    run = modeled();
    run.launches.front().warp.reset();
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty());
}

TEST(PredictedMetrics, StandInOnlyWhereNothingWasCounted)
{
    RunRecord run = modeled();
    EXPECT_FALSE(RunFacts(run).metric("gpc__cycles_elapsed.max"));
    EXPECT_TRUE(RunFacts(run, RunFacts::Missing::predict).metric("gpc__cycles_elapsed.max"));
    run.metrics.emplace();
    run.metrics->values["sm__warps_active.avg.pct_of_peak_sustained_active"] = 50.0;
    EXPECT_FALSE(RunFacts(run, RunFacts::Missing::predict).metric("gpc__cycles_elapsed.max"));
}

TEST(InferredClasses, FollowFromTheModeledCode)
{
    RunRecord run = modeled();
    test::getWarp(run).loads = {1, 32, 4, 0};
    EXPECT_EQ(diagnoseClass(run), "uncoalesced");

    run = modeled();
    test::getWarp(run).sharedRequests = 8;
    test::getWarp(run).sharedWavefronts = 200;
    test::getWarp(run).sharedIdeal = 8;
    EXPECT_EQ(diagnoseClass(run), "bank-conflicts");

    run = modeled();
    test::getWarp(run).activeThreads = 8;
    EXPECT_EQ(diagnoseClass(run), "divergence");

    run = modeled();
    test::getWarp(run).executed["fma.f32"] = 800;
    test::getWarp(run).instructions = 900;
    run.idealBytes = 1e6;
    EXPECT_EQ(diagnoseClass(run), "fp32-bound");

    run = modeled();
    test::getWarp(run).executed["bar"] = 10;
    EXPECT_EQ(diagnoseClass(run), "sync-bound");

    run = modeled();
    test::getWarp(run).atomicRequests = 1;
    test::getWarp(run).atomicThreads = 32;
    test::getWarp(run).atomicAddresses = 1;
    EXPECT_EQ(diagnoseClass(run), "atomics");

    run = modeled();
    run.launches.front().theoreticalOccupancy = 12.5;
    EXPECT_EQ(diagnoseClass(run), "occupancy-limited");

    run = modeled();
    run.launches.front().waves = 0.5;
    EXPECT_EQ(diagnoseClass(run), "small-grid");

    run = modeled();
    run.idealBytes = 3.5e8; // of 4.8 TB/s
    EXPECT_EQ(diagnoseClass(run), "dram-bound");

    EXPECT_EQ(diagnoseClass(modeled()), "latency-bound");
}

TEST(InferredClasses, DramThatIsFullOfNeededBytesOutweighsScatteredAccesses)
{
    RunRecord run = modeled();
    test::getWarp(run).loads = {1, 32, 4, 0};
    run.idealBytes = 3.5e8;
    EXPECT_EQ(diagnoseClass(run), "dram-bound");
    run.idealBytes = 0; // not known: it does not shut the way
    EXPECT_EQ(diagnoseClass(run), "uncoalesced");
}

/// Three passes of 6 us over the same data, each of which asks L2 for 27 MB: 94 % of the DRAM peak, 80 % of what L2 can give.
RunRecord threePasses()
{
    RunRecord run = modeled();
    run.launches.front().gpuNs = 6e3;
    test::getWarp(run).instructions = 20;
    run.launches.resize(3, run.launches.front());
    run.timing->gpu = {18e3, 18e3, 18e3, 20};
    run.idealBytes = 27e6;
    run.device.l2Bytes = 10'000'000;
    run.memoryBytes = 27'000'000;
    return run;
}

TEST(InferredClasses, PassesThatEachStreamWhatL2CannotHoldAreLimitedByDram)
{
    RunRecord run = threePasses();
    EXPECT_EQ(diagnoseClass(run), "dram-bound");
    EXPECT_NEAR(*findQuantity("asked_dram_percent")->compute(RunFacts(run, RunFacts::Missing::predict)), 94, 1);
    run.device.l2Bytes = 20'000'000; // the next pass finds much of it there
    EXPECT_EQ(diagnoseClass(run), "l2-bound");
    run = threePasses();
    run.memoryBytes = 20'100'000; // a pass asks for its bytes more than once
    EXPECT_EQ(diagnoseClass(run), "l2-bound");
    run.memoryBytes.reset();
    EXPECT_FALSE(findQuantity("l2_reuse")->compute(RunFacts(run, RunFacts::Missing::predict)));
    EXPECT_EQ(diagnoseClass(run), "l2-bound");
}

TEST(InferredClasses, WhatTakesTwiceAsLongWithHalfTheWarpsWaitsWhateverItAsksOfL2)
{
    RunRecord run = threePasses();
    run.memoryBytes = 20'100'000;
    ASSERT_EQ(diagnoseClass(run), "l2-bound");
    run.experiments = {{"half-occupancy", "half the blocks per SM", 1.03, 24, ""}};
    EXPECT_EQ(diagnoseClass(run), "l2-bound");
    run.experiments.front().ratio = 1.9;
    EXPECT_EQ(diagnoseClass(run), "latency-bound");
    for (LaunchFacts& launch : run.launches)
        launch.theoreticalOccupancy = 50;
    EXPECT_EQ(diagnoseClass(run), "occupancy-limited");
}

TEST(DiagnosisTreeUnless, IsShownAsTheComparisonThatKeepsTheWayOpen)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    RunRecord run = modeled();
    test::getWarp(run).loads = {1, 32, 4, 0};
    const Finding finding = tree->diagnose(run, {}).finding;
    const auto entry =
        std::find_if(finding.path.begin(), finding.path.end(), [](const PathEntry& one) { return one.metric == "useful_dram_percent"; });
    ASSERT_NE(entry, finding.path.end());
    EXPECT_EQ(entry->sense, "<");
    EXPECT_TRUE(entry->taken);
    EXPECT_TRUE(finding.path.back().taken);
}

TEST(DiagnosisTreeUnless, IsCheckedOnLoad)
{
    std::string text(*resource("resources/diagnosis-tree.json"));
    const auto at = text.find("\"unless\": [[\"useful_dram_percent\"");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 33, "\"unless\": [[\"useless_dram_percent\"");
    const auto tree = DiagnosisTree::parse(text, "test");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().where, "coalescing.any[0].unless[0]");
}

TEST(PredictedMetrics, CyclesAreThoseOfTheMeasuredClock)
{
    RunRecord run = modeled();
    run.launches.front().gpuNs = 2000;
    run.timing->clockMhz.reset();
    EXPECT_NEAR(predicted(run, "gpc__cycles_elapsed.max"), 3960, 1e-6);
    run.timing->clockMhz = 1000;
    EXPECT_NEAR(predicted(run, "gpc__cycles_elapsed.max"), 2000, 1e-6);
}

/// 13,200 blocks of eight warps: 105,600 warps, 800 of them on a multiprocessor, in 198,000 cycles.
RunRecord modeledWithAll()
{
    RunRecord run = modeled();
    WarpModel& warp = test::getWarp(run);
    warp.activeThreads = 24;
    warp.loads = {2, 10, 6, 1};
    warp.stores = {1, 8, 2, 2};
    warp.blockSectors = 7;
    warp.sharedRequests = 3;
    warp.sharedWavefronts = 12;
    warp.sharedIdeal = 4;
    warp.atomicRequests = 0.5;
    warp.atomicThreads = 16;
    warp.atomicAddresses = 2;
    warp.executed = {{"fma.f32", 4},   {"sass.fp32", 1}, {"sass.half", 2}, {"sass.imad", 3}, {"fma.f64", 5},
                     {"sass.fp64", 1}, {"xu", 2},        {"div", 1},       {"sass.xu", 1},   {"int", 6},
                     {"setp", 1},      {"cvt", 2},       {"sass.alu", 3},  {"ld.local", 2},  {"st.local", 1}};
    return run;
}

TEST(PredictedMetrics, EachHasTheFormulaOfItsName)
{
    const RunRecord run = modeledWithAll();
    const double warps = 105600, cycles = 198e3;
    const std::map<std::string, double> expected{
        {"gpc__cycles_elapsed.max", cycles},
        {"smsp__thread_inst_executed_per_inst_executed.ratio", 24},
        {"smsp__issue_active.avg.per_cycle_active", 800.0 * 100 / 4 / cycles},
        {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 100 * 800.0 * 100 / 4 / cycles},
        {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 100 * 10 * 800.0 * 32 / 128 / cycles},
        {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 100 * 6 * 800.0 * 32 / 64 / cycles},
        {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", 100 * 4 * 800.0 * 32 / 16 / cycles},
        {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 100 * 15 * 800.0 * 32 / 128 / cycles},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 5 * 24 * warps},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 6 * 24 * warps},
        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 100 * 800.0 * 100 / 4 / cycles},
        // Wavefronts, two lines of loads and four more sectors, a line of stores and six more sectors.
        {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 100 * (12 + 6 + 7) * 800 / cycles},
        {"lts__t_bytes.sum", 17 * 32 * warps},
        {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 100 * 17 * 32 * 800 / (cycles * 21.5)},
        {"l1tex__t_sectors.sum", 18 * warps},
        {"smsp__sass_inst_executed_op_global_ld.sum", 3 * warps},
        {"smsp__sass_inst_executed_op_global_st.sum", 3 * warps},
        {"smsp__sass_inst_executed_op_global.sum", 6.5 * warps},
        {"smsp__sass_inst_executed_op_local_ld.sum", 2 * warps},
        {"smsp__sass_inst_executed_op_local_st.sum", 1 * warps},
        {"smsp__sass_inst_executed_op_shared.sum", 3 * warps},
        {"smsp__sass_inst_executed_op_global_atom.sum", 0.5 * warps},
        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 5},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 60},
        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 8},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 25},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 8 * warps},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 12 * warps},
    };
    const auto all = predictMetrics(run, run.launches.front());
    EXPECT_EQ(all.size(), expected.size());
    for (const auto& [name, value] : expected) {
        ASSERT_TRUE(all.contains(name)) << name;
        EXPECT_NEAR(all.at(name), value, 1e-9 * std::max(1.0, value)) << name;
    }
}

TEST(PredictedMetrics, WideAccessesTakeALinePer128Bytes)
{
    RunRecord run = modeled();
    test::getWarp(run).loads = {1, 16, 16, 0}; // 512 bytes: four lines
    test::getWarp(run).stores = {};
    EXPECT_NEAR(predicted(run, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"), 100 * 4 * 800 / 198e3, 1e-9);
    const auto all = predictMetrics(run, run.launches.front());
    EXPECT_FALSE(all.contains("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio")) << "there are no stores";
    EXPECT_FALSE(all.contains("smsp__sass_inst_executed_op_local_ld.sum")) << "local memory is not used";
}

TEST(PredictedMetrics, TheBusiestPipeIsTheMultiprocessors)
{
    const auto throughput = [](const char* kind, double count, double instructions) {
        RunRecord run = modeled();
        test::getWarp(run).executed = {{kind, count}};
        test::getWarp(run).instructions = instructions;
        return predicted(run, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    };
    EXPECT_NEAR(throughput("xu", 50, 1), 100 * 50 * 800.0 * 32 / 16 / 198e3, 1e-9);
    EXPECT_NEAR(throughput("fma.f64", 50, 1), 100 * 50 * 800.0 * 32 / 64 / 198e3, 1e-9);
    EXPECT_NEAR(throughput("fma.f32", 50, 1), 100 * 50 * 800.0 * 32 / 128 / 198e3, 1e-9);
    EXPECT_NEAR(throughput("sass.alu", 50, 1), 100 * 50 * 800.0 * 32 / 64 / 198e3, 1e-9);
    EXPECT_NEAR(throughput("mma", 50, 1), 100 * 50 * 6.6 * 800.0 / 4 / 198e3, 1e-9);
}

TEST(PredictedMetrics, EveryMatrixProductTakesItsCycles)
{
    const std::map<std::string, double> cycles{{"mma", 6.6},
                                               {"sass.hmma.16816", 6.6},
                                               {"sass.hmma.1688", 3.3},
                                               {"sass.hmma.1688.tf32", 6.6},
                                               {"sass.hmma.1684", 3.3},
                                               {"sass.imma.16832", 6.6},
                                               {"sass.imma.16816", 3.3},
                                               {"sass.dmma.884", 8},
                                               {"sass.dmma.1684", 16},
                                               {"sass.dmma.1688", 32},
                                               {"sass.dmma.16816", 64},
                                               {"sass.gmma.64", 32},
                                               {"sass.gmma.256", 128}};
    for (const auto& [kind, each] : cycles) {
        RunRecord run = modeled();
        test::getWarp(run).executed = {{kind, 2}, {"other", 100}};
        EXPECT_NEAR(predicted(run, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"), 100 * 2 * each * 800 / 4 / 198e3,
                    1e-9)
            << kind;
    }
}

TEST(PredictedMetrics, NothingWithoutAClockOrMultiprocessors)
{
    RunRecord run = modeled();
    run.timing->clockMhz.reset();
    run.device.clockMhz = 0;
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty());
    run = modeled();
    run.device.smCount = 0;
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty());
    run = modeled();
    run.launches.resize(2, run.launches.front());
    EXPECT_TRUE(predictMetrics(run, run.launches.front()).empty()) << "of several the time of one is not known";
    run = modeled();
    run.timing.reset();
    run.launches.front().gpuNs = 1e5;
    EXPECT_FALSE(predictMetrics(run, run.launches.front()).empty()) << "the launch's own time, at the device's clock";
}

} // namespace
} // namespace kl
