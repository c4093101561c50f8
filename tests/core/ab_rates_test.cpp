// SPDX-License-Identifier: MIT
// The A/B procedure as the product runs it (two looks, judge() and judgeKeep()) against its nominal error rates, on synthetic noise with
// a known truth. Seeded, so the counts never change. A rate is checked by the 99 % upper confidence bound of its binomial proportion:
// what a test requires holds with that much certainty, not only for the counts seen.

#include "core/stats/ab.h"

#include "core/stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace kl {
namespace {

using Random = std::mt19937_64;

constexpr int kPairs = 20; // ten ABBA groups

double normal(Random& random, double sigma)
{
    return std::normal_distribution<double>(0, sigma)(random);
}

/// How blocks come out. All spreads are of logarithms: 0.01 is 1 %.
struct Noise {
    double between = 0.01;      ///< of a block's own A/B effect: what re-entry changes for one side and not for the other
    double tailsOf = 0;         ///< degrees of freedom of a Student t for it; 0 is normal
    double drift = 0.03;        ///< of a block's level, shared by both sides
    double within = 0.005;      ///< of each sample
    double slowShare = 0;       ///< of passes that take `slowBy` longer: on an H200 about a third take 1.6 µs more
    double slowBy = 0;          ///< as a fraction of the time
    double slowShareSpread = 0; ///< of that share from block to block
};

double blockEffect(Random& random, const Noise& noise)
{
    if (noise.tailsOf <= 0)
        return normal(random, noise.between);
    // Scaled to the same standard deviation: a t's variance is df / (df - 2).
    const double scale = noise.between / std::sqrt(noise.tailsOf / (noise.tailsOf - 2));
    return scale * std::student_t_distribution<double>(noise.tailsOf)(random);
}

AbBlock simulateBlock(Random& random, const Noise& noise, double ratio)
{
    const double level = 8000 * std::exp(normal(random, noise.drift));
    const double effect = ratio * std::exp(blockEffect(random, noise));
    const double share = std::clamp(noise.slowShare + normal(random, noise.slowShareSpread), 0.0, 1.0);
    std::bernoulli_distribution slow(share);
    const auto pass = [&](double time) {
        return time * std::exp(normal(random, noise.within)) + (slow(random) ? level * noise.slowBy : 0);
    };
    AbBlock block;
    for (int i = 0; i < kPairs; ++i) {
        block.a.push_back(pass(level));
        block.b.push_back(pass(level / effect));
    }
    return block;
}

using Blocks = std::vector<AbBlock>;

/// Ten blocks, and ten more where `more` says so of the first look.
Blocks looks(Random& random, const Noise& noise, double ratio, const std::function<bool(const Ratio&)>& more)
{
    Blocks blocks;
    while (blocks.size() < 10)
        blocks.push_back(simulateBlock(random, noise, ratio));
    if (more(computeRatio(blocks)))
        while (blocks.size() < 20)
            blocks.push_back(simulateBlock(random, noise, ratio));
    return blocks;
}

constexpr double kKeepAt = 1.2;

bool keeps(Random& random, const Noise& noise, double ratio)
{
    const Blocks blocks =
        looks(random, noise, ratio, [](const Ratio& first) { return judgeKeep(first, 10, kKeepAt, 0) == KeepDecision::moreBlocks; });
    return judgeKeep(computeRatio(blocks), static_cast<int>(blocks.size()), kKeepAt, 0) == KeepDecision::keep;
}

Verdict simulateVerdict(Random& random, const Noise& noise, double ratio)
{
    const Blocks blocks = looks(random, noise, ratio, [](const Ratio& first) { return judge(first, 10, 0).needMore; });
    return judge(computeRatio(blocks), static_cast<int>(blocks.size()), 0).verdict;
}

bool saysDifferent(Random& random, const Noise& noise, double ratio)
{
    const Verdict verdict = simulateVerdict(random, noise, ratio);
    return verdict == Verdict::faster || verdict == Verdict::slower;
}

struct Rate {
    int seen = 0;
    int trials = 0;

    /// Largest proportion under which so few would be seen in 1 of 100 such simulations (Clopper and Pearson, one-sided).
    double upper() const
    {
        double low = static_cast<double>(seen) / trials;
        double high = 1;
        for (int i = 0; i < 60; ++i) {
            const double p = (low + high) / 2;
            (binomialCdf(seen, trials, p) > 0.01 ? low : high) = p;
        }
        return high;
    }
};

std::ostream& operator<<(std::ostream& out, const Rate& rate)
{
    return out << rate.seen << " of " << rate.trials << ", 99 % upper bound " << 100 * rate.upper() << " %";
}

Rate measureRate(std::uint64_t seed, int trials, const std::function<bool(Random&)>& event)
{
    Random random(seed);
    Rate rate{0, trials};
    for (int i = 0; i < trials; ++i)
        rate.seen += event(random) ? 1 : 0;
    return rate;
}

constexpr int kTrials = 4000;

TEST(AbRates, TheBoundOfARateIsTheTabulatedOne)
{
    EXPECT_NEAR((Rate{0, 100}).upper(), 1 - std::pow(0.01, 1.0 / 100), 1e-9);
    EXPECT_NEAR((Rate{5, 100}).upper(), 0.1259, 0.0005);
}

TEST(AbRates, AGainOf18PercentIsKeptInAtMostOneOf100)
{
    const Rate rate = measureRate(118, kTrials, [](Random& random) { return keeps(random, {}, 1.18); });
    EXPECT_LE(rate.upper(), 0.01) << rate;
}

TEST(AbRates, AGainOfExactly20PercentIsKeptInAtMost35Of1000)
{
    const Rate rate = measureRate(120, kTrials, [](Random& random) { return keeps(random, {}, 1.20); });
    EXPECT_LE(rate.upper(), 0.035) << rate;
    EXPECT_GT(rate.seen, kTrials / 200) << rate; // it is a real test of the bound, not a procedure that never keeps
}

TEST(AbRates, AGainOf22PercentIsKeptInAtLeast98Of100)
{
    const Rate missed = measureRate(122, kTrials, [](Random& random) { return !keeps(random, {}, 1.22); });
    EXPECT_LE(missed.upper(), 0.02) << missed;
}

TEST(AbRates, IdenticalCodeIsCalledDifferentInAtMostOneOf100)
{
    const Rate rate = measureRate(100, kTrials, [](Random& random) { return saysDifferent(random, {}, 1); });
    EXPECT_LE(rate.upper(), 0.01) << rate;
}

/// Between-block noise as measured on an H200 (tests/bench/results/aa_repeats.md): then nearly every A/A ends with a verdict.
TEST(AbRates, IdenticalCodeOnAQuietGpuIsCalledEquivalent)
{
    Noise quiet;
    quiet.between = 0.005;
    const Rate other = measureRate(101, kTrials, [&](Random& random) { return simulateVerdict(random, quiet, 1) != Verdict::equivalent; });
    EXPECT_LE(other.upper(), 0.01) << other;
}

// Robustness: what a normal distribution does not have. The limits are the same.

Noise dithered()
{
    Noise noise;
    noise.between = 0.005;
    noise.slowShare = 1.0 / 3;
    noise.slowBy = 0.2; // 1.6 µs of 8
    noise.slowShareSpread = 0.05;
    return noise;
}

TEST(AbRatesRobust, SlowPassesOfAMemoryBoundKernelMakeNoFalseAlarm)
{
    const Rate rate = measureRate(301, kTrials, [](Random& random) { return saysDifferent(random, dithered(), 1); });
    EXPECT_LE(rate.upper(), 0.01) << rate;
}

TEST(AbRatesRobust, SlowPassesDoNotKeepAGainOf18Percent)
{
    const Rate rate = measureRate(302, kTrials, [](Random& random) { return keeps(random, dithered(), 1.18); });
    EXPECT_LE(rate.upper(), 0.01) << rate;
}

Noise heavyTailed()
{
    Noise noise;
    noise.tailsOf = 3;
    return noise;
}

TEST(AbRatesRobust, HeavyTailsBetweenBlocksMakeNoFalseAlarm)
{
    const Rate rate = measureRate(303, kTrials, [](Random& random) { return saysDifferent(random, heavyTailed(), 1); });
    EXPECT_LE(rate.upper(), 0.01) << rate;
}

TEST(AbRatesRobust, HeavyTailsDoNotKeepAGainOfExactly20Percent)
{
    const Rate rate = measureRate(304, kTrials, [](Random& random) { return keeps(random, heavyTailed(), 1.20); });
    EXPECT_LE(rate.upper(), 0.035) << rate;
}

TEST(Noise, IsTheRootMeanSquareOfTheLogRatios)
{
    EXPECT_EQ(computeNoise({}), 0);
    EXPECT_NEAR(computeNoise({1.01, 1 / 1.01}), 0.01, 1e-12);
    EXPECT_NEAR(computeNoise({1, 1, 1, std::exp(0.02)}), std::expm1(0.01), 1e-12);
}

TEST(JudgeUnpaired, NeedsMoreThanTheRunsMayHaveMovedAndIsNeverEquivalent)
{
    const auto at = [](double median) { return Summary{median, median * 0.999, median * 1.001, 100}; };
    EXPECT_EQ(judgeUnpaired(at(100), at(90), 0.025).verdict, Verdict::faster);
    EXPECT_EQ(judgeUnpaired(at(90), at(100), 0.025).verdict, Verdict::slower);
    EXPECT_EQ(judgeUnpaired(at(100), at(96), 0.025).verdict, Verdict::inconclusive);
    const UnpairedVerdict same = judgeUnpaired(at(100), at(100), 0);
    EXPECT_EQ(same.verdict, Verdict::inconclusive);
    EXPECT_EQ(same.reason, "runs-not-interleaved");
    EXPECT_EQ(judgeUnpaired(at(0), at(100), 0).verdict, Verdict::notComparable);
    const Ratio wide = judgeUnpaired(at(100), at(50), 0.05).ratio;
    EXPECT_NEAR(wide.value, 2, 1e-12);
    EXPECT_NEAR(wide.low, 2 * 0.999 / 1.001 / 1.1, 1e-12);
    EXPECT_NEAR(wide.high, 2 * 1.001 / 0.999 * 1.1, 1e-12);
}

} // namespace
} // namespace kl
