// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/cupti/metric_names.h"
#include "tests/profiler/cupti_fake_chip.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

using Names = std::vector<std::string>;

class CuptiMetricNames : public testing::Test {
protected:
    void SetUp() override
    {
        chip.add("dram__bytes_read", {"avg", "avg.per_second", "sum", "sum.per_second"});
        chip.add("dram__bytes_write", {"avg", "sum"});
        chip.add("lts__t_sector_hit_rate", {"max_rate", "pct", "ratio"});
        chip.add("sm__throughput", {"avg.pct_of_peak_sustained_elapsed", "sum.pct_of_peak_sustained_elapsed"});
        chip.add("dram__throughput", {"avg.pct_of_peak_sustained_elapsed", "sum"});
    }
    test::FakeChip chip{"GH100"};
};

TEST_F(CuptiMetricNames, TheUsualRollupFitsTheKind)
{
    EXPECT_EQ(usualRollup("dram__bytes_read", chip), "sum");
    EXPECT_EQ(usualRollup("lts__t_sector_hit_rate", chip), "ratio");
    EXPECT_EQ(usualRollup("sm__throughput", chip), "avg.pct_of_peak_sustained_elapsed");
    EXPECT_EQ(usualRollup("dram__throughput", chip), "avg.pct_of_peak_sustained_elapsed");
    EXPECT_EQ(usualRollup("no__such", chip), "");
}

TEST_F(CuptiMetricNames, PlainNamesStayAsTheyAre)
{
    EXPECT_EQ(*expandNames({"no__such.sum", "dram__bytes_read.avg"}, chip), (Names{"no__such.sum", "dram__bytes_read.avg"}));
}

TEST_F(CuptiMetricNames, AnExpressionOverBaseNamesTakesTheUsualRollup)
{
    EXPECT_EQ(*expandNames({"regex:^dram__bytes"}, chip), (Names{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
}

TEST_F(CuptiMetricNames, AnExpressionWithADotIsHeldAgainstWholeNames)
{
    EXPECT_EQ(*expandNames({"regex:^dram__bytes_.*\\.sum$"}, chip), (Names{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_EQ(*expandNames({"regex:read\\..*per_second$"}, chip),
              (Names{"dram__bytes_read.avg.per_second", "dram__bytes_read.sum.per_second"}));
}

TEST_F(CuptiMetricNames, ABadExpressionSaysWhatIsWrong)
{
    const auto broken = expandNames({"regex:dram__(bytes"}, chip);
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().code, ErrorCode::badInput);
    EXPECT_NE(broken.error().message.find("dram__(bytes"), std::string::npos);
    const auto nothing = expandNames({"regex:^xyz"}, chip);
    ASSERT_FALSE(nothing.ok());
    EXPECT_NE(nothing.error().message.find("^xyz"), std::string::npos);
    EXPECT_NE(nothing.error().message.find("GH100"), std::string::npos);
}

TEST_F(CuptiMetricNames, AnExpressionThatStandsForTooManyIsRefused)
{
    for (std::size_t i = 0; i <= kMostMatches; ++i)
        chip.add("many__" + std::to_string(i), {"sum"});
    const auto many = expandNames({"regex:many"}, chip);
    ASSERT_FALSE(many.ok());
    EXPECT_EQ(many.error().code, ErrorCode::badInput);
    EXPECT_NE(many.error().message.find(" 201 "), std::string::npos) << many.error().message;
}

TEST_F(CuptiMetricNames, ErrorsSnapshot)
{
    for (std::size_t i = 0; i <= kMostMatches; ++i)
        chip.add("many__" + std::to_string(i), {"sum"});
    std::string text;
    for (const char* name : {"regex:dram__(bytes", "regex:^xyz", "regex:many"}) {
        const Error error = expandNames({name}, chip).error();
        std::string message = error.message;
        if (const auto at = message.find("expression: "); at != std::string::npos)
            message.resize(at + 12); // what follows are the words of the C++ library
        text += std::string(name) + ": " + message + " | " + error.hint + '\n';
    }
    test::expectSnapshot("errors/metric-expressions.txt", text);
}

TEST_F(CuptiMetricNames, NearMetricsKeepTheRollupWhereItExists)
{
    EXPECT_EQ(nearMetrics("dram__byte_read.avg", chip).front(), "dram__bytes_read.avg");
    EXPECT_EQ(nearMetrics("dram__bytes_wrte", chip).front(), "dram__bytes_write.sum");
    EXPECT_EQ(nearMetrics("dram__bytes_read", chip), Names{"dram__bytes_read.sum"});
    EXPECT_EQ(nearMetrics("dram__bytes_read.summ", chip).front(), "dram__bytes_read.sum");
    EXPECT_TRUE(nearMetrics("zz", chip).empty());
}

TEST_F(CuptiMetricNames, NearMetricsTakeTheUsualRollupWhereTheyLackTheOneAsked)
{
    EXPECT_EQ(nearMetrics("lts__t_sector_hit_rat.sum", chip).front(), "lts__t_sector_hit_rate.ratio");
    EXPECT_EQ(nearMetrics("dram__bytes_writ.sum.per_second", chip).front(), "dram__bytes_write.sum");
    EXPECT_EQ(nearMetrics("dram__bytes_rea.sum.per_second", chip).front(), "dram__bytes_read.sum.per_second");
}

TEST_F(CuptiMetricNames, AtMostThreeAreNear)
{
    for (const char* name : {"lts__t_bytea", "lts__t_byteb", "lts__t_bytec", "lts__t_byted"})
        chip.add(name, {"avg", "sum"});
    const Names near = nearMetrics("lts__t_bytes.avg", chip);
    EXPECT_EQ(near.size(), 3U);
    for (const std::string& name : near)
        EXPECT_TRUE(name.ends_with(".avg")) << name;
    const Names rollups = nearMetrics("lts__t_bytea.avgg", chip);
    EXPECT_EQ(rollups.front(), "lts__t_bytea.avg");
    EXPECT_NE(std::ranges::find(rollups, "lts__t_bytea.sum"), rollups.end()) << "the usual one beside it";
}

TEST_F(CuptiMetricNames, AnExpressionThatStandsForNothingLeadsToTheList)
{
    const auto nothing = expandNames({"regex:^xyz"}, chip);
    ASSERT_FALSE(nothing.ok());
    EXPECT_EQ(nothing.error().code, ErrorCode::badInput);
    EXPECT_EQ(nothing.error().where, "--metrics");
    ASSERT_EQ(nothing.error().next.size(), 1U);
    EXPECT_EQ(nothing.error().next[0].id, StepId::listMetrics);
    const auto broken = expandNames({"regex:("}, chip);
    ASSERT_FALSE(broken.ok());
    EXPECT_TRUE(broken.error().next.empty());
    EXPECT_EQ(broken.error().where, "--metrics");
}

TEST_F(CuptiMetricNames, AsManyAsAreAllowedAreTaken)
{
    for (std::size_t i = 0; i < kMostMatches; ++i)
        chip.add("many__" + std::to_string(i), {"sum"});
    const auto all = expandNames({"regex:many", "plain.sum"}, chip);
    ASSERT_TRUE(all.ok()) << all.error().message;
    EXPECT_EQ(all->size(), kMostMatches + 1);
    EXPECT_EQ(all->back(), "plain.sum") << "in the order of asking";
}

} // namespace
} // namespace kl
#endif
