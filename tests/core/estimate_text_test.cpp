// SPDX-License-Identifier: MIT
#include "core/diagnosis/classes.h"
#include "core/diagnosis/estimate_text.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <string>

namespace kl {
namespace {

Finding findingWith(std::optional<Estimate> estimate, const std::string& classId = "uncoalesced")
{
    Finding finding;
    finding.classId = classId;
    finding.estimate = std::move(estimate);
    return finding;
}

TEST(EstimateText, GivesSpeedupReductionAndFormula)
{
    const std::string text = estimateText(findingWith(Estimate{0.78, "a / b = 9 %"}));
    EXPECT_EQ(test::valueText(text), "\"4.55 78 9\"");
    EXPECT_TRUE(text.ends_with(": a / b = 9 %")) << text;
    EXPECT_NEAR(*computeEstimatedSpeedup(findingWith(Estimate{0.75, ""})), 4, 1e-12);
}

TEST(EstimateText, IsAboutWallTimeForLaunchOverhead)
{
    const std::string text = estimateText(findingWith(Estimate{0.5, "x"}, "launch-overhead"));
    EXPECT_EQ(test::valueText(text), "\"2.00 50\"");
    EXPECT_NE(text, estimateText(findingWith(Estimate{0.5, "x"})));
}

TEST(EstimateText, HasNoSpeedupWithoutAnEstimateOrForAllTheTime)
{
    EXPECT_EQ(computeEstimatedSpeedup(findingWith({})), std::nullopt);
    EXPECT_EQ(computeEstimatedSpeedup(findingWith(Estimate{1, "x"})), std::nullopt);
    EXPECT_EQ(test::valueText(estimateText(findingWith(Estimate{1, "x"}))), "\"100\"");
    EXPECT_EQ(test::valueText(estimateText(findingWith({}))), "\"\"");
}

TEST(EstimateText, IsShortInACell)
{
    EXPECT_EQ(shortEstimate(2.0), "2.00×");
    EXPECT_EQ(test::valueText(shortEstimate({}) + ' '), "\"\"") << "no figure";
    EXPECT_FALSE(shortEstimate({}).empty());
}

TEST(EstimateText, AFixHasOneExpectationWhereverItIsShown)
{
    const Finding finding = findingWith(Estimate{0.75, "x"});
    Fix fix;
    EXPECT_NEAR(*computeExpectedSpeedup(finding, fix), 4, 1e-12) << "nothing was learned: the finding's estimate";
    fix.gain = 0.5;
    EXPECT_NEAR(*computeExpectedSpeedup(finding, fix), 2, 1e-12) << "what similar changes gained";
    EXPECT_EQ(computeExpectedSpeedup(findingWith({}), Fix{}), std::nullopt);
}

TEST(EstimateText, AGainOfAllTheTimeIsNone)
{
    Fix fix;
    fix.gain = 1;
    EXPECT_NEAR(*computeExpectedSpeedup(findingWith(Estimate{0.75, "x"}), fix), 4, 1e-12) << "the finding's estimate is left";
    EXPECT_EQ(computeExpectedSpeedup(findingWith({}), fix), std::nullopt);
    fix.gain = 0;
    EXPECT_EQ(computeExpectedSpeedup(findingWith(Estimate{0.75, "x"}), fix), 1) << "similar changes gained nothing";
}

TEST(EstimateText, WhereTheHostIsTheMatterTheWallTimeIsMeant)
{
    const auto describeEstimate = [](double reduction, const std::string& classId) {
        return estimateText(findingWith(Estimate{reduction, "x"}, classId));
    };
    EXPECT_EQ(describeEstimate(0.5, std::string(kHostBound)), describeEstimate(0.5, "launch-overhead"));
    EXPECT_EQ(describeEstimate(0.5, "latency-bound"), describeEstimate(0.5, "uncoalesced"));
    EXPECT_EQ(test::valueText(describeEstimate(0.126, "latency-bound")), "\"1.14 13\"");
    EXPECT_EQ(test::valueText(describeEstimate(0, "uncoalesced")), "\"1.00 0\"");
}

TEST(EstimateText, SnapshotOfTheSentences)
{
    std::string text;
    for (const Finding& finding : {findingWith(Estimate{0.78, "a / b = 78 %"}), findingWith(Estimate{0.5, "x"}, "launch-overhead"),
                                   findingWith(Estimate{0.5, "x"}, std::string(kHostBound)), findingWith(Estimate{0, "x"}),
                                   findingWith(Estimate{1, "x"}), findingWith({})})
        text += estimateText(finding) + '\n';
    text += "in a cell | " + shortEstimate({}) + '\n';
    test::expectSnapshot("texts/estimates.txt", text);
}

} // namespace
} // namespace kl
