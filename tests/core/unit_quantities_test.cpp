// SPDX-License-Identifier: MIT
// Which metric each quantity reads, and that none of the units is left out where several are compared.
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/profiles.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

using MetricValues = std::map<std::string, std::optional<double>>;

const std::string kSmShare = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kMemoryShare = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kDramShareOfPeak = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kL2ShareOfPeak = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kL1ShareOfPeak = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kTensorPipe = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
const std::string kFp32Pipe = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
const std::string kFp64Pipe = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active";
const std::string kXuPipe = "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active";
const std::string kAluPipe = "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active";
const std::string kIssueShare = "sm__inst_issued.avg.pct_of_peak_sustained_elapsed";

const std::vector<std::string> kPipes{kTensorPipe, kFp32Pipe, kFp64Pipe, kXuPipe, kAluPipe};

RunRecord runWith(MetricValues values)
{
    RunRecord run = test::h200Run("user/k", 100, 0);
    run.metrics.emplace();
    run.metrics->values = std::move(values);
    return run;
}

Value computeQuantity(const std::string& id, const RunRecord& run)
{
    return findQuantity(id)->compute(RunFacts(run));
}

/// All nine units at 10 %, and one at 70.
MetricValues unitsWith(const std::string& busiest)
{
    MetricValues values{{kDramShareOfPeak, 10.0}, {kL2ShareOfPeak, 10.0}, {kL1ShareOfPeak, 10.0}, {kIssueShare, 10.0}};
    for (const std::string& pipe : kPipes)
        values[pipe] = 10.0;
    values[busiest] = 70.0;
    return values;
}

TEST(MetricQuantities, EachReadsItsOwnMetricAndNoOther)
{
    const std::map<std::string, std::string> metrics{{"compute_sol_percent", kSmShare},
                                                     {"memory_sol_percent", kMemoryShare},
                                                     {"dram_percent", kDramShareOfPeak},
                                                     {"l2_percent", kL2ShareOfPeak},
                                                     {"l1_percent", kL1ShareOfPeak},
                                                     {"tensor_percent", kTensorPipe},
                                                     {"achieved_occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active"},
                                                     {"issue_percent", kIssueShare},
                                                     {"fma_pipe_percent", kFp32Pipe},
                                                     {"fp64_pipe_percent", kFp64Pipe},
                                                     {"xu_pipe_percent", kXuPipe},
                                                     {"alu_pipe_percent", kAluPipe},
                                                     {"lsu_pipe_percent", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"},
                                                     {"threads_per_warp", "smsp__thread_inst_executed_per_inst_executed.ratio"},
                                                     {"threads_on_per_warp", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"}};
    for (const auto& [id, metric] : metrics) {
        EXPECT_EQ(computeQuantity(id, runWith({{metric, 42.0}})), 42) << id;
        MetricValues others;
        for (const auto& [other, name] : metrics)
            if (other != id)
                others[name] = 42.0;
        EXPECT_FALSE(computeQuantity(id, runWith(others))) << id;
    }
    EXPECT_DOUBLE_EQ(*computeQuantity("issue_slots_percent", runWith({{"smsp__issue_active.avg.per_cycle_active", 0.42}})), 42);
}

TEST(UnitShares, EachMayBeTheBusiest)
{
    const std::vector<std::pair<std::string, std::string>> units{
        {"DRAM", kDramShareOfPeak},           {"L2", kL2ShareOfPeak},         {"L1", kL1ShareOfPeak},
        {"the tensor pipe", kTensorPipe},     {"the FP32 pipe", kFp32Pipe},   {"the FP64 pipe", kFp64Pipe},
        {"the transcendental pipe", kXuPipe}, {"the integer pipe", kAluPipe}, {"instruction issue", kIssueShare}};
    for (const auto& [name, metric] : units) {
        const RunRecord run = runWith(unitsWith(metric));
        EXPECT_EQ(busiestUnit(RunFacts(run)).name, name);
        EXPECT_EQ(computeQuantity("busiest_percent", run), 70) << name;
        EXPECT_EQ(computeQuantity("units_near_roof", run), 1) << name;
        EXPECT_EQ(computeQuantity("known_units", run), 9) << name;
        EXPECT_EQ(computeQuantity("unmeasured_units", run), 0) << name;
        for (const auto& [unit, lead] : {std::pair("DRAM", "dram_lead"), std::pair("L2", "l2_lead"), std::pair("L1", "l1_lead")})
            EXPECT_EQ(computeQuantity(lead, run), name == unit ? 60 : -60) << lead << " where " << name << " is busy";
        RunRecord lacking = run;
        lacking.metrics->values.erase(metric);
        EXPECT_EQ(computeQuantity("known_units", lacking), 8) << name;
        EXPECT_EQ(computeQuantity("unmeasured_units", lacking), 1) << name;
    }
}

TEST(UnitShares, IssueIsSetAgainstEachPipeAndEachLevelOfMemory)
{
    for (const std::string& pipe : kPipes) {
        MetricValues values = unitsWith(pipe);
        values[kIssueShare] = 90.0;
        EXPECT_EQ(computeQuantity("issue_lead", runWith(values)), 20) << pipe;
        EXPECT_EQ(computeQuantity("issue_over_memory", runWith(values)), 80) << pipe;
    }
    for (const std::string& level : {kDramShareOfPeak, kL2ShareOfPeak, kL1ShareOfPeak}) {
        MetricValues values = unitsWith(level);
        values[kIssueShare] = 90.0;
        EXPECT_EQ(computeQuantity("issue_lead", runWith(values)), 80) << level;
        EXPECT_EQ(computeQuantity("issue_over_memory", runWith(values)), 20) << level;
        EXPECT_EQ(computeQuantity("memory_unit_percent", runWith(values)), 70) << level;
    }
}

TEST(UnitShares, MemoryIsSetAgainstEachPipeAndIssue)
{
    std::vector<std::string> work = kPipes;
    work.push_back(kIssueShare);
    for (const std::string& unit : work) {
        MetricValues values = unitsWith(unit);
        values[kL1ShareOfPeak] = 95.0;
        values[kDramShareOfPeak] = 80.0;
        values[kSmShare] = 99.0; // counts the load/store pipe, too
        EXPECT_EQ(computeQuantity("memory_over_compute", runWith(values)), 25) << unit;
        EXPECT_EQ(computeQuantity("dram_over_compute", runWith(values)), 10) << unit;
        values.erase(kFp32Pipe);
        EXPECT_EQ(computeQuantity("dram_over_compute", runWith(values)), -19) << "where the pipes are not known";
    }
}

TEST(UnitShares, OverTheWholeTimePipesOfActiveMultiprocessorsDoNotCount)
{
    MetricValues low;
    for (const std::string& unit : {kSmShare, kDramShareOfPeak, kL2ShareOfPeak, kL1ShareOfPeak, kTensorPipe, kIssueShare})
        low[unit] = 10.0;
    for (const auto& [unit, share] : MetricValues(low)) {
        MetricValues values = low;
        values[unit] = 70.0;
        EXPECT_EQ(computeQuantity("busiest_elapsed_percent", runWith(values)), 70) << unit;
    }
    for (const std::string& pipe : {kFp32Pipe, kFp64Pipe, kXuPipe, kAluPipe})
        low[pipe] = 90.0;
    EXPECT_EQ(computeQuantity("busiest_elapsed_percent", runWith(low)), 10);
}

TEST(InstructionQuantities, AddAllKindsOfFp32AndFp64)
{
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const double all = 128.0 * 132; // lanes of an H200
    for (const char* kind : {"fadd", "fmul", "ffma"}) {
        const std::string name = op + kind + "_pred_on.sum";
        EXPECT_DOUBLE_EQ(
            *computeQuantity("fp32_of_fma_percent", runWith({{name, 50 * all}, {"gpc__cycles_elapsed.max", 100.0}, {kFp32Pipe, 100.0}})),
            50)
            << kind;
        EXPECT_DOUBLE_EQ(*computeQuantity("fp32_of_fma_percent", runWith({{name + ".per_cycle_elapsed", all / 4}, {kFp32Pipe, 50.0}})), 50)
            << kind << " of a report that has rates";
        for (const char* wide : {"dadd", "dmul", "dfma"})
            EXPECT_DOUBLE_EQ(*computeQuantity("fp64_share_percent", runWith({{name, 30.0}, {op + wide + "_pred_on.sum", 10.0}})), 25)
                << kind << ' ' << wide;
        EXPECT_FALSE(computeQuantity("fp64_share_percent", runWith({{name, 30.0}}))) << "FP64 was not counted";
    }
}

TEST(OpcodeQuantities, ProductsOfWarpsAreThoseOfHalvesAndIntegersInMachineCodeToo)
{
    RunRecord run = test::h200Run("user/k", 100, 0);
    run.launches.resize(1);
    run.launches[0].opcodes.clear();
    for (const auto& [name, count] : {std::pair("sass.hmma.16816", 1), std::pair("sass.imma.16832", 2), std::pair("sass.dmma.884", 3),
                                      std::pair("sass.gmma.64", 4), std::pair("sass.fp32", 10)})
        run.launches[0].opcodes[name] = count;
    EXPECT_EQ(computeQuantity("matrix_opcode_percent", run), 50);
    EXPECT_EQ(computeQuantity("mma_sync_percent", run), 30);
    run.launches[0].opcodes = {{"sass.fp32", 10}};
    EXPECT_EQ(computeQuantity("matrix_opcode_percent", run), 0);
    EXPECT_FALSE(computeQuantity("mma_sync_percent", run)) << "there are no products";
}

TEST(LaunchQuantities, OfTheLaunchAreInTheirUnits)
{
    RunRecord run = test::h200Run("user/k", 100, 1e8, 1e9);
    run.launches.resize(1);
    run.launches[0].gpuNs = 50e3;
    run.launches[0].theoreticalOccupancy = 37.5;
    run.launches[0].waves = 1.25;
    EXPECT_EQ(computeQuantity("launch_us", run), 50);
    EXPECT_EQ(computeQuantity("duration_us", run), 100);
    EXPECT_EQ(computeQuantity("theoretical_occupancy_percent", run), 37.5);
    EXPECT_EQ(computeQuantity("waves", run), 1.25);
    EXPECT_NEAR(*computeQuantity("needed_dram_percent", run), 100 * 1e8 / 50e-6 / *computePeaks(run.device).dram, 1e-9);
    EXPECT_NEAR(*computeQuantity("analytic_dram_percent", run), 100 * 1e8 / 100e-6 / *computePeaks(run.device).dram, 1e-9);
    EXPECT_EQ(computeQuantity("longest_launch_percent", run), 50);
    run.launches[0].occupancyLimiter = "shared memory";
    EXPECT_EQ(computeQuantity("limited_by_shared_memory", run), 1);
    EXPECT_EQ(computeQuantity("limited_by_registers", run), 0);
    run.launches[0].theoreticalOccupancy = 0;
    EXPECT_FALSE(computeQuantity("theoretical_occupancy_percent", run)) << "not known";
    EXPECT_EQ(computeQuantity("counters", run), 0);
    EXPECT_EQ(computeQuantity("counters", runWith({{kSmShare, 1.0}})), 1);
    run.launches.clear();
    EXPECT_FALSE(computeQuantity("counters", run));
}

TEST(UnitQuantities, TheClockOfAProgramIsFree)
{
    RunRecord run = test::h200Run("user/k", 100, 0);
    run.warnings.clear();
    run.device.clockMhz = 1980;
    run.timing->clockMhz = 990;
    EXPECT_FALSE(computeQuantity("clock_percent", run)) << "somebody may have locked it";
    run.program.emplace();
    EXPECT_EQ(computeQuantity("clock_percent", run), 50);
    run.metrics.emplace();
    run.metrics->clockMhz = 1980;
    EXPECT_EQ(computeQuantity("clock_percent", run), 50) << "the timing's goes first";
}

TEST(RunFacts, WithoutTheCountedLaunchItIsTheFirstOfTheLongest)
{
    RunRecord run = test::h200Run("user/k", 100, 0);
    run.launches.assign(3, {});
    for (std::size_t i = 0; i < 3; ++i)
        run.launches[i].entry = std::string(1, static_cast<char>('a' + i));
    const auto findEntry = [](const RunRecord& record) { return RunFacts(record).launch()->entry; };
    EXPECT_EQ(findEntry(run), "a") << "no time is known";
    run.launches[1].gpuNs = 5;
    run.launches[2].gpuNs = 5;
    EXPECT_EQ(findEntry(run), "b");
    run.metrics.emplace();
    run.metrics->launch = "c";
    EXPECT_EQ(findEntry(run), "c");
    run.metrics->launch = "none of them";
    EXPECT_EQ(findEntry(run), "b");
    run.metrics->launch = "a";
    run.launches[1].entry = "a";
    EXPECT_FALSE(RunFacts(run).launch()->gpuNs) << "the first of two of that name";
}

} // namespace
} // namespace kl
