// SPDX-License-Identifier: MIT
// The tree on runs with the figures of real kernels: no finding contradicts the busiest unit, and each has a leading reason.
#include "core/device/metric_catalog.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace kl::speed_of_light {
namespace {

using Metrics = std::map<std::string, double>;

constexpr const char* kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kL2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kL1 = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kTensor = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kFma = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
constexpr const char* kAlu = "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active";
constexpr const char* kIssue = "sm__inst_issued.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kIssueActive = "smsp__issue_active.avg.per_cycle_active";
constexpr const char* kLatency = "smsp__average_warp_latency_per_inst_issued.ratio";
constexpr const char* kUsefulLoads = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
constexpr const char* kReds = "smsp__sass_inst_executed_op_global_red.sum";
const std::string kLong(stallMetric("long_scoreboard"));
const std::string kNotSelected(stallMetric("not_selected"));
const std::string kMio(stallMetric("mio_throttle"));

/// A kernel of a program: every unit counted and idle, coalesced loads and stores of 1 GB each, eight full waves, 100 us; then `changes`.
RunRecord fieldRun(const Metrics& changes, double waves = 8)
{
    RunRecord run = test::h200Run("program/x", 100, 0);
    run.program.emplace();
    run.device.clockMhz = 1980;
    LaunchFacts launch;
    launch.entry = "x";
    launch.blockThreads = 256;
    launch.blocksPerSm = 8;
    launch.waves = waves;
    launch.gridBlocks = static_cast<std::int64_t>(waves * 8 * 132);
    launch.theoreticalOccupancy = 100;
    launch.registers = 32;
    run.launches = {launch};
    MetricSet metrics;
    metrics.launch = "x";
    for (const char* unit : {kDram, kL2, kL1, kTensor, kFma, kAlu, "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
                             "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", kIssue})
        metrics.values[unit] = 5;
    const Metrics usual{{"gpu__time_duration.sum", 100e3},
                        {"gpc__cycles_elapsed.max", 198e3},
                        {kIssueActive, 0.05},
                        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 10},
                        {"sm__warps_active.avg.pct_of_peak_sustained_active", 90},
                        {"smsp__thread_inst_executed_per_inst_executed.ratio", 32},
                        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4},
                        {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 4},
                        {kUsefulLoads, 100},
                        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 100},
                        {"smsp__sass_inst_executed_op_global_ld.sum", 8e6},
                        {"smsp__sass_inst_executed_op_global_st.sum", 8e6},
                        {"smsp__sass_inst_executed_op_global.sum", 16e6},
                        {"smsp__sass_inst_executed_op_global_atom.sum", 0},
                        {kReds, 0},
                        {"smsp__sass_inst_executed_op_local_ld.sum", 0},
                        {"smsp__sass_inst_executed_op_local_st.sum", 0},
                        {"smsp__sass_inst_executed_op_shared.sum", 0},
                        {"l1tex__t_sectors.sum", 64e6},
                        {"lts__t_bytes.sum", 2e9},
                        {"dram__bytes_read.sum", 1e9},
                        {"dram__bytes_write.sum", 1e9},
                        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0},
                        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 0},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
                        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1e8},
                        {kLatency, 20},
                        {kLong, 8},
                        {kNotSelected, 1}};
    for (const StallReason& reason : stallReasons())
        metrics.values[std::string(stallMetric(reason))] = 0.2;
    for (const Metrics* set : {&usual, &changes})
        for (const auto& [name, value] : *set)
            metrics.values[name] = value;
    run.metrics = std::move(metrics);
    return run;
}

const DiagnosisTree& builtInTree()
{
    static const DiagnosisTree embedded = *DiagnosisTree::loadEmbedded();
    return embedded;
}

Finding diagnoseRun(const RunRecord& run)
{
    return builtInTree().diagnose(run, {}).finding;
}

bool offers(const Finding& finding, const char* fix)
{
    return std::ranges::find(finding.fixes, fix, &Fix::id) != finding.fixes.end();
}

TEST(SpeedOfLight, AProductAtTheTensorRoofIsTensorBoundThoughL1FeedsIt)
{
    const RunRecord run = fieldRun({{kTensor, 93.6},
                                    {kL1, 94.8},
                                    {kL2, 50},
                                    {kDram, 20},
                                    {kIssue, 20},
                                    {kIssueActive, 0.2},
                                    {"sm__inst_executed_pipe_tensor_op_hmma.sum", 1e6},
                                    {"sm__inst_executed_pipe_tensor_op_gmma.sum", 1e6}});
    const Finding finding = diagnoseRun(run);
    EXPECT_EQ(finding.classId, "tensor-bound") << finding.title;
    ASSERT_FALSE(finding.path.empty());
    EXPECT_EQ(finding.path.back(), (PathEntry{"tensor", "tensor_percent", 93.6, 85, ">=", true})) << "near its roof: " << finding.title;
    EXPECT_NE(finding.title.find("93.6"), std::string::npos) << finding.title;
    EXPECT_FALSE(offers(finding, "wgmma")) << "it uses them";
    ASSERT_TRUE(finding.estimate);
    EXPECT_NEAR(finding.estimate->runtimeReduction, 0.064, 1e-9) << "what is left";
}

TEST(SpeedOfLight, ExcessThatL1CatchesDoesNotCountWhereDramLimits)
{
    // Three quarters of L1's sectors are excess, and hit there: DRAM moves what was asked for.
    const Metrics layerNorm{{kDram, 81},
                            {kL2, 60},
                            {kL1, 55},
                            {kUsefulLoads, 25},
                            {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 16},
                            {"l1tex__t_sectors.sum", 160e6},
                            {"dram__bytes_read.sum", 1e9},
                            {"dram__bytes_write.sum", 0.9e9}};
    EXPECT_EQ(diagnoseRun(fieldRun(layerNorm)).classId, "dram-bound");
    Metrics structures = layerNorm; // the same excess, fetched from DRAM: most of its traffic is waste
    structures["dram__bytes_read.sum"] = 8e9;
    structures["lts__t_bytes.sum"] = 9e9;
    const Finding finding = diagnoseRun(fieldRun(structures));
    EXPECT_EQ(finding.classId, "uncoalesced") << finding.title;
    EXPECT_TRUE(offers(finding, "coalesce-accesses"));
}

TEST(SpeedOfLight, AtomicsThatQueueUpAreNoSmallGrid)
{
    const Finding finding = diagnoseRun(fieldRun({{kReds, 8e6}, {"smsp__sass_inst_executed_op_global.sum", 24e6}, {kIssue, 2}}, 0.5));
    EXPECT_EQ(finding.classId, "atomics") << finding.title;
    EXPECT_EQ(diagnoseRun(fieldRun({{kIssue, 4}, {kIssueActive, 0.04}}, 0.5)).classId, "small-grid") << "without them it is";
}

TEST(SpeedOfLight, WithoutAUnitNearItsRoofTheLeadingReasonIsTold)
{
    const Finding softmax = diagnoseRun(fieldRun(
        {{kDram, 41}, {kIssue, 54}, {kIssueActive, 0.56}, {kFma, 25}, {kAlu, 30}, {kLong, 5}, {kNotSelected, 6}, {kL1, 35}, {kL2, 35}}));
    EXPECT_EQ(softmax.classId, "issue-bound") << softmax.title;
    EXPECT_FALSE(softmax.fixes.empty());
    const Finding randn = diagnoseRun(fieldRun({{kDram, 35}, {kIssue, 77}, {kIssueActive, 0.79}, {kFma, 45}, {kAlu, 50}}));
    EXPECT_EQ(randn.classId, "issue-bound") << randn.title;
    EXPECT_GE(randn.confidence, 0.8);
    const Finding leading =
        diagnoseRun(fieldRun({{kDram, 66}, {kIssue, 60}, {kIssueActive, 0.6}, {kLong, 4}, {kNotSelected, 5}, {kL2, 50}}));
    EXPECT_EQ(leading.classId, "balanced") << leading.title << ": two units are near their roofs";
    const Finding dram = diagnoseRun(fieldRun({{kDram, 66}, {kIssue, 50}, {kIssueActive, 0.5}, {kLong, 4}, {kNotSelected, 5}, {kL2, 50}}));
    EXPECT_EQ(dram.classId, "dram-bound") << dram.title;
}

TEST(SpeedOfLight, WithoutCountersAKernelOfAProgramIsNotMeasured)
{
    RunRecord run = fieldRun({});
    run.metrics.reset();
    const Finding finding = diagnoseRun(run);
    EXPECT_EQ(finding.classId, "not-measured") << finding.title;
    EXPECT_TRUE(finding.inferred);
    EXPECT_TRUE(offers(finding, "measure-more"));
}

TEST(SpeedOfLight, AUnitWithoutCountersMayBeTheLimit)
{
    // A details page of a product: its tensor pipe is not in the file.
    RunRecord run = fieldRun({{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 85}, {kDram, 20}, {kL2, 30}});
    for (const char* metric : {kTensor, kFma, kAlu, kL1})
        run.metrics->values.erase(metric);
    const Finding finding = diagnoseRun(run);
    EXPECT_EQ(finding.classId, "not-measured") << finding.title;
}

TEST(SpeedOfLight, GapsBetweenAProgramsLaunchesAreNotItsKernelsFinding)
{
    RunRecord run = fieldRun({{kDram, 88}, {kL2, 60}});
    run.timing.emplace();
    run.timing->gpu = {38'000, 37'900, 38'100, 20};
    run.timing->busyFraction = 0.1;
    EXPECT_EQ(diagnoseRun(run).classId, "dram-bound");
    run.program.reset();
    EXPECT_EQ(diagnoseRun(run).classId, "launch-overhead") << "a sequence of its own is what waits";
}

TEST(SpeedOfLight, UnevenBlocksAreToldApartFromAFewBlocks)
{
    // 132 blocks of uneven work: a multiprocessor has work for a third of the time. 66 equal ones: for half of it, as their number says.
    const Metrics uneven{{kIssue, 10}, {kIssueActive, 0.30}, {kFma, 30}};
    RunRecord run = fieldRun(uneven, 132.0 / (8 * 132));
    const Finding finding = diagnoseRun(run);
    EXPECT_EQ(finding.classId, "load-imbalance") << finding.title;
    EXPECT_NEAR(finding.estimate->runtimeReduction, 2.0 / 3, 1e-6);
    const Metrics few{{kIssue, 10}, {kIssueActive, 0.20}, {kFma, 20}};
    EXPECT_EQ(diagnoseRun(fieldRun(few, 66.0 / (8 * 132))).classId, "small-grid");
    EXPECT_EQ(diagnoseRun(fieldRun(uneven, 8)).classId, "load-imbalance") << "in a grid of many waves, too";
}

TEST(SpeedOfLight, ShufflesThatFillTheirQueueAreMioBound)
{
    const Finding finding = diagnoseRun(fieldRun({{kMio, 12}, {kLong, 1}, {kL1, 62}, {kIssue, 40}, {kIssueActive, 0.4}, {kFma, 20}}));
    EXPECT_EQ(finding.classId, "mio-bound") << finding.title;
    EXPECT_NEAR(finding.estimate->runtimeReduction, (12 + 0.2) / 20, 1e-9);
}

TEST(SpeedOfLight, ThreeFullIssueSlotsAreNoPipe)
{
    EXPECT_EQ(diagnoseRun(fieldRun({{kIssue, 98},
                                    {kIssueActive, 0.99},
                                    {kFma, 67},
                                    {kAlu, 67},
                                    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2.2e9}}))
                  .classId,
              "issue-bound");
    EXPECT_EQ(diagnoseRun(fieldRun({{kIssue, 90}, {kIssueActive, 0.9}, {kAlu, 95}})).classId, "int-bound");
}

TEST(SpeedOfLight, AClockBelowItsDefaultUnderLoadIsReportedWithItsCost)
{
    RunRecord run = fieldRun({{kTensor, 93}, {kL1, 90}});
    run.metrics->clockMhz = 1485;
    const auto power = [&] {
        const Diagnosis diagnosis = builtInTree().diagnose(run, {});
        EXPECT_EQ(diagnosis.finding.classId, "tensor-bound");
        const auto found = std::ranges::find(diagnosis.secondary, "power-limited", &Finding::classId);
        return found == diagnosis.secondary.end() ? std::nullopt : std::optional(*found);
    };
    ASSERT_TRUE(power());
    EXPECT_NEAR(power()->estimate->runtimeReduction, 0.25, 1e-9);
    run.metrics->clockMhz = 1965;
    EXPECT_FALSE(power());
    run.metrics->clockMhz = 1485;
    run.imported.emplace(); // other tools lock the clocks
    run.program.reset();
    EXPECT_FALSE(power());
}

TEST(SpeedOfLight, FusionIsNotOfferedToAKernelThatIsAlone)
{
    RunRecord run = fieldRun({{kDram, 88}, {kL2, 60}});
    EXPECT_TRUE(offers(diagnoseRun(run), "fuse-kernels")) << "a program has kernels around it";
    run.program.reset();
    EXPECT_FALSE(offers(diagnoseRun(run), "fuse-kernels"));
}

TEST(SpeedOfLight, NoFindingContradictsAUnitNearItsRoof)
{
    const std::map<const char*, std::string> units{{kDram, "dram-bound"}, {kL2, "l2-bound"}, {kL1, "l1-bound"}, {kTensor, "tensor-bound"}};
    for (const auto& [unit, classId] : units)
        for (const double share : {80.0, 90.0, 97.0})
            for (const double waves : {0.9, 1.1, 8.0})
                EXPECT_EQ(diagnoseRun(fieldRun({{unit, share}}, waves)).classId, classId) << unit << ' ' << share << ' ' << waves;
}

} // namespace
} // namespace kl::speed_of_light
