// SPDX-License-Identifier: MIT
#include "core/stats/confirmation.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A rival of 100 ns against a winner of 100 / ratio, per block.
Confirmation judged(const std::vector<double>& ratios, double target = 1.10)
{
    std::vector<AbBlock> blocks;
    for (const double ratio : ratios)
        blocks.push_back({{90, 100, 300}, {100 / ratio, 100 / ratio}});
    Confirmation confirmation;
    confirmation.target = target;
    judgeTarget(blocks, confirmation);
    return confirmation;
}

TEST(Confirmation, ItsIntervalsAreThoseOfTheBlocks)
{
    const Confirmation made = judged({1.2, 1.25, 1.3});
    EXPECT_EQ(made.blocks, 3);
    EXPECT_EQ(made.samples, 6) << "of the winner";
    EXPECT_DOUBLE_EQ(made.rivalNs, 100) << "the median of a block, which one slow pass does not move";
    EXPECT_NEAR(made.winnerNs, 80, 1e-9);
    // By hand: logs 0.182322, 0.223144, 0.262364; mean 0.222610, standard error 0.023108; t(0.975, 2) = 4.302653.
    EXPECT_NEAR(made.student.value, std::exp(0.222610), 1e-5);
    EXPECT_NEAR(made.student.low, std::exp(0.222610 - 4.302653 * 0.023108), 1e-4);
    EXPECT_NEAR(made.student.high, std::exp(0.222610 + 4.302653 * 0.023108), 1e-4);
    EXPECT_NEAR(made.bootstrap.low, 1.2, 1e-9) << "of three blocks, one sample in 27 is the least one three times";
    EXPECT_NEAR(made.bootstrap.high, 1.3, 1e-9);
    EXPECT_EQ(judged({1.2, 1.25, 1.3}), made) << "always the same samples";
}

TEST(Confirmation, TheTargetIsMetOrMissedByBothIntervals)
{
    EXPECT_EQ(judged({1.20, 1.21, 1.22, 1.21}).verdict, TargetVerdict::met);
    EXPECT_EQ(judged({1.05, 1.06, 1.05, 1.06}).verdict, TargetVerdict::missed);
    EXPECT_EQ(judged({1.05, 1.15, 1.08, 1.12}).verdict, TargetVerdict::inconclusive);
    EXPECT_EQ(judged({1.20, 1.21, 1.22, 1.21}, 1.21).verdict, TargetVerdict::inconclusive);
    EXPECT_EQ(judged({1.5}).verdict, TargetVerdict::inconclusive);
    EXPECT_FALSE(judged({1.5}).reason.empty());
}

TEST(Confirmation, ATargetIsMetAtItsExactValueAndBothIntervalsCount)
{
    const std::vector<double> ratios{1.20, 1.21, 1.22, 1.21};
    const Confirmation made = judged(ratios);
    EXPECT_EQ(judged(ratios, std::min(made.student.low, made.bootstrap.low)).verdict, TargetVerdict::met);
    EXPECT_EQ(judged(ratios, std::max(made.student.high, made.bootstrap.high)).verdict, TargetVerdict::inconclusive);
    // Of two blocks Student's interval is far wider than the bootstrap's, which ends at the blocks.
    const Confirmation two = judged({1.20, 1.30}, 1.10);
    EXPECT_GT(two.bootstrap.low, 1.10);
    EXPECT_LT(two.student.low, 1.10);
    EXPECT_EQ(two.verdict, TargetVerdict::inconclusive);
    const Confirmation above = judged({1.20, 1.30}, 1.40);
    EXPECT_LT(above.bootstrap.high, 1.40);
    EXPECT_GT(above.student.high, 1.40);
    EXPECT_EQ(above.verdict, TargetVerdict::inconclusive);
}

TEST(Confirmation, JudgedAgainItCountsAnew)
{
    Confirmation confirmation;
    confirmation.target = 1.1;
    const std::vector<AbBlock> blocks(3, AbBlock{{100, 100, 100}, {80, 80}});
    judgeTarget(blocks, confirmation);
    judgeTarget(blocks, confirmation);
    EXPECT_EQ(confirmation.samples, 6);
    EXPECT_EQ(confirmation.blocks, 3);
}

TEST(Confirmation, OfManyBlocksBothIntervalsAreThoseOfANormalMean)
{
    std::vector<double> ratios;
    for (int i = 0; i < 40; ++i)
        ratios.push_back(i % 2 == 0 ? std::exp(0.1) : std::exp(0.2));
    const Confirmation made = judged(ratios);
    const double error = 0.05 / std::sqrt(39.0); // of the mean: half the step over the root of n − 1
    EXPECT_NEAR(std::log(made.student.high), 0.15 + 2.022691 * error, 1e-6);
    EXPECT_NEAR(std::log(made.student.low), 0.15 - 2.022691 * error, 1e-6);
    EXPECT_NEAR(std::log(made.bootstrap.value), 0.15, 1e-9);
    EXPECT_NEAR(std::log(made.bootstrap.low), 0.15 - 1.96 * error, 0.2 * error);
    EXPECT_NEAR(std::log(made.bootstrap.high), 0.15 + 1.96 * error, 0.2 * error);
}

TEST(Confirmation, OneBlockHasItsTimesAndNoInterval)
{
    const Confirmation one = judged({1.25});
    EXPECT_EQ(one.blocks, 1);
    EXPECT_EQ(one.samples, 2);
    EXPECT_NEAR(one.winnerNs, 80, 1e-9);
    EXPECT_EQ(one.student, Ratio{});
    EXPECT_NE(judged({1.2, 1.25}).student, Ratio{}) << "two are enough";
}

TEST(Confirmation, ABlocksRatioIsOfItsOwnTimes)
{
    Confirmation confirmation;
    confirmation.target = 2;
    judgeTarget({{{200, 200}, {100}}, {{50, 50}, {25}}, {{8}, {4}}}, confirmation);
    EXPECT_NEAR(confirmation.student.low, 2, 1e-9);
    EXPECT_NEAR(confirmation.student.high, 2, 1e-9);
    EXPECT_NEAR(confirmation.bootstrap.value, 2, 1e-9);
    EXPECT_EQ(confirmation.rivalNs, 50);
    EXPECT_EQ(confirmation.winnerNs, 25);
}

} // namespace
} // namespace kl
