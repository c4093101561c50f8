// SPDX-License-Identifier: MIT
#include "core/diagnosis/classes.h"
#include "core/diagnosis/estimate_text.h"

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
    EXPECT_EQ(estimateText(findingWith(Estimate{0.78, "a / b = 78 %"})), "Estimated speedup 4.55× (78\u202f% less GPU time): a / b = 78 %");
    EXPECT_NEAR(*computeEstimatedSpeedup(findingWith(Estimate{0.75, ""})), 4, 1e-12);
}

TEST(EstimateText, IsAboutWallTimeForLaunchOverhead)
{
    EXPECT_EQ(estimateText(findingWith(Estimate{0.5, "x"}, "launch-overhead")), "Estimated speedup 2.00× (50\u202f% less wall time): x");
}

TEST(EstimateText, HasNoSpeedupWithoutAnEstimateOrForAllTheTime)
{
    EXPECT_EQ(computeEstimatedSpeedup(findingWith({})), std::nullopt);
    EXPECT_EQ(computeEstimatedSpeedup(findingWith(Estimate{1, "x"})), std::nullopt);
    EXPECT_EQ(estimateText(findingWith(Estimate{1, "x"})), "Estimated: 100\u202f% less GPU time: x");
    EXPECT_NE(estimateText(findingWith({})).find("No speedup estimate"), std::string::npos);
}

TEST(EstimateText, IsShortInACell)
{
    EXPECT_EQ(shortEstimate(2.0), "2.00×");
    EXPECT_EQ(shortEstimate({}), "not estimated");
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
    EXPECT_EQ(estimateText(findingWith(Estimate{0.5, "x"}, std::string(kHostBound))),
              "Estimated speedup 2.00× (50\u202f% less wall time): x");
    EXPECT_EQ(estimateText(findingWith(Estimate{0.126, "x"}, "latency-bound")), "Estimated speedup 1.14× (13\u202f% less GPU time): x");
    EXPECT_EQ(estimateText(findingWith(Estimate{0, "x"})), "Estimated speedup 1.00× (0\u202f% less GPU time): x");
}

} // namespace
} // namespace kl
