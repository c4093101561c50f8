// SPDX-License-Identifier: MIT
// Formulas of the quantities of memory accesses, at their bounds; what each quantity of several metrics needs.
#include "core/device/metric_name.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/counted_launch.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::test {
namespace {

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
    const std::string words = *factInWords("worst_access", RunFacts(run));
    EXPECT_TRUE(words.starts_with("stores: 32 ")) << words;
    EXPECT_NE(words.find(" 4 "), std::string::npos) << words;
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

TEST(MemoryQuantities, WasteBeginsAboveSixteenSectorsAndUsefulBytesGoFirst)
{
    EXPECT_EQ(computed(countedRun({{kSectorsPerLoad, 16.5}}), "excess_sectors_percent"), 0);
    EXPECT_NEAR(*computed(countedRun({{kSectorsPerLoad, 16.6}}), "excess_sectors_percent"), 100 * (1 - 4 / 16.6), 1e-9);
    EXPECT_EQ(computed(countedRun({{kUsefulLoad, 25.0}}), "excess_sectors_percent"), 75) << "sectors were not counted";
    EXPECT_EQ(computed(countedRun({{kUsefulLoad, 125.0}, {kSectorsPerLoad, 8.0}}), "excess_sectors_percent"), 0) << "never below none";
    EXPECT_FALSE(computed(countedRun({{kUsefulLoad, 0.0}}), "excess_sectors_percent"));
    EXPECT_FALSE(computed(countedRun({}), "excess_sectors_percent"));
    EXPECT_FALSE(sectorWaste(RunFacts(countedRun({}))));
    EXPECT_EQ(valueText(*factInWords("worst_access", RunFacts(countedRun({}))) + ' '), "\"\"") << "no figure";
    const RunRecord loads = countedRun({{kUsefulLoad, 25.0}});
    ASSERT_TRUE(sectorWaste(RunFacts(loads)));
    EXPECT_FALSE(sectorWaste(RunFacts(loads))->stores);
    EXPECT_EQ(valueText(*factInWords("worst_access", RunFacts(loads))), "\"75\"");
}

TEST(MemoryQuantities, SnapshotOfTheWorstAccess)
{
    std::string text;
    for (const RunRecord& run : {countedRun({}), countedRun({{kUsefulLoad, 25.0}}), countedRun({{kSectorsPerLoad, 32.0}})})
        text += *factInWords("worst_access", RunFacts(run)) + '\n';
    expectSnapshot("texts/worst-access.txt", text);
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

} // namespace
} // namespace kl::test
