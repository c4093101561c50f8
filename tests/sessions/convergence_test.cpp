// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/convergence.h"
#include "tests/support/snapshot.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <utility>

namespace kl {
namespace {

std::vector<double> decaying(double first, double decay, int n)
{
    std::vector<double> minutes;
    for (int i = 0; i < n; ++i)
        minutes.push_back(first * std::pow(decay, i));
    return minutes;
}

TEST(Convergence, OfAPerfectDecayIsWhereItMeetsTheTarget)
{
    // 510 × 0.8ⁱ = 120 at i = ln(120 / 510) / ln 0.8 = 6.48
    const Convergence found = estimateConvergence(decaying(510, 0.8, 6));
    ASSERT_TRUE(found.sessions) << found.why;
    EXPECT_NEAR(*found.sessions, std::log(120.0 / 510) / std::log(0.8), 1e-9);
    EXPECT_NEAR(*found.decay, 0.8, 1e-12);
    EXPECT_NEAR(*found.low, *found.sessions, 1e-6) << "no scatter, no width";
    EXPECT_NEAR(*found.high, *found.sessions, 1e-6);
    ASSERT_EQ(found.trend.size(), 11U);
    EXPECT_NEAR(found.trend[1].minutes, 408, 1e-9);
}

TEST(Convergence, TheIntervalCoversTheTruthAboutAsOftenAsItSays)
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> scatter(0, 0.15);
    const double truth = std::log(120.0 / 510) / std::log(0.85);
    int covered = 0;
    constexpr int kTrials = 60;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> minutes = decaying(510, 0.85, 8);
        for (double& value : minutes)
            value *= std::exp(scatter(random));
        const Convergence found = estimateConvergence(minutes);
        covered += found.low && *found.low <= truth && (!found.high || truth <= *found.high) ? 1 : 0;
    }
    EXPECT_GE(covered, 48) << "of 60; a binomial of 0.95 falls below with a chance under 1 in 10,000, of 0.9 with 1 in 100";
}

TEST(Convergence, WithoutLearningThereIsNoneAndItSaysSo)
{
    const Convergence found = estimateConvergence({200, 210, 220, 240, 260});
    EXPECT_FALSE(found.sessions);
    EXPECT_FALSE(found.high);
    EXPECT_GT(*found.decay, 1);
    EXPECT_EQ(found.why.find("5 "), 0U) << found.why;
    EXPECT_NE(found.why.find(formatPercent(*found.decay * 100)), std::string::npos) << found.why;
}

TEST(Convergence, NeedsFourSessions)
{
    const Convergence found = estimateConvergence({500, 300, 0, 200});
    EXPECT_FALSE(found.sessions);
    EXPECT_EQ(found.used, 3) << "a session without time does not count";
    EXPECT_TRUE(found.trend.empty());
    EXPECT_TRUE(found.why.ends_with(" 3")) << found.why;
}

TEST(Convergence, IsTheSameEachTimeAndAlreadyThereAtZero)
{
    const std::vector<double> minutes{400, 420, 250, 260, 180};
    const Convergence once = estimateConvergence(minutes);
    const Convergence again = estimateConvergence(minutes);
    EXPECT_EQ(once.low, again.low);
    EXPECT_EQ(once.high, again.high);
    EXPECT_EQ(once.trend, again.trend);
    EXPECT_LT(*once.low, *once.sessions);
    EXPECT_EQ(estimateConvergence({100, 90, 80, 70}).sessions, 0);
}

TEST(Convergence, IsTowardsTheTargetThatIsAskedFor)
{
    const Convergence found = estimateConvergence(decaying(400, 0.5, 4), 100);
    EXPECT_NEAR(*found.sessions, 2, 1e-9);
    EXPECT_EQ(found.targetMinutes, 100);
    EXPECT_EQ(found.used, 4);
    ASSERT_EQ(found.trend.size(), 9U) << "five more than the sessions";
    EXPECT_EQ(found.trend[8].position, 8);
    EXPECT_NEAR(found.trend[8].minutes, 400 / 256.0, 1e-9);
    EXPECT_NEAR(found.trend[0].low, 400, 1e-6);
    EXPECT_TRUE(estimateConvergence({}).why.ends_with(" 0"));
    EXPECT_TRUE(estimateConvergence({5}).why.ends_with(" 1"));
}

TEST(Convergence, ItsBandIsWiderAwayFromTheMiddle)
{
    const Convergence found = estimateConvergence({400, 300, 320, 220, 210, 150});
    ASSERT_EQ(found.trend.size(), 11U);
    const auto width = [&](std::size_t i) { return std::log(found.trend[i].high / found.trend[i].low); };
    for (const TrendPoint& point : found.trend) {
        EXPECT_LT(point.low, point.minutes);
        EXPECT_LT(point.minutes, point.high);
    }
    EXPECT_LT(width(2), width(0));
    EXPECT_LT(width(5), width(10));
    EXPECT_LT(*found.low, *found.sessions);
    EXPECT_GT(*found.high, *found.sessions);
}

TEST(ConvergenceTexts, SnapshotOfEachBasis)
{
    const std::pair<const char*, std::vector<double>> cases[] = {{"none", std::vector<double>()},
                                                                 {"one", std::vector<double>{5.0}},
                                                                 {"three", std::vector<double>{500, 300, 200}},
                                                                 {"longer", std::vector<double>{200, 210, 220, 240, 260}},
                                                                 {"shorter", decaying(510, 0.8, 6)}};
    std::string text;
    for (const auto& [which, minutes] : cases)
        text += std::string(which) + ": " + estimateConvergence(minutes).why + '\n';
    test::expectSnapshot("texts/convergence.txt", text);
}

} // namespace
} // namespace kl
