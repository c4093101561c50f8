// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "core/device/metric_catalog.h"
#include "profiler/live/cupti/metric_plan.h"
#include "profiler/live/cupti/metric_values.h"
#include "profiler/live/cupti/range_profiler.h"
#include "tests/profiler/cupti_fake_chip.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

using test::FakeChip;

TEST(CuptiMetricPlan, TakesTheTierWhenNoMetricIsNamed)
{
    FakeChip chip("GH100");
    const auto selection = selectMetrics({0, {}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, listTierMetrics(0));
    EXPECT_EQ(selection->chipNames, selection->names);
    EXPECT_TRUE(selection->missing.empty());
    EXPECT_EQ(selection->passes, 15);
}

TEST(CuptiMetricPlan, StoresAChipsOwnSpellingUnderTheCatalogsName)
{
    FakeChip chip("GB202");
    chip.lacks = {"dram__bytes_read.sum"};
    const auto selection = selectMetrics({2, {"dram__bytes_read.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, std::vector<std::string>{"dram__bytes_read.sum"});
    EXPECT_EQ(selection->chipNames, std::vector<std::string>{"dram__bytes_op_read.sum"});
}

TEST(CuptiMetricPlan, ANewerNameWorksOnAnOlderChip)
{
    FakeChip chip("AD102");
    chip.lacks = {"dram__bytes_op_read.sum"};
    const auto selection = selectMetrics({2, {"dram__bytes_op_read.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, std::vector<std::string>{"dram__bytes_op_read.sum"});
    EXPECT_EQ(selection->chipNames, std::vector<std::string>{"dram__bytes_read.sum"});
}

TEST(CuptiMetricPlan, AnUnknownNameIsMissingAndTheRestIsCollected)
{
    FakeChip chip("GH100");
    chip.lacks = {"no__such.sum"};
    const auto selection = selectMetrics({2, {"no__such.sum", "dram__bytes_write.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, std::vector<std::string>{"dram__bytes_write.sum"});
    EXPECT_NE(selection->missing.at("no__such.sum").find("GH100"), std::string::npos);
}

TEST(CuptiMetricPlan, GivesTheCatalogsReasonForWhatAChipLacks)
{
    FakeChip chip("AD102");
    const std::string gmma(stallMetric("gmma"));
    chip.lacks = {gmma};
    const auto selection = selectMetrics({2, {}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    const std::string reason = lackReason(*findMetric(gmma), "AD102");
    EXPECT_FALSE(reason.empty());
    EXPECT_TRUE(selection->missing.at(gmma).ends_with(": " + reason)) << selection->missing.at(gmma);
}

TEST(CuptiMetricPlan, AMetricNamedTwiceCountsOnce)
{
    FakeChip chip("GH100");
    const auto selection = selectMetrics({2, {"lts__t_bytes.sum", "lts__t_bytes.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->passes, 1);
}

TEST(CuptiMetricPlan, LeavesOutWhatDoesNotFitTheLimit)
{
    FakeChip chip("GH100");
    chip.expensive = {"sm__throughput.avg.pct_of_peak_sustained_elapsed"};
    const std::vector<std::string> requested{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "lts__t_bytes.sum",
                                             "dram__bytes_read.sum"};
    const auto selection = selectMetrics({2, requested, 3}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->passes, 2);
    EXPECT_EQ(selection->names.size(), 2u);
    EXPECT_NE(selection->missing.at("sm__throughput.avg.pct_of_peak_sustained_elapsed").find(" 3 "), std::string::npos);
}

TEST(CuptiMetricPlan, ReasonsSnapshot)
{
    FakeChip chip("AD102");
    const std::string gmma(stallMetric("gmma"));
    chip.lacks = {gmma, "no__such.sum"};
    chip.expensive = {"lts__t_bytes.sum"};
    std::string text;
    for (const int passes : {1, 3}) {
        const auto selection = selectMetrics({2, {gmma, "no__such.sum", "lts__t_bytes.sum", "dram__bytes_read.sum"}, passes}, chip);
        ASSERT_TRUE(selection.ok());
        MetricSet set = makePlannedSet(*selection, 2, true);
        storeValues(*selection, std::vector<double>(selection->listConfigured().size(), std::numeric_limits<double>::quiet_NaN()), set);
        for (const auto& [name, reason] : set.missing)
            text += name + ": " + reason + '\n';
    }
    test::expectSnapshot("texts/metrics-without-value.txt", text);
}

TEST(CuptiMetricPlan, ALimitKeepsTheCheapTiersFirst)
{
    FakeChip chip("GH100");
    const auto selection = selectMetrics({2, {}, 15}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, listTierMetrics(0));
    EXPECT_EQ(selection->passes, 15);
    EXPECT_EQ(selection->names.size() + selection->missing.size(), listTierMetrics(2).size());
}

TEST(CuptiMetricPlan, ALimitThatIsNotReachedChangesNothing)
{
    FakeChip chip("GH100");
    EXPECT_EQ(*selectMetrics({0, {}, 100}, chip), *selectMetrics({0, {}, 0}, chip));
}

TEST(CuptiMetricPlan, TheClockRidesAlongWhereThatIsFree)
{
    FakeChip chip("GH100");
    chip.free = {kTimeMetric, kCyclesMetric};
    const auto selection = selectMetrics({2, {"lts__t_bytes.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, std::vector<std::string>{"lts__t_bytes.sum"});
    EXPECT_EQ(selection->clockNames, (std::vector<std::string>{kTimeMetric, kCyclesMetric}));
    EXPECT_EQ(selection->listConfigured(), (std::vector<std::string>{"lts__t_bytes.sum", kTimeMetric, kCyclesMetric}));
    EXPECT_EQ(selection->passes, 1);
}

TEST(CuptiMetricPlan, TheClockIsLeftOutWhereItWouldCostAPass)
{
    FakeChip chip("GH100");
    const auto selection = selectMetrics({2, {"lts__t_bytes.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_TRUE(selection->clockNames.empty());
    EXPECT_EQ(selection->passes, 1);
}

TEST(CuptiMetricPlan, TellsWhatTheChipCallsAMetric)
{
    FakeChip chip("GB202");
    chip.lacks = {"dram__bytes_read.sum"};
    const auto selection = selectMetrics({2, {"dram__bytes_read.sum", "lts__t_bytes.sum"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->mapSpelled(), (std::map<std::string, std::string>{{"dram__bytes_read.sum", "dram__bytes_op_read.sum"}}));
}

TEST(CuptiMetricPlan, AnExpressionStandsForWhatMatches)
{
    FakeChip chip("GH100");
    chip.add("dram__bytes_read", {"avg", "sum"});
    chip.add("dram__bytes_write", {"avg", "sum"});
    chip.add("lts__t_bytes", {"sum"});
    const auto selection = selectMetrics({2, {"lts__t_bytes.sum", "regex:^dram__bytes"}, 0}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, (std::vector<std::string>{"lts__t_bytes.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_FALSE(selectMetrics({2, {"regex:^nothing"}, 0}, chip).ok());
}

TEST(CuptiMetricPlan, PassesOnWhyNothingCanBePlanned)
{
    FakeChip chip("GH100");
    chip.broken = true;
    EXPECT_FALSE(selectMetrics({0, {}, 0}, chip).ok());
}

TEST(CuptiMetricPlan, ALimitLeavesOutWhatIsNamedLast)
{
    FakeChip chip("GH100");
    const std::string expensive = listTierMetrics(2).back(), own = "own__counter.sum";
    const auto selection = selectMetrics({2, {expensive, own}, 1}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, std::vector<std::string>{own}) << "of no tier: it was asked for by name";
    EXPECT_EQ(selection->chipNames, selection->names);
    EXPECT_EQ(selection->passes, 1);
    EXPECT_EQ(selection->missing.count(expensive), 1U);
}

TEST(CuptiMetricPlan, WhatTheChipLacksIsStillNamedWhereALimitCutsTheRest)
{
    FakeChip chip("GH100");
    chip.lacks = {"no__such.sum"};
    chip.expensive = {"lts__t_bytes.sum"};
    const auto selection =
        selectMetrics({2, {"no__such.sum", "lts__t_bytes.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"}, 2}, chip);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names, (std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_EQ(selection->passes, 2) << "as many as are allowed";
    EXPECT_EQ(selection->missing.count("no__such.sum"), 1U);
    EXPECT_EQ(selection->missing.count("lts__t_bytes.sum"), 1U);
}

TEST(CuptiMetricPlan, OfTheClockOnlyWhatIsNotAskedAndKnownIsAdded)
{
    FakeChip chip("GH100");
    chip.free = {kTimeMetric, kCyclesMetric};
    const auto requested = selectMetrics({2, {"lts__t_bytes.sum", kTimeMetric}, 0}, chip);
    ASSERT_TRUE(requested.ok());
    EXPECT_EQ(requested->clockNames, std::vector<std::string>{kCyclesMetric});
    chip.lacks = {kTimeMetric};
    const auto without = selectMetrics({2, {"lts__t_bytes.sum"}, 0}, chip);
    ASSERT_TRUE(without.ok());
    EXPECT_EQ(without->clockNames, std::vector<std::string>{kCyclesMetric});
    chip.lacks = {"no__such.sum"};
    const auto none = selectMetrics({2, {"no__such.sum"}, 0}, chip);
    ASSERT_TRUE(none.ok());
    EXPECT_TRUE(none->clockNames.empty()) << "of nothing";
    EXPECT_TRUE(none->mapSpelled().empty());
}

} // namespace
} // namespace kl
#endif
