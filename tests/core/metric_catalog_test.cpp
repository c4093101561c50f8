// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/run_figures.h"
#include "core/diagnosis/quantities.h"
#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace kl {
namespace {

RunRecord withoutMetrics(RunRecord run)
{
    run.metrics.reset();
    return run;
}

TEST(MetricCatalog, TierZeroIsTheListOfFifteen)
{
    const std::vector<std::string> expected{
        "gpu__time_duration.sum",
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "smsp__issue_active.avg.per_cycle_active",
        "dram__bytes_read.sum",
        "dram__bytes_write.sum",
        "lts__t_sectors_op_read.sum",
        "lts__t_bytes.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        "smsp__average_warp_latency_per_inst_issued.ratio",
        "gpc__cycles_elapsed.max",
        "sm__cycles_active.max",
    };
    EXPECT_EQ(listTierMetrics(0), expected);
}

TEST(RunFigures, StandBesideTheMetricsWithTheirUnits)
{
    EXPECT_EQ(formatFigure("gpu_ns", 8130), formatTime(8130.0));
    EXPECT_EQ(formatFigure("speedup", 1.27), formatRatio(1.27));
    EXPECT_EQ(formatFigure("memory_bytes", 4 << 20), formatBytes(4 << 20));
    EXPECT_EQ(formatFigure("gpu__time_duration.sum", 8130), formatTime(8130.0)) << "a metric of the catalog";
    EXPECT_EQ(formatFigure("nobody__knows.sum", 7), formatNumber(7));
    EXPECT_EQ(findFigure("nobody__knows.sum"), nullptr);
    EXPECT_EQ(findMetric("gpu_ns"), nullptr) << "it is not a counter: no profile asks for it";
}

TEST(RunFigures, ADifferenceIsAPercentageOnlyWhereThatSaysSomething)
{
    EXPECT_EQ(formatDifference(0.12), formatChange(0.12));
    EXPECT_EQ(formatDifference(-0.9), formatChange(-0.9));
    EXPECT_EQ(formatDifference(8.9), formatChange(8.9));
    EXPECT_EQ(formatDifference(9), "10×");
    EXPECT_EQ(formatDifference(1061.76), "1,063×");
    EXPECT_EQ(formatDifference(-0.996), "0.004×");
    EXPECT_EQ(formatDifference(-1), formatChange(-1)) << "it went away";
    EXPECT_EQ(formatDifference(-1.5), formatChange(-1.5)) << "it changed its sign";
}

TEST(MetricCatalog, EachTierHoldsTheOneBelow)
{
    const auto contains = [](const std::vector<std::string>& all, const std::vector<std::string>& part) {
        return std::ranges::all_of(part, [&](const std::string& name) { return std::ranges::find(all, name) != all.end(); });
    };
    EXPECT_TRUE(contains(listTierMetrics(1), listTierMetrics(0)));
    EXPECT_TRUE(contains(listTierMetrics(2), listTierMetrics(1)));
    EXPECT_LT(listTierMetrics(0).size(), listTierMetrics(1).size());
    EXPECT_LT(listTierMetrics(1).size(), listTierMetrics(2).size());
}

TEST(MetricCatalog, TiersBeyondTheScaleAreTheNearest)
{
    EXPECT_EQ(listTierMetrics(-1), listTierMetrics(0));
    EXPECT_EQ(listTierMetrics(7), listTierMetrics(2));
}

TEST(MetricCatalog, NamesAreUnique)
{
    std::set<std::string_view> seen;
    for (const MetricInfo& metric : metricCatalog())
        EXPECT_TRUE(seen.insert(metric.name).second) << metric.name;
}

TEST(MetricCatalog, EveryMetricExplainsItself)
{
    for (const MetricInfo& metric : metricCatalog()) {
        EXPECT_FALSE(metric.title.empty()) << metric.name;
        EXPECT_GT(metric.help.size(), 20u) << metric.name;
        EXPECT_TRUE(metric.help.ends_with('.')) << metric.name;
        EXPECT_EQ(metric.lackedBy.empty(), metric.lackedWhy.empty()) << metric.name;
    }
}

/// Every quantity of hardware metrics is computed from a run that has tier two and nothing else: one that reads another metric has no
/// value.
TEST(MetricCatalog, EveryQuantityOfTheDiagnosisIsInTierTwo)
{
    RunRecord run = test::h200Run("copy/coalesced", 100, 1e8, 1e9);
    run.memoryBytes = 1 << 30;
    run.metrics.emplace();
    for (const std::string& name : listTierMetrics(2))
        run.metrics->values[name] = 10;
    run.metrics->values["gpu__time_duration.sum"] = 100e3;
    run.metrics->clockMhz = 1500;
    run.warnings.push_back({"clock-unlocked", ""});
    run.launches.front().gridBlocks = 1320;
    const RunFacts facts(run);
    const RunRecord bare = withoutMetrics(run);
    const RunFacts none(bare);
    int read = 0;
    for (const auto theme : {unitQuantities(), memoryQuantities(), instructionQuantities(), stallQuantities()})
        for (const Quantity& quantity : theme) {
            const Value value = quantity.compute(facts);
            EXPECT_TRUE(value) << quantity.id;
            read += value != quantity.compute(none);
        }
    EXPECT_GT(read, 40) << "the quantities hardly depend on the metrics: is the run set up right?";
}

TEST(MetricCatalog, ReportMetricsAreNotCollected)
{
    std::set<std::string_view> seen;
    for (const std::string_view name : kReportMetrics) {
        EXPECT_TRUE(seen.insert(name).second) << name;
        EXPECT_EQ(findMetric(name), nullptr) << name;
    }
}

TEST(MetricName, IsTheTextOfItsRow)
{
    EXPECT_EQ(MetricName("dram__bytes_read.sum").text(), "dram__bytes_read.sum");
    EXPECT_EQ(MetricName(*findMetric("dram__bytes_op_read.sum")).text(), "dram__bytes_read.sum");
    for (const StallReason& reason : stallReasons())
        EXPECT_EQ(findMetric(stallMetric(reason))->help, reason.help);
}

TEST(MetricCatalog, HasEighteenStallReasonsAndHoppersOwn)
{
    EXPECT_EQ(stallReasons().size(), 19u);
    for (const StallReason& reason : stallReasons()) {
        const MetricInfo* metric = findMetric(stallMetric(reason));
        ASSERT_NE(metric, nullptr) << reason.id;
        EXPECT_EQ(metric->help, reason.help);
    }
}

TEST(MetricCatalog, StallMetricIsSpelledOut)
{
    EXPECT_EQ(stallMetric("long_scoreboard").text(), "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio");
}

TEST(MetricCatalog, FindsAMetricByItsNameOnAnotherChip)
{
    const MetricInfo* metric = findMetric("dram__bytes_op_read.sum");
    ASSERT_NE(metric, nullptr);
    EXPECT_EQ(metric->name, "dram__bytes_read.sum");
    EXPECT_EQ(findMetric("dram__bytes"), nullptr);
}

TEST(MetricCatalog, EveryAlternativeMeansWhatItIsNamedAfter)
{
    const std::map<std::string_view, std::vector<std::string_view>> expected{
        {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
         {"sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_elapsed"}},
        {"dram__bytes_read.sum", {"dram__bytes_op_read.sum"}},
        {"dram__bytes_write.sum", {"dram__bytes_op_write.sum"}},
        {"smsp__thread_inst_executed_per_inst_executed.ratio", {"smsp__average_thread_inst_executed_per_inst_executed.ratio"}},
        {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
         {"smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio"}},
        {"sm__inst_executed_pipe_tensor_op_hmma.sum", {"sm__inst_executed_pipe_tensor_subpipe_hmma.sum"}},
        {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum", {"sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum"}},
        {"sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum", {"sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum"}},
        {"sm__ops_path_tensor_src_fp16.sum", {"sm__ops_path_tensor_src_fp16_dst_fp32.sum"}}};
    std::map<std::string_view, std::vector<std::string_view>> found;
    for (const MetricInfo& metric : metricCatalog())
        if (!metric.alternatives.empty())
            found[metric.name].assign(metric.alternatives.begin(), metric.alternatives.end());
    EXPECT_EQ(found, expected);
}

TEST(MetricCatalog, DoesNotUseTheConflictCounterThatCountsAsyncCopies)
{
    EXPECT_EQ(findMetric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"), nullptr);
}

TEST(MetricCatalog, SaysWhyAChipLacksAMetric)
{
    const MetricInfo* gmma = findMetric(stallMetric("gmma"));
    ASSERT_NE(gmma, nullptr);
    EXPECT_TRUE(lackReason(*gmma, "GH100").empty());
    EXPECT_NE(lackReason(*gmma, "AD102").find("Hopper"), std::string::npos);
    const MetricInfo* miss = findMetric(stallMetric("imc_miss"));
    ASSERT_NE(miss, nullptr);
    EXPECT_FALSE(lackReason(*miss, "GB202").empty());
    EXPECT_TRUE(lackReason(*miss, "GA100").empty());
}

TEST(MetricCatalog, KnowsWhichDirectionIsGood)
{
    EXPECT_EQ(findMetric("dram__bytes_read.sum")->better, Better::lower);
    EXPECT_EQ(findMetric("sm__warps_active.avg.pct_of_peak_sustained_active")->better, Better::higher);
    EXPECT_EQ(findMetric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")->better, Better::neutral);
    EXPECT_EQ(findMetric(stallMetric("selected"))->better, Better::neutral);
    EXPECT_EQ(findMetric(stallMetric("barrier"))->better, Better::lower);
}

TEST(RunFigures, ADifferenceBeyondTenfoldEitherWayIsAFactor)
{
    EXPECT_EQ(formatDifference(-11), "\u221210×");
    EXPECT_EQ(formatDifference(-10.9), formatChange(-10.9));
    EXPECT_EQ(formatDifference(-0.99), formatChange(-0.99)) << "a hundredth is one percentage";
    EXPECT_EQ(formatDifference(std::numeric_limits<double>::infinity()), kNoValue);
    EXPECT_EQ(findFigure("energy_per_launch_j")->better, Better::lower);
    EXPECT_EQ(findFigure("speedup")->better, Better::higher);
    EXPECT_EQ(formatFigure("gpu_ns_hot", 8130), formatTime(8130.0));
    EXPECT_EQ(formatFigure("host_ns", 8130), formatTime(8130.0));
    EXPECT_EQ(formatFigure("energy_per_launch_j", 0.5), formatEnergy(0.5));
}

TEST(RunFigures, EachHasItsUnitAndItsDirection)
{
    const std::map<std::string_view, std::pair<std::string_view, Better>> figures{
        {"gpu_ns", {"ns", Better::lower}},      {"gpu_ns_hot", {"ns", Better::lower}},      {"host_ns", {"ns", Better::lower}},
        {"speedup", {"ratio", Better::higher}}, {"memory_bytes", {"bytes", Better::lower}}, {"energy_per_launch_j", {"J", Better::lower}}};
    for (const auto& [name, figure] : figures) {
        const MetricInfo* info = findFigure(name);
        ASSERT_NE(info, nullptr) << name;
        EXPECT_EQ(info->name, name);
        EXPECT_EQ(info->unit, figure.first) << name;
        EXPECT_EQ(info->better, figure.second) << name;
    }
    EXPECT_NE(findFigure("gpu_ns")->title, findFigure("gpu_ns_hot")->title);
    EXPECT_EQ(findFigure("dram__bytes_read.sum"), findMetric("dram__bytes_read.sum"));
}

} // namespace
} // namespace kl
