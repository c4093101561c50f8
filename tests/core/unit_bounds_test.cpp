// SPDX-License-Identifier: MIT
// Formulas of the quantities of units and of stalls, at their bounds.
#include "core/diagnosis/quantities.h"
#include "tests/core/support/counted_launch.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace kl::test {
namespace {

TEST(UnitQuantities, L2IsNoUnitOfItsOwnWhereItStreamsForDram)
{
    RunRecord run =
        countedRun({{kDramOfPeak, 65.0}, {kL2OfPeak, 81.0}, {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 66.0}});
    EXPECT_EQ(computed(run, "l2_own_percent"), 65);
    EXPECT_EQ(computed(run, "dram_lead"), 65);
    run.metrics->values["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 66.5;
    EXPECT_EQ(computed(run, "l2_own_percent"), 81);
    EXPECT_EQ(computed(run, "l2_lead"), 16);
}

TEST(UnitQuantities, AUnitIsNearItsRoofFromSixtyPercentOn)
{
    RunRecord run = countedRun({{kDramOfPeak, 60.0}, {kFmaOfPeak, 59.9}, {kTensorOfPeak, 61.0}});
    EXPECT_EQ(computed(run, "units_near_roof"), 2);
    EXPECT_EQ(computed(run, "known_units"), 3);
    run.metrics.reset();
    run.launches.clear();
    EXPECT_FALSE(computed(run, "units_near_roof"));
}

TEST(UnitQuantities, IssueLeadsIfItIsBusierThanEveryPipe)
{
    RunRecord run = countedRun({{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 70.0},
                                {kFmaOfPeak, 40.0},
                                {kTensorOfPeak, 50.0},
                                {kDramOfPeak, 90.0},
                                {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 60.0}});
    EXPECT_EQ(computed(run, "issue_lead"), 10) << "memory is none of the pipes";
    EXPECT_EQ(computed(run, "issue_over_memory"), -20);
    EXPECT_EQ(computed(run, "memory_over_compute"), 20);
}

TEST(UnitQuantities, ImbalanceIsAgainstWhatEqualBlocksWouldGive)
{
    RunRecord run = countedRun({{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 20.0},
                                {"smsp__issue_active.avg.per_cycle_active", 0.4},
                                {"gpu__time_duration.sum", 10'000.0}});
    run.launches[0].waves = 1;
    run.launches[0].blocksPerSm = 2;
    EXPECT_EQ(computed(run, "imbalance_percent"), 50);
    run.launches[0].waves = 1.5; // of two, a quarter is empty
    EXPECT_NEAR(*computed(run, "imbalance_percent"), 100 * (1 - 0.5 / 0.75), 1e-9);
    run.launches[0].waves = 1;
    run.launches[0].gridBlocks = 66; // half of the multiprocessors have none
    EXPECT_EQ(computed(run, "imbalance_percent"), 0);
    run.launches[0].gridBlocks = 264;
    run.launches[0].blockThreads = 32; // two blocks of a warp each for four schedulers
    EXPECT_EQ(computed(run, "imbalance_percent"), 0);
    run.launches[0].blockThreads = 256;
    run.metrics->values["gpu__time_duration.sum"] = 9'999.0;
    EXPECT_FALSE(computed(run, "imbalance_percent")) << "too short";
}

TEST(UnitQuantities, LanesOfTheFmaPipeAreTheChips)
{
    RunRecord run = countedRun(
        {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 64.0 * 132}, {"gpc__cycles_elapsed.max", 1.0}, {kFmaOfPeak, 100.0}});
    EXPECT_EQ(computed(run, "fp32_of_fma_percent"), 50);
    run.device.ccMajor = 7;
    EXPECT_EQ(computed(run, "fp32_of_fma_percent"), 100);
    run.device.ccMajor = 8;
    EXPECT_EQ(computed(run, "fp32_of_fma_percent"), 100);
    run.device.ccMinor = 6;
    EXPECT_EQ(computed(run, "fp32_of_fma_percent"), 50);
    run.metrics->values["smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 64.0 * 132;
    EXPECT_EQ(computed(run, "fp64_share_percent"), 50);
}

TEST(UnitQuantities, SchedulersWithoutAWarpAreTheGridsFault)
{
    RunRecord run = countedRun({{"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 20.0},
                                {"smsp__issue_active.avg.per_cycle_active", 0.4},
                                {"gpu__time_duration.sum", 20'000.0}});
    run.launches[0].waves = 0.9;
    run.launches[0].blocksPerSm = 0; // not known: one
    run.launches[0].gridBlocks = 132;
    run.launches[0].blockThreads = 96; // three of four schedulers
    EXPECT_NEAR(*computed(run, "imbalance_percent"), 100 * (1 - 0.5 / 0.75), 1e-9);
    run.launches[0].blockThreads = 33; // two warps
    EXPECT_EQ(computed(run, "imbalance_percent"), 0);
    run.launches[0].blockThreads = 256;
    run.launches[0].gridBlocks = 99; // three quarters of the multiprocessors
    EXPECT_NEAR(*computed(run, "imbalance_percent"), 100 * (1 - 0.5 / 0.75), 1e-9);
    run.launches[0].gridBlocks = 0;
    EXPECT_FALSE(computed(run, "imbalance_percent"));
}

TEST(UnitQuantities, UnitsThatTheChipDoesNotCountAreNotMissed)
{
    RunRecord run = countedRun({{kDramOfPeak, 60.0}, {kFmaOfPeak, 59.9}});
    EXPECT_EQ(computed(run, "unmeasured_units"), 7);
    EXPECT_EQ(computed(run, "busiest_percent"), 60);
    const BusiestUnit dram = busiestUnit(RunFacts(run));
    EXPECT_EQ(dram.percent, 60);
    EXPECT_STREQ(dram.name, "DRAM");
    run.metrics->values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 61.0;
    EXPECT_EQ(busiestUnit(RunFacts(run)).percent, 61);
    EXPECT_STREQ(busiestUnit(RunFacts(run)).name, "the multiprocessors") << "none of whose pipes is so busy";
    EXPECT_EQ(computed(run, "busiest_elapsed_percent"), 61);
    EXPECT_FALSE(computed(countedRun({}), "busiest_percent"));
    EXPECT_NEAR(*computed(run, "dram_roof_percent"), 60 / (4.46 / 4.8), 1e-9) << "of what was measured to be reachable";
    run.device.name = "Prototype";
    EXPECT_EQ(computed(run, "dram_roof_percent"), 60);
}

TEST(UnitQuantities, AUnitAloneLeadsNothing)
{
    const RunRecord memory = countedRun({{kDramOfPeak, 50.0}});
    const RunRecord compute = countedRun({{kFmaOfPeak, 50.0}, {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 40.0}});
    for (const char* id :
         {"dram_over_compute", "dram_roof_over_compute", "memory_over_compute", "issue_over_memory", "dram_lead", "issue_lead"})
        EXPECT_FALSE(computed(memory, id)) << id;
    for (const char* id :
         {"dram_over_compute", "dram_roof_over_compute", "memory_over_compute", "issue_over_memory", "dram_lead", "l2_lead"})
        EXPECT_FALSE(computed(compute, id)) << id;
    EXPECT_EQ(computed(compute, "issue_lead"), -10);
}

TEST(StallQuantities, AreSharesOfTheLatencyAndLeadsOverTheLargestOther)
{
    const RunRecord run = stalledRun();
    const std::map<std::string, double> expected{{"barrier_stall_percent", 25},       {"barrier_lead", -25},
                                                 {"not_selected_lead", -45},          {"long_scoreboard_percent", 50},
                                                 {"short_scoreboard_percent", 10},    {"scoreboard_percent", 60},
                                                 {"mio_throttle_percent", 5},         {"lg_throttle_percent", 20},
                                                 {"math_throttle_percent", 0},        {"wait_stall_percent", 15},
                                                 {"global_memory_stall_percent", 70}, {"shared_memory_stall_percent", 15},
                                                 {"shared_memory_lead", -35},         {"hideable_stall_percent", 75},
                                                 {"dominant_stall_percent", 50}};
    for (const auto& [id, percent] : expected) {
        ASSERT_TRUE(computed(run, id)) << id;
        EXPECT_DOUBLE_EQ(*computed(run, id), percent) << id;
    }
    std::vector<std::string> order;
    for (const StallShare& share : stallShares(RunFacts(run)))
        order.push_back(share.id);
    ASSERT_EQ(order.size(), 7U) << "not those of nothing, and no warp that is selected waits";
    EXPECT_EQ(order[0], "long_scoreboard");
    EXPECT_EQ(order[1], "barrier");
    EXPECT_EQ(order[4], "short_scoreboard");
    EXPECT_EQ(*factInWords("dominant_stall", RunFacts(run)), "long scoreboard");
    EXPECT_EQ(*factInWords("dominant_stall", RunFacts(countedRun({}))), "unknown");
    EXPECT_FALSE(computed(countedRun({}), "dominant_stall_percent"));
}

} // namespace
} // namespace kl::test
