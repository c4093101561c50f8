// SPDX-License-Identifier: MIT
#include "core/diagnosis/targets.h"

#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kDramShare = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kWarpThreads = "smsp__thread_inst_executed_per_inst_executed.ratio";

RunRecord withFigures(double dramPercent, double threads, double us)
{
    RunRecord run = test::h200Run("transpose/naive", us, 1e6);
    run.metrics = MetricSet{};
    run.metrics->values[kDramShare] = dramPercent;
    run.metrics->values[kWarpThreads] = threads;
    return run;
}

TargetRow targetOf(const RunRecord& run, const std::string& id, const MetricLimits& limits = {})
{
    const std::vector<TargetRow> rows = compareWithTargets(run, limits);
    const auto found = std::ranges::find(rows, id, &TargetRow::id);
    EXPECT_NE(found, rows.end()) << id;
    return found == rows.end() ? TargetRow{} : *found;
}

TEST(Targets, ALimitThatIsReachedIsMet)
{
    EXPECT_EQ(targetOf(withFigures(70, 32, 20), "memory-bandwidth").method.result, TargetResult::meets);
    EXPECT_EQ(targetOf(withFigures(69.9, 32, 20), "memory-bandwidth").method.result, TargetResult::misses);
    EXPECT_EQ(targetOf(withFigures(70, 32, 10), "kernel-duration").method.result, TargetResult::meets);
    EXPECT_EQ(targetOf(withFigures(70, 32, 9.9), "kernel-duration").method.result, TargetResult::misses);
}

TEST(Targets, WarpEfficiencyIsOf32ThreadsAndTheMethodIsStricterThanTheDocument)
{
    const TargetRow row = targetOf(withFigures(70, 20, 20), "warp-efficiency");
    EXPECT_DOUBLE_EQ(row.value.value_or(0), 62.5);
    EXPECT_EQ(row.document.result, TargetResult::meets);
    EXPECT_EQ(row.method.result, TargetResult::misses);
    EXPECT_TRUE(row.misses());
    EXPECT_EQ(targetOf(withFigures(70, 24, 20), "warp-efficiency").method.result, TargetResult::meets);
}

TEST(Targets, ASessionsLimitsReplaceTheMethodsOnly)
{
    MetricLimits limits;
    limits.memoryBandwidthMin = 90;
    const TargetRow row = targetOf(withFigures(80, 32, 20), "memory-bandwidth", limits);
    EXPECT_EQ(row.method.limit, 90);
    EXPECT_EQ(row.method.result, TargetResult::misses);
    EXPECT_EQ(row.document.limit, 70);
    EXPECT_EQ(row.document.result, TargetResult::meets);
}

TEST(Targets, WhatWasNotMeasuredNeitherMeetsNorMisses)
{
    const TargetRow row = targetOf(test::h200Run("transpose/naive", 20, 1e6), "bank-conflicts");
    EXPECT_FALSE(row.isMinimum);
    EXPECT_FALSE(row.value);
    EXPECT_EQ(row.method.result, TargetResult::notMeasured);
    EXPECT_FALSE(row.misses());
    const Json json = targetsToJson({row});
    EXPECT_EQ(json[0]["result"], "not-measured");
    EXPECT_EQ(json[0]["sense"], "<=");
    EXPECT_EQ(json[0]["target"], 10);
    EXPECT_EQ(json[0]["document"]["target"], 0);
    EXPECT_TRUE(json[0]["value"].is_null());
}

TEST(Targets, BelowHalfOfTheBandwidthTheAdviceIsAnother)
{
    EXPECT_EQ(targetOf(withFigures(50, 32, 20), "memory-bandwidth").action, targetOf(withFigures(60, 32, 20), "memory-bandwidth").action);
    EXPECT_NE(targetOf(withFigures(49.9, 32, 20), "memory-bandwidth").action, targetOf(withFigures(60, 32, 20), "memory-bandwidth").action);
}

TEST(Targets, AFigureIsWrittenWithItsUnitAndItsSense)
{
    const TargetRow least = targetOf(withFigures(70, 32, 20), "memory-bandwidth");
    EXPECT_EQ(limitText(least, least.document), "at least 70\u202f%");
    EXPECT_EQ(valueText(least), "70\u202f%");
    const TargetRow most = targetOf(withFigures(70, 32, 20), "bank-conflicts");
    EXPECT_EQ(limitText(most, most.document), "at most 0\u202f%");
    EXPECT_EQ(valueText(most), "not measured");
}

TEST(Targets, AMostMayBeReached)
{
    RunRecord run = withFigures(70, 32, 20);
    run.metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 100.0;
    run.metrics->values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 10.0;
    const TargetRow row = targetOf(run, "bank-conflicts");
    EXPECT_EQ(row.value, 10);
    EXPECT_EQ(row.method.result, TargetResult::meets) << "a tenth is the method's limit";
    EXPECT_EQ(row.document.result, TargetResult::misses);
}

} // namespace
} // namespace kl
