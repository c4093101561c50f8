// SPDX-License-Identifier: MIT
// Formulas of the quantities of memory accesses and of the estimates that follow from them, at their bounds.
#include "core/device/stall_reasons.h"
#include "core/diagnosis/estimates.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree_names.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace kl {
namespace {

constexpr const char* kSectorsPerLoad = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
constexpr const char* kSectorsPerStore = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
constexpr const char* kUsefulLoad = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
constexpr const char* kLoads = "smsp__sass_inst_executed_op_global_ld.sum";
constexpr const char* kStores = "smsp__sass_inst_executed_op_global_st.sum";
constexpr const char* kDramOfPeak = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kL2OfPeak = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kL1OfPeak = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kFmaOfPeak = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
constexpr const char* kTensorOfPeak = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";

/// A run of one launch on an H200 of the table, with these metrics.
RunRecord countedRun(std::map<std::string, std::optional<double>> values)
{
    RunRecord run;
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.device.l2Bytes = 60 << 20;
    run.launches.resize(1);
    run.launches[0].gridBlocks = 264;
    run.launches[0].blockThreads = 256;
    run.metrics.emplace();
    run.metrics->values = std::move(values);
    return run;
}

Value computed(const RunRecord& run, std::string_view id)
{
    return findQuantity(id)->compute(RunFacts(run));
}

std::optional<double> estimated(const RunRecord& run, std::string_view id)
{
    const std::optional<Estimate> estimate = findEstimate(id)(RunFacts(run));
    return estimate ? std::optional(estimate->runtimeReduction) : std::nullopt;
}

TEST(MemoryQuantities, ARequestOfTwoSectorsWastesNoneThatItCouldSave)
{
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 2.0}, {kUsefulLoad, 25.0}}), "excess_sectors_percent"), 0);
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 2.5}, {kUsefulLoad, 25.0}}), "excess_sectors_percent"), 60);
}

TEST(MemoryQuantities, WithoutUsefulBytesMoreThanSixteenSectorsAreWasteAgainstFour)
{
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 16.0}}), "excess_sectors_percent"), 0);
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 32.0}}), "excess_sectors_percent"), 87.5);
    EXPECT_FALSE(computed(countedRun({{kSectorsPerLoad, 0.0}}), "excess_sectors_percent"));
}

TEST(MemoryQuantities, TheWorseSideIsTheOneThatWastesMoreSectors)
{
    const RunRecord run =
        countedRun({{kLoads, 100.0}, {kStores, 10.0}, {kSectorsPerLoad, 4.0}, {kUsefulLoad, 100.0}, {kSectorsPerStore, 32.0}});
    const auto waste = sectorWaste(RunFacts(run));
    ASSERT_TRUE(waste);
    EXPECT_TRUE(waste->stores);
    EXPECT_EQ(waste->perRequest, 32);
    EXPECT_EQ(waste->idealPerRequest, 4);
    EXPECT_EQ(waste->wasted, 10 * 28);
    EXPECT_DOUBLE_EQ(waste->percent, 100.0 * 280 / 720);
    EXPECT_EQ(*factInWords("worst_access", RunFacts(run)), "stores: 32 sectors per request where 4 would do");
}

TEST(MemoryQuantities, ARequestNeedsASectorHoweverFewOfItsBytes)
{
    // 8 lanes read a byte each, 32 bytes apart: 8 bytes, a quarter of a sector.
    const RunRecord run = countedRun({{kLoads, 100.0}, {kStores, 0.0}, {kSectorsPerLoad, 8.0}, {kUsefulLoad, 100.0 * 8 / (8 * 32)}});
    const auto waste = sectorWaste(RunFacts(run));
    ASSERT_TRUE(waste);
    EXPECT_DOUBLE_EQ(waste->idealPerRequest, 1);
    EXPECT_DOUBLE_EQ(*waste->wasted, 100.0 * 7);
    EXPECT_DOUBLE_EQ(waste->percent, 100.0 * 7 / 8);
}

TEST(MemoryQuantities, StoresAreWhatL2WasWrittenWhereTheyAreNotCounted)
{
    // 1000 sectors pass L2, 600 of them are read: 400 are written, 100 stores of 4 sectors among 300 instructions.
    RunRecord run = countedRun({{"smsp__sass_inst_executed_op_global.sum", 300.0},
                                {"lts__t_bytes.sum", 32000.0},
                                {"lts__t_sectors_op_read.sum", 600.0},
                                {kSectorsPerLoad, 8.0},
                                {kUsefulLoad, 50.0},
                                {kSectorsPerStore, 4.0}});
    const auto waste = sectorWaste(RunFacts(run));
    ASSERT_TRUE(waste);
    EXPECT_EQ(waste->wasted, 200 * 4);
    for (const char* side : {kLoads, kStores}) { // one of both says nothing
        RunRecord half = run;
        half.metrics->values[side] = 7.0;
        EXPECT_EQ(sectorWaste(RunFacts(half))->wasted, 200 * 4) << side;
    }
    run.metrics->values["lts__t_bytes.sum"] = 320000.0;
    EXPECT_EQ(sectorWaste(RunFacts(run))->wasted, 0) << "no more stores than instructions";
}

TEST(MemoryQuantities, ExcessOfAllThatL1Moved)
{
    RunRecord run = countedRun({{kLoads, 100.0}, {kStores, 0.0}, {kSectorsPerLoad, 8.0}, {kUsefulLoad, 50.0}});
    EXPECT_EQ(computed(run, "excess_traffic_percent"), 50);
    run.metrics->values["l1tex__t_sectors.sum"] = 4000.0; // copies pass it, too
    EXPECT_EQ(computed(run, "excess_traffic_percent"), 10);
}

TEST(MemoryQuantities, TheFormulasBytesAreThoseOfOneLaunchAlone)
{
    RunRecord run =
        countedRun({{"dram__bytes_read.sum", 300.0}, {"dram__bytes_write.sum", 100.0}, {kDramOfPeak, 80.0}, {"lts__t_bytes.sum", 800.0}});
    run.idealBytes = 200;
    run.memoryBytes = 1000;
    EXPECT_EQ(computed(run, "dram_bytes"), 400);
    EXPECT_EQ(computed(run, "traffic_amplification"), 2);
    EXPECT_EQ(computed(run, "useful_dram_percent"), 40);
    EXPECT_EQ(computed(run, "l2_reuse"), 4);
    run.idealBytes = 800;
    EXPECT_EQ(computed(run, "useful_dram_percent"), 80) << "no busier than it is";
    run.launches.resize(2);
    EXPECT_FALSE(computed(run, "traffic_amplification"));
    EXPECT_EQ(computed(run, "l2_reuse"), 0.8) << "each launch may touch all buffers";
    EXPECT_EQ(computed(run, "footprint_of_l2"), 1000.0 / (60 << 20));
    run.memoryBytes.reset();
    EXPECT_FALSE(computed(run, "l2_reuse"));
}

TEST(MemoryQuantities, ConflictsArePartOfTheWavefrontsAndOfTheTime)
{
    RunRecord run = countedRun({{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 132.0},
                                {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 132.0},
                                {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000.0},
                                {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 320.0},
                                {"gpc__cycles_elapsed.max", 10.0}});
    EXPECT_EQ(computed(run, "bank_conflict_percent"), 20);
    EXPECT_EQ(computed(run, "bank_conflict_cost_percent"), 20);
    run.metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 0.0;
    run.metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 0.0;
    EXPECT_EQ(computed(run, "bank_conflict_percent"), 0) << "shared memory is not used";
}

TEST(MemoryQuantities, SpillsAndAtomicsAreSharesOfTheAccesses)
{
    RunRecord run = countedRun({{"smsp__sass_inst_executed_op_local_ld.sum", 10.0},
                                {"smsp__sass_inst_executed_op_local_st.sum", 20.0},
                                {"smsp__sass_inst_executed_op_global.sum", 50.0},
                                {"smsp__sass_inst_executed_op_shared.sum", 20.0},
                                {"smsp__sass_inst_executed_op_global_atom.sum", 4.0},
                                {"smsp__sass_inst_executed_op_global_red.sum", 1.0}});
    EXPECT_EQ(computed(run, "local_accesses"), 30);
    EXPECT_EQ(computed(run, "spill_share_percent"), 30);
    EXPECT_EQ(computed(run, "atomic_share_percent"), 10);
    run.metrics->values["lts__t_bytes.sum"] = 102400.0; // as many bytes as 100 accesses can move
    EXPECT_EQ(computed(run, "atomic_share_percent"), 5);
    run.metrics->values["smsp__sass_inst_executed_op_global_atom.sum"] = 0.0;
    run.metrics->values["smsp__sass_inst_executed_op_global_red.sum"] = 0.0;
    run.metrics->values.erase("smsp__sass_inst_executed_op_global.sum");
    run.metrics->values.erase("lts__t_bytes.sum");
    EXPECT_EQ(computed(run, "atomic_share_percent"), 0);
}

/// 100 loads of 8 sectors with half of them useful: 25600 bytes moved, 12800 asked for.
std::map<std::string, std::optional<double>> halfUseful()
{
    return {{kLoads, 100.0}, {kStores, 0.0}, {kSectorsPerLoad, 8.0}, {kUsefulLoad, 50.0}};
}

TEST(MemoryQuantities, ExcessIsKnownWhereTheAccessesExplainTheTraffic)
{
    RunRecord run = countedRun(halfUseful());
    run.metrics->values["dram__bytes_read.sum"] = 25600.0;
    run.metrics->values["dram__bytes_write.sum"] = 0.0;
    run.metrics->values["lts__t_bytes.sum"] = 25600.0;
    EXPECT_EQ(computed(run, "excess_dram_percent"), 50);
    run.metrics->values["dram__bytes_read.sum"] = 64000.0;
    EXPECT_EQ(computed(run, "excess_dram_percent"), 80) << "two fifths explain it";
    run.metrics->values["dram__bytes_read.sum"] = 64001.0;
    EXPECT_FALSE(computed(run, "excess_dram_percent"));
    run.metrics->values["smsp__sass_inst_executed_op_global_atom.sum"] = 1.0; // 32 sectors, of which 128 bytes were asked for
    EXPECT_NEAR(*computed(run, "excess_dram_percent"), 100 * (1 - 12928.0 / 64001), 1e-9);
    run.metrics->values["smsp__sass_inst_executed_op_global_red.sum"] = 1.0;
    EXPECT_NEAR(*computed(run, "excess_dram_percent"), 100 * (1 - 13056.0 / 64001), 1e-9);
}

TEST(MemoryQuantities, TheBusiestLevelCountsWithoutItsExcess)
{
    RunRecord run = countedRun(halfUseful());
    run.metrics->values["lts__t_bytes.sum"] = 25600.0;
    run.metrics->values[kDramOfPeak] = 10.0;
    run.metrics->values[kL2OfPeak] = 80.0;
    run.metrics->values[kL1OfPeak] = 30.0;
    EXPECT_EQ(computed(run, "useful_limit_percent"), 40);
    run.metrics->values["lts__t_bytes.sum"] = 102401.0;
    EXPECT_FALSE(computed(run, "useful_limit_percent")) << "a quarter must explain it";
    run.metrics->values["lts__t_bytes.sum"] = 102400.0;
    EXPECT_EQ(computed(run, "useful_limit_percent"), 40) << "never more than the share of the sectors";
    run.metrics->values[kL1OfPeak] = 90.0;
    EXPECT_EQ(computed(run, "useful_limit_percent"), 45);
}

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
    EXPECT_NEAR(*realizedReduction("dram-bound", before, after), 0.2, 1e-12);
    EXPECT_FALSE(realizedReduction("launch-overhead", before, after));
    before.host = 400;
    after.host = 100;
    EXPECT_NEAR(*realizedReduction("launch-overhead", before, after), 0.75, 1e-12);
    before.gpu.median = 0;
    EXPECT_FALSE(realizedReduction("dram-bound", before, after));
}

/// Without any one of these a quantity is not known.
TEST(QuantitiesOfSeveralMetrics, NeedAllOfThem)
{
    const char* read = "dram__bytes_read.sum";
    const char* write = "dram__bytes_write.sum";
    const char* time = "gpu__time_duration.sum";
    const char* issued = "sm__inst_issued.avg.pct_of_peak_sustained_elapsed";
    const char* active = "smsp__issue_active.avg.per_cycle_active";
    const char* warps = "sm__warps_active.avg.pct_of_peak_sustained_active";
    const char* threads = "smsp__thread_inst_executed_per_inst_executed.ratio";
    const char* latency = "smsp__average_warp_latency_per_inst_issued.ratio";
    const char* l2 = "lts__t_bytes.sum";
    const std::string barrier(stallMetric("barrier"));
    const std::map<std::string, std::vector<std::string>> needs{
        {"dram_bytes", {read, write}},
        {"traffic_amplification", {read, write}},
        {"useful_dram_percent", {kDramOfPeak, read, write}},
        {"excess_dram_percent", {read, write, kLoads, kStores}},
        {"bank_conflict_cost_percent", {"gpc__cycles_elapsed.max", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
        {"bank_conflict_percent",
         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
        {"spill_share_percent", {"smsp__sass_inst_executed_op_local_ld.sum", "smsp__sass_inst_executed_op_global.sum"}},
        {"asked_dram_percent", {l2, time}},
        {"l2_reuse", {l2}},
        {"dram_over_compute", {kDramOfPeak}},
        {"dram_roof_over_compute", {kDramOfPeak}},
        {"memory_over_compute", {kDramOfPeak}},
        {"issue_over_memory", {issued, kDramOfPeak}},
        {"sm_active_percent", {issued, active}},
        {"imbalance_percent", {issued, active, time}},
        {"occupancy_gap", {warps}},
        {"occupancy_reached_percent", {warps}},
        {"barrier_stall_percent", {barrier, latency}},
        {"barrier_lead", {barrier, latency}},
        {"fp64_share_percent", {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"}},
    };
    RunRecord run = countedRun({{read, 1e6},
                                {write, 1e6},
                                {time, 1e6},
                                {issued, 20.0},
                                {active, 0.4},
                                {warps, 40.0},
                                {threads, 32.0},
                                {latency, 20.0},
                                {l2, 4e6},
                                {barrier, 5.0},
                                {kDramOfPeak, 50.0},
                                {kFmaOfPeak, 40.0},
                                {kLoads, 1e4},
                                {kStores, 1e4},
                                {kSectorsPerLoad, 8.0},
                                {kUsefulLoad, 50.0},
                                {kSectorsPerStore, 4.0},
                                {"gpc__cycles_elapsed.max", 1e5},
                                {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 1e3},
                                {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1e4},
                                {"smsp__sass_inst_executed_op_local_ld.sum", 10.0},
                                {"smsp__sass_inst_executed_op_global.sum", 2e4},
                                {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 1e3}});
    run.idealBytes = 1e6;
    run.launches[0].theoreticalOccupancy = 50;
    run.launches[0].waves = 1;
    run.launches[0].blocksPerSm = 2;
    for (const auto& [id, metrics] : needs) {
        EXPECT_TRUE(computed(run, id)) << id;
        for (const std::string& metric : metrics) {
            // Where one of both sides is not counted, stores are what L2 was written: that is not known here.
            for (const std::optional<double> none : {std::optional<double>(), std::optional(std::numeric_limits<double>::quiet_NaN())}) {
                RunRecord lacking = run;
                if (metric == kLoads || metric == kStores)
                    lacking.metrics->values["smsp__sass_inst_executed_op_global.sum"] = none;
                lacking.metrics->values[metric] = none;
                EXPECT_FALSE(computed(lacking, id)) << id << " without " << metric;
            }
        }
    }
}

TEST(MemoryQuantities, WasteBeginsAboveSixteenSectorsAndUsefulBytesGoFirst)
{
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 16.5}}), "excess_sectors_percent"), 0);
    EXPECT_NEAR(*computed(countedRun({{kSectorsPerLoad, 16.6}}), "excess_sectors_percent"), 100 * (1 - 4 / 16.6), 1e-9);
    EXPECT_EQ(computed(countedRun({{kUsefulLoad, 25.0}}), "excess_sectors_percent"), 75) << "sectors were not counted";
    EXPECT_EQ(computed(countedRun({{kUsefulLoad, 125.0}, {kSectorsPerLoad, 8.0}}), "excess_sectors_percent"), 0) << "never below none";
    EXPECT_FALSE(computed(countedRun({{kUsefulLoad, 0.0}}), "excess_sectors_percent"));
    EXPECT_FALSE(computed(countedRun({}), "excess_sectors_percent"));
    EXPECT_EQ(*factInWords("worst_access", RunFacts(countedRun({}))), "accesses");
    EXPECT_EQ(*factInWords("worst_access", RunFacts(countedRun({{kUsefulLoad, 25.0}}))),
              "loads: 75\u202f% of the sectors moved are not used");
}

TEST(MemoryQuantities, AFormulaAndCountersHaveDifferentFootprints)
{
    RunRecord run = countedRun({{"lts__t_bytes.sum", 800.0}});
    run.memoryBytes = 1000;
    EXPECT_EQ(computed(run, "l2_reuse"), 0.8) << "without a formula all memory";
    run.memoryBytes = 0;
    EXPECT_FALSE(computed(run, "l2_reuse"));
    run.idealBytes = 400;
    EXPECT_EQ(computed(run, "l2_reuse"), 2);
    run.device.l2Bytes = 0;
    EXPECT_FALSE(computed(run, "footprint_of_l2"));
    run.device.l2Bytes = 800;
    EXPECT_EQ(computed(run, "footprint_of_l2"), 0.5);
    run.metrics->values["gpu__time_duration.sum"] = 1.0; // 800 bytes in a nanosecond of 4,800
    EXPECT_NEAR(*computed(run, "asked_dram_percent"), 100 * 800 / 4800.0, 1e-9);
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
    EXPECT_STREQ(busiestUnit(RunFacts(run)).name, "DRAM");
    run.metrics->values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 61.0;
    EXPECT_STREQ(busiestUnit(RunFacts(run)).name, "the multiprocessors");
    EXPECT_EQ(computed(run, "busiest_elapsed_percent"), 61);
    EXPECT_FALSE(computed(countedRun({}), "busiest_percent"));
    EXPECT_NEAR(*computed(run, "dram_roof_percent"), 60 / (4.46 / 4.8), 1e-9) << "of what was measured to be reachable";
    run.device.name = "Prototype";
    EXPECT_EQ(computed(run, "dram_roof_percent"), 60);
}

/// Shares of a warp's latency of 20 cycles: long scoreboard 50 %, barrier 25, LG 20, wait 15, short scoreboard 10, MIO 5, not selected 5.
RunRecord stalledRun()
{
    return countedRun({{"smsp__average_warp_latency_per_inst_issued.ratio", 20.0},
                       {std::string(stallMetric("selected")), 100.0},
                       {std::string(stallMetric("long_scoreboard")), 10.0},
                       {std::string(stallMetric("barrier")), 5.0},
                       {std::string(stallMetric("lg_throttle")), 4.0},
                       {std::string(stallMetric("wait")), 3.0},
                       {std::string(stallMetric("short_scoreboard")), 2.0},
                       {std::string(stallMetric("mio_throttle")), 1.0},
                       {std::string(stallMetric("not_selected")), 1.0},
                       {std::string(stallMetric("math_pipe_throttle")), 0.0}});
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

} // namespace
} // namespace kl
