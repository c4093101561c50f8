// SPDX-License-Identifier: MIT
// Quantities that are known without counters, at their bounds.
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/profiles.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace kl {
namespace {

RunRecord plainRun()
{
    return test::h200Run("transpose/naive", 100, 1e8, 1e9);
}

Value computeQuantity(const char* quantity, const RunRecord& record)
{
    return findQuantity(quantity)->compute(RunFacts(record));
}

TEST(RunQuantities, IncorrectIsOneForWhatIsRefutedOrFailed)
{
    RunRecord record = plainRun();
    EXPECT_EQ(computeQuantity("incorrect", record), 0);
    record.correctness.result = CorrectnessResult::replays;
    EXPECT_EQ(computeQuantity("incorrect", record), 1);
    record.correctness.result = CorrectnessResult::notChecked;
    EXPECT_FALSE(computeQuantity("incorrect", record));
    record.status = ResultStatus::computationFailed;
    EXPECT_EQ(computeQuantity("incorrect", record), 1);
}

TEST(RunQuantities, NoiseNeedsSixSamplesAndIsTheIntervalsWidth)
{
    RunRecord record = plainRun();
    record.timing->gpu = {200, 198, 206, 6};
    EXPECT_DOUBLE_EQ(computeQuantity("noise_percent", record).value_or(0), 4);
    record.timing->gpu.n = 5;
    EXPECT_FALSE(computeQuantity("noise_percent", record));
    record.timing->gpu.n = 6;
    record.program.emplace();
    EXPECT_FALSE(computeQuantity("noise_percent", record)) << "launches of a program may differ in their work";
}

TEST(RunQuantities, ThrottledIsAWarning)
{
    RunRecord record = plainRun();
    EXPECT_EQ(computeQuantity("throttled", record), 0);
    record.warnings.push_back({"unlocked-clock", ""});
    EXPECT_EQ(computeQuantity("throttled", record), 0);
    record.warnings.push_back({"throttled", ""});
    EXPECT_EQ(computeQuantity("throttled", record), 1);
    record.warnings.clear();
    record.timing.reset();
    EXPECT_FALSE(computeQuantity("throttled", record));
}

TEST(RunQuantities, TheTailIsTheEmptyShareOfTheLastWave)
{
    RunRecord record = plainRun();
    const auto tail = [&](double waves) {
        record.launches.front().waves = waves;
        return computeQuantity("tail_cost_percent", record);
    };
    EXPECT_DOUBLE_EQ(tail(1.5).value_or(-1), 25);
    EXPECT_DOUBLE_EQ(tail(2).value_or(-1), 0);
    EXPECT_DOUBLE_EQ(tail(0.5).value_or(-1), 0) << "a single wave has no tail";
    EXPECT_FALSE(tail(0));
}

TEST(RunQuantities, AnUnpaddedTileIsAMultipleOf4096Bytes)
{
    RunRecord record = plainRun();
    const auto unpadded = [&](std::int64_t fixed, std::int64_t dynamic) {
        record.launches.front().staticSmem = fixed;
        record.launches.front().dynamicSmem = dynamic;
        return computeQuantity("unpadded_tile", record);
    };
    EXPECT_EQ(unpadded(0, 0), 0);
    EXPECT_EQ(unpadded(4096, 0), 1);
    EXPECT_EQ(unpadded(2048, 2048), 1);
    EXPECT_EQ(unpadded(4096, 128), 0);
}

TEST(RunQuantities, RatesByFormulaAreOverTheDevicesPeaks)
{
    RunRecord record = plainRun();
    const Peaks peaks = computePeaks(record.device);
    EXPECT_NEAR(computeQuantity("analytic_dram_percent", record).value_or(0), 100 * 1e8 / 100e-6 / *peaks.dram, 1e-9);
    EXPECT_NEAR(computeQuantity("analytic_flops_percent", record).value_or(0), 100 * 1e9 / 100e-6 / *peaks.fp32, 1e-9);
    EXPECT_EQ(computeQuantity("analytic_roof_percent", record),
              std::max(computeQuantity("analytic_dram_percent", record), computeQuantity("analytic_flops_percent", record)));
    record.launches.front().opcodes["mma"] = 0;
    EXPECT_NEAR(computeQuantity("analytic_flops_percent", record).value_or(0), 100 * 1e9 / 100e-6 / *peaks.fp32, 1e-9) << "none of them";
    record.launches.front().opcodes["mma"] = 2;
    EXPECT_NEAR(computeQuantity("analytic_flops_percent", record).value_or(0), 100 * 1e9 / 100e-6 / *peaks.tensorFp16, 1e-9);
    record.launches.front().opcodes.clear();
    record.flops = 2 * *peaks.fp32 * 100e-6;
    EXPECT_NEAR(computeQuantity("analytic_flops_percent", record).value_or(0), 100 * 2 * *peaks.fp32 / *peaks.tensorFp16, 1e-6)
        << "faster than FP32 can be: matrix instructions";
}

TEST(RunQuantities, IntensityIsComparedWithTheRidge)
{
    RunRecord record = plainRun();
    const Peaks peaks = computePeaks(record.device);
    EXPECT_DOUBLE_EQ(computeQuantity("intensity", record).value_or(0), 10);
    EXPECT_NEAR(computeQuantity("intensity_of_ridge", record).value_or(0), 10 / (*peaks.fp32 / *peaks.dram), 1e-9);
    record.flops = 0;
    EXPECT_FALSE(computeQuantity("intensity", record));
    EXPECT_EQ(computeQuantity("intensity_of_ridge", record), 0);
    record.idealBytes = 0;
    EXPECT_FALSE(computeQuantity("intensity_of_ridge", record));
}

TEST(RunQuantities, WhatOneLaunchNeedsIsUnknownForSeveral)
{
    RunRecord record = plainRun();
    EXPECT_TRUE(computeQuantity("needed_dram_percent", record));
    EXPECT_EQ(computeQuantity("launch_count", record), 1);
    EXPECT_EQ(computeQuantity("fusable_launches", record), 1);
    record.launches.push_back(record.launches.front());
    EXPECT_FALSE(computeQuantity("needed_dram_percent", record));
    EXPECT_EQ(computeQuantity("launch_count", record), 2);
    EXPECT_EQ(computeQuantity("fusable_launches", record), 2);
    record.program.emplace();
    EXPECT_FALSE(computeQuantity("fusable_launches", record));
    EXPECT_FALSE(computeQuantity("busy_percent", record));
}

TEST(RunQuantities, BusyIsAPercentageAndTheDurationMicroseconds)
{
    RunRecord record = plainRun();
    record.timing->busyFraction = 0.25;
    EXPECT_DOUBLE_EQ(computeQuantity("busy_percent", record).value_or(0), 25);
    EXPECT_DOUBLE_EQ(computeQuantity("duration_us", record).value_or(0), 100);
    EXPECT_EQ(computeQuantity("counters", record), 0);
}

RunRecord twoLaunches()
{
    RunRecord run = plainRun();
    run.launches.resize(2);
    run.launches[0].entry = "first";
    run.launches[0].gpuNs = 30e3;
    run.launches[1].entry = "second";
    run.launches[1].gpuNs = 70e3;
    return run;
}

TEST(RunFacts, TheLaunchIsTheCountedOneElseTheLongest)
{
    RunRecord run = twoLaunches();
    EXPECT_EQ(RunFacts(run).launch()->entry, "second");
    EXPECT_EQ(RunFacts(run).launchNs(), 70e3);
    EXPECT_FALSE(RunFacts(run).hasCounters());
    run.metrics = MetricSet{};
    run.metrics->launch = "first";
    run.metrics->values = {{"gpu__time_duration.sum", 31e3}, {"odd", std::numeric_limits<double>::quiet_NaN()}, {"gone", std::nullopt}};
    const RunFacts facts(run);
    EXPECT_EQ(facts.launch()->entry, "first");
    EXPECT_EQ(facts.launchNs(), 31e3) << "in the counted pass";
    EXPECT_TRUE(facts.hasCounters());
    run.launches.clear();
    EXPECT_EQ(RunFacts(run).launch(), nullptr);
}

TEST(RunFacts, TheTimeOfOneLaunchIsNotThatOfSeveral)
{
    RunRecord run = twoLaunches();
    EXPECT_EQ(RunFacts(run).sequenceNs(), run.timing->gpu.median);
    for (LaunchFacts& launch : run.launches)
        launch.gpuNs.reset();
    EXPECT_FALSE(RunFacts(run).launchNs()) << "of the sequence's two";
    run.launches.resize(1);
    EXPECT_EQ(RunFacts(run).launchNs(), run.timing->gpu.median);
    run.timing.reset();
    run.metrics = MetricSet{};
    run.metrics->values = {{"gpu__time_duration.sum", 31e3}};
    EXPECT_EQ(RunFacts(run).sequenceNs(), 31e3);
    run.launches.resize(2);
    EXPECT_FALSE(RunFacts(run).sequenceNs()) << "the counted launch is not all of it";
}

TEST(RunFacts, AMetricThatIsMissedIsRememberedOnce)
{
    RunRecord run = plainRun();
    run.metrics = MetricSet{};
    run.metrics->values = {{"lts__t_bytes.sum", std::numeric_limits<double>::infinity()}, {"l1tex__t_sectors.sum", 5.0}};
    const RunFacts facts(run);
    EXPECT_EQ(facts.metric("l1tex__t_sectors.sum"), 5);
    EXPECT_FALSE(facts.takeMissed());
    EXPECT_FALSE(facts.metric("lts__t_bytes.sum")) << "it is not a figure";
    EXPECT_TRUE(facts.takeMissed());
    EXPECT_FALSE(facts.takeMissed());
}

TEST(RunFacts, FiguresThatAreMissingStayMissing)
{
    EXPECT_EQ(quotient(6, 3), 2);
    EXPECT_FALSE(quotient(6, 0));
    EXPECT_FALSE(quotient(6, -3));
    EXPECT_FALSE(quotient({}, 3));
    EXPECT_EQ(sumValues({1, {}, 2}), 3);
    EXPECT_FALSE(sumValues({{}, {}}));
    EXPECT_EQ(findLargest({-2, {}, -1}), -1);
    EXPECT_FALSE(findLargest({}));
    EXPECT_EQ(times(3, 2), 6);
    EXPECT_FALSE(times({}, 2));
}

TEST(RunQuantities, TheNoiseOfExactlySixSamplesIsOne)
{
    RunRecord run = plainRun();
    run.timing->gpu = {100, 95, 105, 6};
    EXPECT_EQ(computeQuantity("noise_percent", run), 10);
    run.timing->gpu.n = 5;
    EXPECT_FALSE(computeQuantity("noise_percent", run));
    run.timing->gpu.n = 6;
    run.program.emplace();
    EXPECT_FALSE(computeQuantity("noise_percent", run)) << "its launches may differ";
}

TEST(RunQuantities, AWholeNumberOfWavesHasNoTail)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.launches[0].waves = 2 + 1e-12;
    EXPECT_NEAR(*computeQuantity("tail_cost_percent", run), 0, 1e-6);
    run.launches[0].waves = 2.5;
    EXPECT_NEAR(*computeQuantity("tail_cost_percent", run), 100 * 0.5 / 3, 1e-9);
    run.launches[0].waves = 0.5;
    EXPECT_EQ(computeQuantity("tail_cost_percent", run), 0);
}

TEST(RunQuantities, LaunchesThatCanBeFusedAreThoseOfOnesOwnSequence)
{
    RunRecord run = twoLaunches();
    EXPECT_EQ(computeQuantity("fusable_launches", run), 2);
    run.imported.emplace();
    EXPECT_FALSE(computeQuantity("fusable_launches", run));
    EXPECT_EQ(computeQuantity("launch_count", run), 2);
    run.imported.reset();
    run.program.emplace();
    EXPECT_FALSE(computeQuantity("fusable_launches", run));
    EXPECT_EQ(computeQuantity("longest_launch_percent", run), 70e3 / run.timing->gpu.median * 100);
}

TEST(RunQuantities, LocalAccessesOfTheCodeAreLoadsAndStores)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.launches[0].opcodes.clear();
    EXPECT_FALSE(computeQuantity("local_opcodes", run)) << "no PTX";
    run.launches[0].opcodes = {{"ld.local", 3}, {"st.local", 4}, {"ld.global", 5}};
    EXPECT_EQ(computeQuantity("local_opcodes", run), 7);
    run.launches[0].registers = 0;
    EXPECT_FALSE(computeQuantity("registers", run)) << "not known";
    run.launches[0].registers = 40;
    EXPECT_EQ(computeQuantity("registers", run), 40);
    run.launches[0].occupancyLimiter = "registers";
    EXPECT_EQ(computeQuantity("limited_by_registers", run), 1);
    EXPECT_EQ(computeQuantity("limited_by_shared_memory", run), 0);
}

TEST(RunQuantities, ChipsWithMatrixInstructionsOfWarpgroups)
{
    RunRecord run = plainRun();
    for (const auto& [major, has] : {std::pair(8, 0), std::pair(9, 1), std::pair(10, 1), std::pair(12, 0)}) {
        run.device.ccMajor = major;
        EXPECT_EQ(computeQuantity("warpgroup_products", run), has) << major;
    }
    run.device.ccMajor = 0;
    EXPECT_FALSE(computeQuantity("warpgroup_products", run));
}

TEST(RunQuantities, TheClockIsAShareOnlyWhereNobodyLockedIt)
{
    RunRecord run = plainRun();
    run.device.clockMhz = 2000;
    run.timing->clockMhz = 1500;
    EXPECT_FALSE(computeQuantity("clock_percent", run));
    run.warnings = {{"clock-unlocked", ""}};
    EXPECT_EQ(computeQuantity("clock_percent", run), 75);
    run.timing->clockMhz.reset();
    run.metrics = MetricSet{};
    run.metrics->clockMhz = 1000;
    EXPECT_EQ(computeQuantity("clock_percent", run), 50);
    run.imported.emplace();
    EXPECT_FALSE(computeQuantity("clock_percent", run));
}

TEST(RunQuantities, OccupancyIsReachedOnlyByALaunchOfAWholeWave)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.launches[0].theoreticalOccupancy = 50;
    run.launches[0].waves = 1;
    run.metrics = MetricSet{};
    run.metrics->values = {{"sm__warps_active.avg.pct_of_peak_sustained_active", 40.0}};
    EXPECT_EQ(computeQuantity("occupancy_reached_percent", run), 80);
    EXPECT_EQ(computeQuantity("occupancy_gap", run), 10);
    run.launches[0].waves = 0.9;
    EXPECT_FALSE(computeQuantity("occupancy_reached_percent", run));
}

TEST(FactsInWords, AreThoseOfTheRegistry)
{
    const RunRecord run = plainRun();
    const RunFacts facts(run);
    for (const char* id : {"worst_access", "dominant_stall", "limiter", "busiest_unit", "invalid_reason"}) {
        EXPECT_TRUE(isFactInWords(id)) << id;
        ASSERT_TRUE(factInWords(id, facts)) << id;
        EXPECT_FALSE(factInWords(id, facts)->empty()) << id;
    }
    EXPECT_FALSE(isFactInWords("noise_percent"));
    EXPECT_FALSE(factInWords("noise_percent", facts));
    EXPECT_EQ(busiestUnit(facts).name, nullptr);
}

TEST(FactsInWords, TheReasonOfAnInvalidRunIsAClauseWithoutItsFullStop)
{
    RunRecord run = plainRun();
    const auto reason = [&] { return *factInWords("invalid_reason", RunFacts(run)); };
    run.status = ResultStatus::computationFailed;
    run.reason = "an illegal address. ";
    EXPECT_EQ(reason(), "an illegal address");
    run.status = ResultStatus::ok;
    run.correctness.result = CorrectnessResult::incorrect;
    run.correctness.reason = "two elements were never written.";
    EXPECT_EQ(reason(), "two elements were never written");
    run.correctness.result = CorrectnessResult::replays;
    run.correctness.witness = Witness{};
    run.correctness.witness->what = "Behind pass 3 the output is an earlier one.";
    EXPECT_NE(reason().find("Behind pass 3 the output is an earlier one"), std::string::npos);
    EXPECT_FALSE(reason().ends_with('.'));
}

TEST(FactsInWords, OfWarningsOnlyThatOfThrottlingMakesARunInvalid)
{
    RunRecord run = plainRun();
    const auto reason = [&] { return *factInWords("invalid_reason", RunFacts(run)); };
    const std::string otherwise = reason();
    run.warnings = {{"clock-unlocked", "The clock is free."}, {"samples-discarded", "Of 100 samples 2 were discarded."}};
    EXPECT_EQ(reason(), otherwise);
    run.warnings.push_back({"throttled", "It was too warm"});
    EXPECT_EQ(reason(), "It was too warm");
}

/// Counted on the GPU: 1,000 blocks of two warps, each of 100 instructions.
RunRecord executedRun()
{
    RunRecord run = plainRun();
    run.idealBytes = 0;
    run.flops = 0;
    run.device.l2Bytes = 1 << 20;
    run.launches.resize(1);
    LaunchFacts& launch = run.launches[0];
    launch.gridBlocks = 1000;
    launch.blockThreads = 33;
    launch.gpuNs = 1e5;
    launch.warp.emplace();
    WarpModel& warp = *launch.warp;
    warp.instructions = 100;
    warp.activeThreads = 32;
    warp.executed = {{"sass.fp32", 10}, {"sass.alu", 10}, {"sass.imad", 5}, {"int", 1},
                     {"setp", 2},       {"bar", 5},       {"ld.local", 2},  {"st.local", 1}};
    warp.loads = {3, 20, 10, 1};
    warp.stores = {2, 10, 5, 0};
    warp.sharedRequests = 3;
    warp.atomicRequests = 1;
    warp.atomicThreads = 24;
    warp.atomicAddresses = 6;
    return run;
}

Value predictedQuantity(const char* quantity, const RunRecord& record)
{
    return findQuantity(quantity)->compute(RunFacts(record, RunFacts::Missing::predict));
}

TEST(ExecutedQuantities, AreSharesOfWhatAWarpExecutes)
{
    RunRecord run = executedRun();
    EXPECT_EQ(computeQuantity("executions_counted", run), 1);
    EXPECT_EQ(computeQuantity("modeled", run), 1);
    EXPECT_EQ(computeQuantity("executed_barrier_percent", run), 5);
    EXPECT_EQ(computeQuantity("executed_int_percent", run), 18);
    EXPECT_EQ(computeQuantity("threads_per_atomic_address", run), 4);
    EXPECT_DOUBLE_EQ(*computeQuantity("executed_local_percent", run), 100.0 * 3 / (3 + 4 + 2 + 1 + 3));
    EXPECT_NEAR(*predictedQuantity("counted_atomic_percent", run), 100.0 / 7, 1e-9) << "of four loads, two stores and the atomic";
    run.launches[0].warp->atomicRequests = 0;
    run.launches[0].warp->atomicAddresses = 0;
    EXPECT_EQ(predictedQuantity("counted_atomic_percent", run), 0);
    EXPECT_FALSE(computeQuantity("threads_per_atomic_address", run));
    run.launches[0].warp->executed = {{"fma.f32", 10}}; // PTX that was run on the host
    EXPECT_EQ(computeQuantity("executions_counted", run), 0);
    EXPECT_FALSE(computeQuantity("executed_local_percent", run));
    EXPECT_FALSE(predictedQuantity("counted_atomic_percent", run));
    run.launches[0].warp->complete = false;
    EXPECT_EQ(computeQuantity("modeled", run), 0);
    run.launches[0].warp->instructions = 0;
    EXPECT_FALSE(computeQuantity("executed_barrier_percent", run));
    run.launches[0].warp.reset();
    EXPECT_FALSE(computeQuantity("executed_int_percent", run));
    EXPECT_EQ(computeQuantity("modeled", run), 0);
    run.launches.clear();
    EXPECT_FALSE(computeQuantity("modeled", run));
    EXPECT_FALSE(computeQuantity("executions_counted", run));
}

TEST(ExecutedQuantities, BytesThatWereTouchedOrRequestedAreOverTheDramPeak)
{
    RunRecord run = executedRun();
    const double perByte = 100 / 1e-4 / *computePeaks(run.device).dram;
    const double touched = 2000.0 * 32 * (20 + 10 + 6);
    EXPECT_NEAR(*computeQuantity("executed_dram_percent", run), touched * perByte, 1e-9);
    EXPECT_NEAR(*computeQuantity("requested_dram_percent", run), 2000.0 * (32 * 15 + 4 * 24) * perByte, 1e-9);
    EXPECT_NEAR(*computeQuantity("analytic_dram_percent", run), touched * perByte, 1e-9) << "without a formula";
    run.launches[0].warp->loads.unknown = 0;
    run.memoryBytes = (1 << 20) + 1;
    EXPECT_NEAR(*computeQuantity("executed_dram_percent", run), ((1 << 20) + 1) * perByte, 1e-9) << "no more than there is";
    run.memoryBytes = 1 << 20;
    EXPECT_EQ(computeQuantity("executed_dram_percent", run), 0) << "all of it fits in L2";
    run.memoryBytes = 1 << 30;
    EXPECT_NEAR(*computeQuantity("executed_dram_percent", run), touched * perByte, 1e-9);
    run.launches[0].warp->executed["tma"] = 1;
    EXPECT_NEAR(*computeQuantity("executed_dram_percent", run), (1 << 30) * perByte, 1e-6) << "tensor copies hide what they touch";
    run.launches[0].warp->executed.erase("tma");
    run.launches[0].warp->stores.unknown = 1;
    EXPECT_NEAR(*computeQuantity("executed_dram_percent", run), (1 << 30) * perByte, 1e-6);
    run.idealBytes = 1e6;
    EXPECT_FALSE(computeQuantity("executed_dram_percent", run)) << "the formula knows";
    run = executedRun();
    run.metrics = MetricSet{};
    run.metrics->values = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 1.0}};
    EXPECT_FALSE(computeQuantity("executed_dram_percent", run)) << "counters know";
}

TEST(ExecutedQuantities, MemoryWithinAProgramsReachIsTouchedOnceAtMost)
{
    RunRecord run = executedRun();
    run.memoryBytes = (1 << 20) + 1;
    EXPECT_FALSE(computeQuantity("reach_dram_percent", run)) << "no program's kernel";
    run.program.emplace();
    EXPECT_NEAR(*computeQuantity("reach_dram_percent", run), ((1 << 20) + 1) * 100 / 1e-4 / *computePeaks(run.device).dram, 1e-9);
    run.memoryBytes = 1 << 20;
    EXPECT_EQ(computeQuantity("reach_dram_percent", run), 0);
    run.device.l2Bytes = 0;
    EXPECT_FALSE(computeQuantity("reach_dram_percent", run));
}

TEST(ExecutedQuantities, WithoutAFormulaThePipesStandForTheFlops)
{
    RunRecord run = executedRun();
    const auto flops = [&] { return predictedQuantity("analytic_flops_percent", run); };
    run.launches[0].warp->executed = {{"sass.fp32", 50}, {"sass.fp64", 40}};
    const RunFacts facts(run, RunFacts::Missing::predict);
    EXPECT_EQ(flops(), facts.metric("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")) << "the busier one";
    run.launches[0].warp->executed = {{"sass.fp32", 50}, {"sass.hmma.16816", 1}};
    const RunFacts matrix(run, RunFacts::Missing::predict);
    EXPECT_EQ(flops(), matrix.metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"));
    run.launches[0].warp->executed = {{"fma.f32", 50}};
    EXPECT_FALSE(flops()) << "nothing was counted";
}

TEST(ExperimentQuantities, AreTheRatiosOfTheirExperiments)
{
    RunRecord run = plainRun();
    for (const char* id : {"half_occupancy_ratio", "half_grid_ratio", "small_l1_ratio", "hot_over_cold"})
        EXPECT_FALSE(computeQuantity(id, run)) << id;
    run.experiments = {{"half-occupancy", "", 1.5, 10, ""}, {"half-grid", "", 0.5, 10, ""}, {"small-l1", "", 1.25, 10, ""}};
    EXPECT_EQ(computeQuantity("half_occupancy_ratio", run), 1.5);
    EXPECT_EQ(computeQuantity("half_grid_ratio", run), 0.5);
    EXPECT_EQ(computeQuantity("small_l1_ratio", run), 1.25);
    run.timing->gpu = {200, 199, 201, 10};
    run.timing->gpuHot = 150;
    EXPECT_EQ(computeQuantity("hot_over_cold", run), 0.75);
}

TEST(OpcodeQuantities, AreSharesOfTheCode)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.launches[0].opcodes.clear();
    EXPECT_FALSE(computeQuantity("fp64_opcode_percent", run));
    run.launches[0].opcodes = {{"fma.f64", 1}, {"xu", 2},  {"int", 3}, {"mma", 4},     {"wgmma", 4},
                               {"tcgen05", 2}, {"bar", 5}, {"tma", 6}, {"fma.f32", 23}};
    EXPECT_EQ(computeQuantity("fp64_opcode_percent", run), 2);
    EXPECT_EQ(computeQuantity("xu_opcode_percent", run), 4);
    EXPECT_EQ(computeQuantity("int_opcode_percent", run), 6);
    EXPECT_EQ(computeQuantity("matrix_opcode_percent", run), 20);
    EXPECT_EQ(computeQuantity("mma_sync_percent", run), 40);
    EXPECT_EQ(computeQuantity("barrier_share_percent", run), 10);
    EXPECT_EQ(computeQuantity("tensor_copy_opcodes", run), 6);
    EXPECT_TRUE(isMatrixOpcode("sass.gmma.64"));
    EXPECT_FALSE(isMatrixOpcode("fma.f32"));
    EXPECT_FALSE(isMatrixOpcode("sass.fp32"));
    run.metrics = MetricSet{};
    run.metrics->values = {{"sm__inst_executed_pipe_tensor_op_hmma.sum", 0.0}, {"sm__inst_executed_pipe_tensor_op_gmma.sum", 0.0}};
    EXPECT_FALSE(computeQuantity("mma_sync_percent", run)) << "there are none";
    run.metrics->values["sm__inst_executed_pipe_tensor_op_hmma.sum"] = 10.0;
    EXPECT_EQ(computeQuantity("mma_sync_percent", run), 100);
    run.metrics->values["sm__inst_executed_pipe_tensor_op_gmma.sum"] = 40.0;
    EXPECT_EQ(computeQuantity("mma_sync_percent", run), 0) << "never below none";
    run.metrics->values = {{"sm__inst_executed_pipe_tensor_op_hgmma_f16.sum", 3.0}};
    EXPECT_EQ(computeQuantity("mma_sync_percent", run), 0) << "a report's name of them";
}

TEST(RunFacts, ATimingOfNothingIsNone)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.launches[0].gpuNs.reset();
    run.metrics = MetricSet{};
    run.metrics->values = {{"gpu__time_duration.sum", 31e3}};
    for (const Summary& none : {Summary{0, 0, 0, 5}, Summary{100, 100, 100, 0}}) {
        run.timing->gpu = none;
        EXPECT_EQ(RunFacts(run).sequenceNs(), 31e3);
    }
    run.metrics->values = {{"gpu__time_duration.sum", 0.0}};
    run.launches[0].gpuNs = 7e3;
    EXPECT_EQ(RunFacts(run).launchNs(), 7e3);
    run.timing->gpu = {0, 0, 0, 6};
    EXPECT_FALSE(computeQuantity("noise_percent", run));
}

TEST(RunQuantities, MultiprocessorsWithABlockAreAtMostAll)
{
    RunRecord run = plainRun();
    run.launches.resize(1);
    run.device.smCount = 132;
    const auto covered = [&](std::int64_t blocks) {
        run.launches[0].gridBlocks = blocks;
        return computeQuantity("sm_coverage_percent", run);
    };
    EXPECT_EQ(covered(66), 50);
    EXPECT_EQ(covered(264), 100);
    EXPECT_FALSE(covered(0));
    run.device.smCount = 0;
    EXPECT_FALSE(covered(66));
    run.launches[0].localBytes = 48;
    EXPECT_EQ(computeQuantity("local_bytes", run), 48);
    run.launches[0].clusterBlocks = 4;
    EXPECT_EQ(computeQuantity("cluster_blocks", run), 4);
    run.speedup = 1.5;
    EXPECT_EQ(computeQuantity("speedup", run), 1.5);
}

} // namespace
} // namespace kl
