// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/run_figures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace kl {
namespace {

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
    EXPECT_EQ(metricsOfTier(0), expected);
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
    EXPECT_EQ(formatDifference(1061.76), "1\u202f063×");
    EXPECT_EQ(formatDifference(-0.996), "0.004×");
    EXPECT_EQ(formatDifference(-1), formatChange(-1)) << "it went away";
    EXPECT_EQ(formatDifference(-1.5), formatChange(-1.5)) << "it changed its sign";
}

TEST(MetricCatalog, EachTierHoldsTheOneBelow)
{
    const auto contains = [](const std::vector<std::string>& all, const std::vector<std::string>& part) {
        return std::ranges::all_of(part, [&](const std::string& name) { return std::ranges::find(all, name) != all.end(); });
    };
    EXPECT_TRUE(contains(metricsOfTier(1), metricsOfTier(0)));
    EXPECT_TRUE(contains(metricsOfTier(2), metricsOfTier(1)));
    EXPECT_LT(metricsOfTier(0).size(), metricsOfTier(1).size());
    EXPECT_LT(metricsOfTier(1).size(), metricsOfTier(2).size());
}

TEST(MetricCatalog, TiersBeyondTheScaleAreTheNearest)
{
    EXPECT_EQ(metricsOfTier(-1), metricsOfTier(0));
    EXPECT_EQ(metricsOfTier(7), metricsOfTier(2));
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

TEST(MetricCatalog, EveryQuantityOfTheDiagnosisIsInTierTwo)
{
    const std::vector<std::string> names = metricsOfTier(2);
    for (const char* name : {"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                             "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
                             "lts__throughput.avg.pct_of_peak_sustained_elapsed",
                             "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
                             "lts__t_sector_hit_rate.pct",
                             "l1tex__t_sector_hit_rate.pct",
                             "smsp__thread_inst_executed_per_inst_executed.ratio",
                             "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
                             "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                             "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                             "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                             "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
                             "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                             "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                             "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
                             "sm__ops_path_tensor_src_fp16.sum",
                             "sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum",
                             "smsp__sass_inst_executed_op_local_ld.sum",
                             "smsp__sass_inst_executed_op_local_st.sum"})
        EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

TEST(MetricCatalog, HasEighteenStallReasonsAndHoppersOwn)
{
    EXPECT_EQ(stallReasons().size(), 19u);
    for (const StallReason& reason : stallReasons()) {
        const MetricInfo* metric = findMetric(stallMetric(reason.id));
        ASSERT_NE(metric, nullptr) << reason.id;
        EXPECT_EQ(metric->help, reason.help);
    }
}

TEST(MetricCatalog, StallMetricIsSpelledOut)
{
    EXPECT_EQ(stallMetric("long_scoreboard"), "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio");
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

} // namespace
} // namespace kl
