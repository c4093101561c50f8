// SPDX-License-Identifier: MIT
// Formulas of the estimates that follow from the quantities, at their bounds.
#include "core/diagnosis/estimates.h"
#include "core/diagnosis/tree_names.h"
#include "tests/core/support/counted_launch.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>

namespace kl::test {
namespace {

std::optional<double> estimated(const RunRecord& run, std::string_view id)
{
    const std::optional<Estimate> estimate = findEstimate(id)(RunFacts(run));
    return estimate ? std::optional(estimate->runtimeReduction) : std::nullopt;
}

TEST(EstimatesAtTheirBounds, TheRoofIsTheFormulasTrafficFromATenthMoreOn)
{
    RunRecord run = countedRun({{"dram__bytes_read.sum", 1.25e6}, {"dram__bytes_write.sum", 0.0}, {"gpu__time_duration.sum", 1e6}});
    run.idealBytes = 1e6;
    EXPECT_NEAR(*estimated(run, "roof"), 0.2, 1e-12);
    run.metrics->values["dram__bytes_read.sum"] = 1.09e6;
    EXPECT_GT(*estimated(run, "roof"), 0.9) << "what is left until the DRAM roof";
}

TEST(EstimatesAtTheirBounds, GapsAndEmptySlots)
{
    RunRecord run = countedRun({});
    run.timing.emplace();
    run.timing->gpu = {100, 99, 101, 10};
    run.timing->busyFraction = 0.6;
    EXPECT_NEAR(*estimated(run, "launch-gaps"), 0.4, 1e-12);
    run.launches.resize(2);
    run.launches[0].gpuNs = 50;
    run.launches[1].gpuNs = 25;
    EXPECT_NEAR(*estimated(run, "launch-gaps"), 0.5 * 0.4, 1e-12);
    run.launches[0].gpuNs = 98;
    EXPECT_FALSE(estimated(run, "launch-gaps")) << "less than a percent";
    run.launches.resize(1);
    run.launches[0].waves = 0.25;
    EXPECT_EQ(estimated(run, "small-grid"), 0.75);
    run.launches[0].waves = 1;
    EXPECT_FALSE(estimated(run, "small-grid"));
}

TEST(EstimatesAtTheirBounds, ABusyUnitSharesTheTailAnIdleOneDoesNot)
{
    RunRecord run = countedRun({{kDramOfPeak, 59.0}});
    run.launches[0].waves = 1.5;
    run.launches[0].gridBlocks = 132 * 3 / 2;
    EXPECT_EQ(estimated(run, "tail"), 0.25);
    run.metrics->values[kDramOfPeak] = 60.0;
    run.launches[0].gridBlocks = 132 * 5 / 2;
    EXPECT_NEAR(*estimated(run, "tail"), 1 - 2.5 / 3, 1e-12);
}

TEST(EstimatesAtTheirBounds, ConflictsCostNoMoreThanTheDramRoofLeaves)
{
    RunRecord run = countedRun({{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 1320.0},
                                {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 2640.0},
                                {"gpc__cycles_elapsed.max", 40.0}});
    EXPECT_EQ(estimated(run, "bank-conflicts"), 0.25);
    run.idealBytes = 0.9 * 4.8e12 * 1e-3 * 0.9; // of a millisecond at the roof, nine tenths
    run.metrics->values["gpu__time_duration.sum"] = 1e6;
    EXPECT_NEAR(*estimated(run, "bank-conflicts"), 0.1, 1e-6);
}

TEST(EstimatesAtTheirBounds, TheNextUnitIsTheSecondBusiest)
{
    EXPECT_NEAR(*estimated(countedRun({{kDramOfPeak, 40.0}, {kL2OfPeak, 80.0}, {kL1OfPeak, 20.0}, {kFmaOfPeak, 60.0}}), "next-unit"), 0.25,
                1e-12);
    EXPECT_NEAR(*estimated(countedRun({{kDramOfPeak, 80.0}, {kL2OfPeak, 40.0}}), "next-unit"), 0.5, 1e-12);
    EXPECT_FALSE(estimated(countedRun({{kDramOfPeak, 80.0}}), "next-unit"));
}

TEST(EstimatesAtTheirBounds, MoreInFlightBringsTheBusiestUnitToSixtyPercent)
{
    RunRecord run = countedRun({{kDramOfPeak, 30.0}});
    EXPECT_EQ(estimated(run, "in-flight"), 0.5);
    run.metrics->values[kDramOfPeak] = 60.0;
    EXPECT_FALSE(estimated(run, "in-flight"));
    run.metrics->values[kDramOfPeak] = 30.0;
    run.metrics->values["gpu__time_duration.sum"] = 1e6;
    run.idealBytes = 0.9 * 4.8e12 * 1e-3 * 0.75;
    EXPECT_NEAR(*estimated(run, "in-flight"), 0.25, 1e-6) << "the roof leaves less";
}

TEST(EstimatesAtTheirBounds, ProductsByWarpgroupsAreHoppersAlone)
{
    RunRecord run = countedRun({{kTensorOfPeak, 50.0}, {"sm__inst_executed_pipe_tensor_op_gmma.sum", 0.0}});
    EXPECT_NEAR(*estimated(run, "tensor-headroom"), 0.7, 1e-12);
    run.device.ccMajor = 8;
    EXPECT_NEAR(*estimated(run, "tensor-headroom"), 0.5, 1e-12);
    run.device.ccMajor = 9;
    run.metrics->values["sm__inst_executed_pipe_tensor_op_gmma.sum"] = 25.0;
    EXPECT_NEAR(*estimated(run, "tensor-headroom"), 0.5, 1e-12);
    run.metrics->values["sm__inst_executed_pipe_tensor_op_hmma.sum"] = 100.0;
    EXPECT_NEAR(*estimated(run, "warpgroup-products"), 0.5 * 0.75 * 0.4, 1e-12);
    run.device.ccMajor = 10;
    EXPECT_FALSE(estimated(run, "warpgroup-products"));
}

TEST(EstimatesAtTheirBounds, ImbalanceCountsFromThirtyPercentOn)
{
    RunRecord run = countedRun({{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 28.0},
                                {"smsp__issue_active.avg.per_cycle_active", 0.4},
                                {"gpu__time_duration.sum", 20'000.0},
                                {"sm__warps_active.avg.pct_of_peak_sustained_active", 40.0}});
    run.launches[0].waves = 1;
    run.launches[0].blocksPerSm = 2;
    run.launches[0].theoreticalOccupancy = 50;
    EXPECT_NEAR(*estimated(run, "load-imbalance"), 0.3, 1e-9);
    run.metrics->values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 30.0;
    EXPECT_NEAR(*estimated(run, "load-imbalance"), 0.2, 1e-9) << "warps, not blocks, are uneven";
}

TEST(EstimatesAtTheirBounds, WhatWasRealizedIsOfTheWallTimeWhereGapsWereTheMatter)
{
    Timing before, after;
    before.gpu.median = 100;
    after.gpu.median = 80;
    EXPECT_NEAR(*computeRealizedReduction("dram-bound", before, after), 0.2, 1e-12);
    EXPECT_FALSE(computeRealizedReduction("launch-overhead", before, after));
    before.host = 400;
    after.host = 100;
    EXPECT_NEAR(*computeRealizedReduction("launch-overhead", before, after), 0.75, 1e-12);
    before.gpu.median = 0;
    EXPECT_FALSE(computeRealizedReduction("dram-bound", before, after));
}

TEST(EstimatesAtTheirBounds, WaitsAreWhatGoesAway)
{
    const RunRecord run = stalledRun();
    EXPECT_DOUBLE_EQ(*estimated(run, "barriers"), 0.25);
    EXPECT_DOUBLE_EQ(*estimated(run, "mio-stalls"), 0.15);
    EXPECT_FALSE(estimated(countedRun({}), "barriers"));
    EXPECT_FALSE(estimated(countedRun({}), "mio-stalls"));
}

TEST(EstimatesAtTheirBounds, WithoutAFormulaWhatDramMovedIsNeeded)
{
    RunRecord run = countedRun({{"dram__bytes_read.sum", 1.08e9}, {"dram__bytes_write.sum", 1.08e9}, {"gpu__time_duration.sum", 1e6}});
    EXPECT_NEAR(*estimated(run, "until-roof"), 0.5, 1e-9) << "90 % of 4.8 TB/s move 4.32 GB in a millisecond";
    for (const char* side : {"dram__bytes_read.sum", "dram__bytes_write.sum"}) {
        RunRecord half = run;
        half.metrics->values.erase(side);
        EXPECT_FALSE(estimated(half, "until-roof")) << side;
    }
    RunRecord wasteful = run; // a half of the sectors, and all of what DRAM moved is explained by them
    for (const auto& [name, value] : halfUseful())
        wasteful.metrics->values[name] = value;
    wasteful.metrics->values[kLoads] = 2.16e9 / 32 / 8;
    EXPECT_NEAR(*estimated(wasteful, "until-roof"), 0.75, 1e-9);
    RunRecord full = run;
    full.idealBytes = 8e9;
    EXPECT_EQ(estimated(full, "until-roof"), 0) << "never below none";
    run.launches.resize(2);
    EXPECT_FALSE(estimated(run, "until-roof")) << "counters are of one launch";
    run.idealBytes = 1e9;
    EXPECT_FALSE(estimated(run, "until-roof")) << "and so is the time";
    RunRecord unknown = countedRun({{"dram__bytes_read.sum", 1e9}, {"dram__bytes_write.sum", 1e9}, {"gpu__time_duration.sum", 1e6}});
    unknown.device.name = "Prototype";
    EXPECT_FALSE(estimated(unknown, "until-roof"));
    EXPECT_FALSE(estimated(unknown, "in-flight"));
}

TEST(EstimatesAtTheirBounds, ExcessCostsItsShareUnlessTheRoofLeavesLess)
{
    RunRecord run = countedRun(halfUseful()); // a half of the sectors
    EXPECT_DOUBLE_EQ(*estimated(run, "excess-sectors"), 0.5);
    run.metrics->values["gpu__time_duration.sum"] = 1e6;
    run.idealBytes = 0.9 * 4.8e12 * 1e-3 * 0.75;
    EXPECT_NEAR(*estimated(run, "excess-sectors"), 0.25, 1e-9);
    run.idealBytes = 0.9 * 4.8e12 * 1e-3 * 0.25;
    EXPECT_DOUBLE_EQ(*estimated(run, "excess-sectors"), 0.5) << "the roof leaves more";
    RunRecord none = countedRun({{"gpu__time_duration.sum", 1e6}});
    EXPECT_FALSE(estimated(none, "excess-sectors"));
    none.idealBytes = 0.9 * 4.8e12 * 1e-3 * 0.25;
    EXPECT_NEAR(*estimated(none, "excess-sectors"), 0.75, 1e-9);
}

TEST(EstimatesAtTheirBounds, OfPipesSpillsLanesAndClocks)
{
    RunRecord run =
        countedRun({{"smsp__thread_inst_executed_per_inst_executed.ratio", 8.0}, {"smsp__issue_active.avg.per_cycle_active", 0.5}});
    EXPECT_DOUBLE_EQ(*estimated(run, "divergence"), 0.375);
    run.metrics->values.erase("smsp__issue_active.avg.per_cycle_active");
    EXPECT_FALSE(estimated(run, "divergence"));
    EXPECT_DOUBLE_EQ(
        *estimated(countedRun({{"smsp__sass_inst_executed_op_local_ld.sum", 10.0}, {"smsp__sass_inst_executed_op_global.sum", 30.0}}),
                   "spills"),
        0.25);
    EXPECT_NEAR(*estimated(run, "lower-precision"), 0.5, 1e-9) << "FP64 has half of the lanes";
    run.device.ccMajor = 99;
    EXPECT_FALSE(estimated(run, "lower-precision"));
    run = countedRun({});
    EXPECT_FALSE(estimated(run, "tensor-headroom"));
    EXPECT_FALSE(estimated(run, "clock"));
    run.warnings = {{"clock-unlocked", ""}};
    run.metrics->clockMhz = 1485;
    EXPECT_DOUBLE_EQ(*estimated(run, "clock"), 0.25);
    EXPECT_EQ(findEstimate("none"), nullptr);
    EXPECT_EQ(estimateIds().size(), 18U);
    for (const std::string& id : estimateIds())
        EXPECT_NE(findEstimate(id), nullptr) << id;
}

TEST(EstimatesAtTheirBounds, ATailOfUnitsThatAreNotKnownIsThatOfTheWave)
{
    RunRecord run = countedRun({});
    run.launches[0].waves = 1.5;
    run.launches[0].gridBlocks = 330;
    EXPECT_DOUBLE_EQ(*estimated(run, "tail"), 0.25);
    run.launches[0].waves = 0;
    EXPECT_FALSE(estimated(run, "tail"));
}

TEST(EstimatesAtTheirBounds, ConflictsArePartOfTheWaitForSharedMemory)
{
    RunRecord run = stalledRun(); // 15 % of the latency wait for shared memory
    run.metrics->values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 1320.0;
    run.metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 2640.0;
    run.metrics->values["gpc__cycles_elapsed.max"] = 40.0;
    EXPECT_DOUBLE_EQ(*estimated(run, "bank-conflicts"), 0.075);
    run.metrics->values.erase("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    EXPECT_DOUBLE_EQ(*estimated(run, "bank-conflicts"), 0.25) << "which part of the passes is not known";
    run.metrics->values.erase("gpc__cycles_elapsed.max");
    EXPECT_FALSE(estimated(run, "bank-conflicts"));
}

} // namespace
} // namespace kl::test
