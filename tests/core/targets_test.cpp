// SPDX-License-Identifier: MIT
#include "core/diagnosis/targets.h"

#include "tests/core/support/profiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <vector>

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

TargetRow findTargetRow(const RunRecord& run, const std::string& id, const MetricLimits& limits = {})
{
    const std::vector<TargetRow> rows = compareWithTargets(run, limits);
    const auto found = std::ranges::find(rows, id, &TargetRow::id);
    EXPECT_NE(found, rows.end()) << id;
    return found == rows.end() ? TargetRow{} : *found;
}

TEST(Targets, ALimitThatIsReachedIsMet)
{
    EXPECT_EQ(findTargetRow(withFigures(70, 32, 20), "memory-bandwidth").method.result, TargetResult::meets);
    EXPECT_EQ(findTargetRow(withFigures(69.9, 32, 20), "memory-bandwidth").method.result, TargetResult::misses);
    EXPECT_EQ(findTargetRow(withFigures(70, 32, 10), "kernel-duration").method.result, TargetResult::meets);
    EXPECT_EQ(findTargetRow(withFigures(70, 32, 9.9), "kernel-duration").method.result, TargetResult::misses);
}

TEST(Targets, WarpEfficiencyIsOf32ThreadsAndTheMethodIsStricterThanTheDocument)
{
    const TargetRow row = findTargetRow(withFigures(70, 20, 20), "warp-efficiency");
    EXPECT_DOUBLE_EQ(row.value.value_or(0), 62.5);
    EXPECT_EQ(row.document.result, TargetResult::meets);
    EXPECT_EQ(row.method.result, TargetResult::misses);
    EXPECT_TRUE(row.misses());
    EXPECT_EQ(findTargetRow(withFigures(70, 24, 20), "warp-efficiency").method.result, TargetResult::meets);
}

TEST(Targets, ASessionsLimitsReplaceTheMethodsOnly)
{
    MetricLimits limits;
    limits.memoryBandwidthMin = 90;
    const TargetRow row = findTargetRow(withFigures(80, 32, 20), "memory-bandwidth", limits);
    EXPECT_EQ(row.method.limit, 90);
    EXPECT_EQ(row.method.result, TargetResult::misses);
    EXPECT_EQ(row.document.limit, 70);
    EXPECT_EQ(row.document.result, TargetResult::meets);
}

TEST(Targets, WhatWasNotMeasuredNeitherMeetsNorMisses)
{
    const TargetRow row = findTargetRow(test::h200Run("transpose/naive", 20, 1e6), "bank-conflicts");
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
    EXPECT_EQ(findTargetRow(withFigures(50, 32, 20), "memory-bandwidth").action,
              findTargetRow(withFigures(60, 32, 20), "memory-bandwidth").action);
    EXPECT_NE(findTargetRow(withFigures(49.9, 32, 20), "memory-bandwidth").action,
              findTargetRow(withFigures(60, 32, 20), "memory-bandwidth").action);
}

TEST(Targets, AFigureIsWrittenWithItsUnitAndItsSense)
{
    const TargetRow least = findTargetRow(withFigures(70, 32, 20), "memory-bandwidth");
    const std::string floor = limitText(least, least.document), seventy = " 70\u202f%", zero = " 0\u202f%";
    ASSERT_TRUE(floor.ends_with(seventy)) << floor;
    EXPECT_EQ(valueText(least), "70\u202f%");
    const TargetRow most = findTargetRow(withFigures(70, 32, 20), "bank-conflicts");
    const std::string atMost = limitText(most, most.document);
    ASSERT_TRUE(atMost.ends_with(zero)) << atMost;
    EXPECT_NE(floor.substr(0, floor.size() - seventy.size()), atMost.substr(0, atMost.size() - zero.size()));
    EXPECT_FALSE(valueText(most).empty()) << "that it was not measured";
    EXPECT_EQ(valueText(most).find_first_of("0123456789"), std::string::npos) << valueText(most);
}

TEST(Targets, AMostMayBeReached)
{
    RunRecord run = withFigures(70, 32, 20);
    run.metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 100.0;
    run.metrics->values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 10.0;
    const TargetRow row = findTargetRow(run, "bank-conflicts");
    EXPECT_EQ(row.value, 10);
    EXPECT_EQ(row.method.result, TargetResult::meets) << "a tenth is the method's limit";
    EXPECT_EQ(row.document.result, TargetResult::misses);
}

TEST(Targets, EachFigureHasTheDocumentsLimitAndTheMethods)
{
    struct Limits {
        const char* id;
        const char* quantity;
        double document;
        double method;
        bool isMinimum;
    };
    const std::vector<Limits> expected{{"memory-bandwidth", "dram_percent", 70, 70, true},
                                       {"occupancy", "achieved_occupancy_percent", 50, 50, true},
                                       {"kernel-duration", "duration_us", 10, 10, true},
                                       {"warp-efficiency", "threads_per_warp", 50, 75, true},
                                       {"bank-conflicts", "bank_conflict_percent", 0, 10, false}};
    const std::vector<TargetRow> rows = compareWithTargets(withFigures(70, 32, 20), {});
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].id, expected[i].id);
        EXPECT_EQ(rows[i].quantity, expected[i].quantity);
        EXPECT_EQ(rows[i].document.limit, expected[i].document) << rows[i].id;
        EXPECT_EQ(rows[i].method.limit, expected[i].method) << rows[i].id;
        EXPECT_EQ(rows[i].isMinimum, expected[i].isMinimum) << rows[i].id;
    }
    MetricLimits limits;
    limits.occupancyMin = 1;
    limits.kernelDurationMinUs = 2;
    limits.warpEfficiencyMin = 3;
    limits.bankConflictsMax = 4;
    const std::vector<TargetRow> own = compareWithTargets(withFigures(70, 32, 20), limits);
    for (std::size_t i = 1; i < own.size(); ++i)
        EXPECT_EQ(own[i].method.limit, static_cast<double>(i)) << own[i].id;
    EXPECT_STREQ(toString(TargetResult::meets), "meets");
    EXPECT_STREQ(toString(TargetResult::misses), "misses");
    EXPECT_STREQ(toString(TargetResult::notMeasured), "not-measured");
    const Json json = targetsToJson({rows[0]})[0];
    EXPECT_EQ(json["id"], "memory-bandwidth");
    EXPECT_EQ(json["metric"], "dram_percent");
    EXPECT_EQ(json["value"], 70.0);
    EXPECT_EQ(json["unit"], "%");
    EXPECT_EQ(json["sense"], ">=");
    EXPECT_EQ(json["result"], "meets");
    EXPECT_EQ(json["action"], rows[0].action);
    EXPECT_EQ(json["source"], rows[0].method.source);
    EXPECT_EQ(json["document"]["source"], rows[0].document.source);
}

} // namespace
} // namespace kl
