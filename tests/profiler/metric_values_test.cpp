// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/cupti/metric_values.h"

#include "profiler/live/cupti/metric_plan.h"

#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

MetricSelection twoMetrics()
{
    MetricSelection selection;
    selection.names = {"dram__bytes_read.sum", "smsp__inst_executed.ratio"};
    selection.chipNames = {"dram__bytes_op_read.sum", "smsp__inst_executed.ratio"};
    selection.clockNames = {kTimeMetric, kCyclesMetric};
    selection.missing["sm__no_such.sum"] = "GH100 has no such metric";
    selection.passes = 3;
    return selection;
}

TEST(MetricValues, APlannedSetSaysWhatIsMissingAndNothingRan)
{
    const MetricSet set = makePlannedSet(twoMetrics(), 1, true);
    EXPECT_EQ(set.tier, 1);
    EXPECT_EQ(set.plan, (PassPlan{3, 0}));
    EXPECT_EQ(set.replayMode, "KernelReplay");
    EXPECT_EQ(set.rangeMode, "AutoRange");
    EXPECT_TRUE(set.missing.at("sm__no_such.sum").starts_with("GH100 ")) << set.missing.at("sm__no_such.sum");
    EXPECT_EQ(set.spelled.at("dram__bytes_read.sum"), "dram__bytes_op_read.sum");
    EXPECT_TRUE(set.values.empty());
    EXPECT_EQ(makePlannedSet(twoMetrics(), 1, false).replayMode, "UserReplay");
}

TEST(MetricValues, AreStoredUnderTheCatalogsNamesWithTheClockOfTheirPass)
{
    MetricSet set = makePlannedSet(twoMetrics(), 0, false);
    storeValues(twoMetrics(), {4096, 1.5, 2000, 3600}, set);
    EXPECT_EQ(set.values,
              (std::map<std::string, std::optional<double>>{{"dram__bytes_read.sum", 4096}, {"smsp__inst_executed.ratio", 1.5}}));
    ASSERT_TRUE(set.clockMhz);
    EXPECT_DOUBLE_EQ(*set.clockMhz, 1800);
}

TEST(MetricValues, WhatIsNotFiniteIsMissingAndNoTimeMeansNoClock)
{
    MetricSet set = makePlannedSet(twoMetrics(), 0, false);
    storeValues(twoMetrics(), {0, std::numeric_limits<double>::quiet_NaN(), 0, 3600}, set);
    EXPECT_EQ(set.values.count("smsp__inst_executed.ratio"), 0U);
    EXPECT_FALSE(set.missing.at("smsp__inst_executed.ratio").empty());
    EXPECT_FALSE(set.clockMhz);
}

TEST(MetricValues, AnInfiniteValueIsMissingToo)
{
    for (const double none : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
        MetricSet set = makePlannedSet(twoMetrics(), 0, false);
        storeValues(twoMetrics(), {none, 2.5, 2000, 3600}, set);
        EXPECT_EQ(set.values.count("dram__bytes_read.sum"), 0U);
        EXPECT_EQ(set.missing.count("dram__bytes_read.sum"), 1U);
        EXPECT_EQ(set.missing.count("sm__no_such.sum"), 1U) << "what the plan lacks stays";
        EXPECT_EQ(set.values.at("smsp__inst_executed.ratio"), 2.5);
    }
}

TEST(MetricValues, TheClockIsKnownWhereBothOfItsMetricsAreAsked)
{
    MetricSelection requested;
    requested.names = requested.chipNames = {kCyclesMetric, kTimeMetric};
    const auto clockFor = [&](double cycles, double time) {
        MetricSet set = makePlannedSet(requested, 0, false);
        storeValues(requested, {cycles, time}, set);
        return set.clockMhz;
    };
    EXPECT_EQ(clockFor(3600, 2000), 1800);
    EXPECT_FALSE(clockFor(0, 2000));
    EXPECT_FALSE(clockFor(3600, 0));
    EXPECT_FALSE(clockFor(3600, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_FALSE(clockFor(std::numeric_limits<double>::infinity(), 2000));
    requested.names.pop_back();
    requested.chipNames.pop_back();
    MetricSet set = makePlannedSet(requested, 0, false);
    storeValues(requested, {3600}, set);
    EXPECT_FALSE(set.clockMhz) << "cycles alone make none";
}

} // namespace
} // namespace kl
#endif
