// SPDX-License-Identifier: MIT
// What follows where a figure is missing or nought: of devices, launches, stalls and code.
#include "core/device/peaks.h"
#include "core/device/stall_reasons.h"
#include "core/diagnosis/predicted_metrics.h"
#include "core/diagnosis/quantities.h"
#include "core/sass/disassemble.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>

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

Value figureOf(const RunRecord& run, const char* id)
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
    const std::map<std::string, double> known = predictedMetrics(run, run.launches[0]);
    EXPECT_GT(known.at(kFma), 0);
    EXPECT_GT(known.at(kFp64), 0);
    run.device.name = "Prototype";
    run.device.ccMajor = 99;
    ASSERT_FALSE(peaksOf(run.device, 1980).fp32);
    ASSERT_FALSE(peaksOf(run.device, 1980).fp64);
    const std::map<std::string, double> unknown = predictedMetrics(run, run.launches[0]);
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
    EXPECT_DOUBLE_EQ(figureOf(run, "barrier_lead").value_or(0), 0.5);
    run.metrics->values[std::string(stallMetric("wait"))] = 2.0;
    EXPECT_DOUBLE_EQ(figureOf(run, "barrier_lead").value_or(0), 0.3);
    EXPECT_FALSE(figureOf(run, "not_selected_lead"));
}

TEST(UnknownFigures, AnOccupancyOfNoughtIsUnknown)
{
    RunRecord run = oneLaunch();
    EXPECT_FALSE(figureOf(run, "theoretical_occupancy_percent"));
    run.launches[0].theoreticalOccupancy = 12.5;
    EXPECT_EQ(figureOf(run, "theoretical_occupancy_percent"), 12.5);
    run.launches.clear();
    EXPECT_FALSE(figureOf(run, "theoretical_occupancy_percent"));
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
    EXPECT_EQ(figureOf(run, "imbalance_percent"), 50);
}

TEST(UnknownFigures, AWarpOfOneInstructionHasShares)
{
    RunRecord run = oneLaunch();
    WarpModel& warp = run.launches[0].warp.emplace();
    warp.instructions = 1;
    warp.executed = {{"bar", 0.25}};
    EXPECT_EQ(figureOf(run, "executed_barrier_percent"), 25);
    EXPECT_EQ(figureOf(run, "executed_int_percent"), 0);
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
