// SPDX-License-Identifier: MIT
#include "core/stats/ab.h"

#include "core/base/format.h"
#include "core/stats/distributions.h"
#include "core/stats/robust.h"
#include "core/stats/timing_text.h"
#include "tests/support/value_lines.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <string>

namespace kl {
namespace {

/// Blocks of ABBA pairs: block-level drift shared by both sides (what interleaving cancels), a per-side re-entry effect, and sample noise.
std::vector<AbBlock> simulate(std::mt19937& random, int count, double ratio)
{
    std::normal_distribution<double> drift(0, 0.03), entry(0, 0.004), sample(0, 0.005);
    std::vector<AbBlock> blocks;
    for (int i = 0; i < count; ++i) {
        const double level = 10000 * std::exp(drift(random));
        const double sideA = std::exp(entry(random)), sideB = std::exp(entry(random));
        AbBlock block;
        for (int k = 0; k < 20; ++k) {
            block.a.push_back(level * sideA * std::exp(sample(random)));
            block.b.push_back(level * sideB / ratio * std::exp(sample(random)));
        }
        blocks.push_back(block);
    }
    return blocks;
}

/// The two-look procedure as the product runs it.
Verdict procedure(std::mt19937& random, double ratio)
{
    std::vector<AbBlock> blocks = simulate(random, 10, ratio);
    AbVerdict verdict = judge(computeRatio(blocks), 10, 0.001);
    if (verdict.needMore) {
        const auto more = simulate(random, 10, ratio);
        blocks.insert(blocks.end(), more.begin(), more.end());
        verdict = judge(computeRatio(blocks), 20, 0.001);
    }
    EXPECT_FALSE(verdict.needMore && blocks.size() >= 20);
    return verdict.verdict;
}

TEST(Distributions, MatchTables)
{
    EXPECT_NEAR(studentQuantile(0.975, 9), 2.262157, 1e-5);
    EXPECT_NEAR(studentQuantile(0.9875, 9), 2.685011, 1e-5);
    EXPECT_NEAR(studentQuantile(0.5, 3), 0, 1e-12);
    EXPECT_NEAR(binomialCdf(0, 6, 0.5), 1.0 / 64, 1e-12);
    EXPECT_EQ(binomialCdf(-1, 6, 0.5), 0);
    EXPECT_EQ(binomialCdf(6, 6, 0.5), 1);
}

TEST(Summarize, EmptyAndSingle)
{
    EXPECT_EQ(summarize({}), Summary{});
    EXPECT_EQ(summarize({7}), (Summary{7, 7, 7, 1}));
}

TEST(Summarize, OrderStatisticsOfTenSamples)
{
    // n = 10: the tabulated 95 % interval of the median is [x_2, x_9].
    const Summary summary = summarize({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_EQ(summary.median, 5.5);
    EXPECT_EQ(summary.low, 2);
    EXPECT_EQ(summary.high, 9);
    EXPECT_EQ(summary.n, 10);
}

TEST(Summarize, OrderStatisticsOfTwentyFiveSamples)
{
    std::vector<double> samples;
    for (int i = 1; i <= 25; ++i)
        samples.push_back(i);
    const Summary summary = summarize(samples); // tabulated: [x_8, x_18]
    EXPECT_EQ(summary.low, 8);
    EXPECT_EQ(summary.high, 18);
}

TEST(Summarize, OrderStatisticsOfEightSamples)
{
    // [x_2, x_7] covers the median in 93 % only: the tabulated interval is [x_1, x_8].
    const Summary summary = summarize({1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_EQ(summary.low, 1);
    EXPECT_EQ(summary.high, 8);
}

TEST(Summarize, OneOutlierDoesNotMoveTheMedian)
{
    std::vector<double> samples(50, 100.0);
    samples[0] = 1e9;
    const Summary summary = summarize(samples);
    EXPECT_EQ(summary.median, 100);
    EXPECT_EQ(summary.high, 100);
}

TEST(Robust, QuantilesInterpolate)
{
    EXPECT_EQ(computeQuantile({4, 1, 3, 2}, 0.5), 2.5);
    EXPECT_EQ(computeQuantile({4, 1, 3, 2}, 0), 1);
    EXPECT_EQ(computeQuantile({4, 1, 3, 2}, 1), 4);
    EXPECT_EQ(computeMedian({}), 0);
}

TEST(TimingText, SaysWhatWasMeasuredAndLeavesOutWhatWasNot)
{
    Timing timing;
    timing.gpu = {8130, 8100, 8200, 3};
    EXPECT_EQ(test::valueText(samplesText(timing)), "\"3 0\"");
    EXPECT_EQ(gpuStateText(timing), "");
    timing.samples = {8100, 8130, 8200};
    timing.clocks = {1980.0, std::nullopt, 1965.0};
    timing.clockMhz = 1980;
    timing.discarded = 2;
    timing.stoppedBy = "noise-stable";
    timing.temperatureC = 41;
    timing.throttleReasons = {"power cap"};
    EXPECT_EQ(test::valueText(samplesText(timing)), "\"3 8.1 8.12 8.16 95 1.23 2\"");
    EXPECT_THAT(samplesText(timing), testing::HasSubstr(formatTime(8100)));
    EXPECT_EQ(test::valueText(gpuStateText(timing)), "\"1980 1965 1980 41\"");
    EXPECT_THAT(gpuStateText(timing), testing::AllOf(testing::HasSubstr(formatClock(1965)), testing::EndsWith(" power cap")));
}

TEST(TimingText, EachEndOfASeriesReadsDifferently)
{
    Timing timing;
    timing.gpu = {8130, 8100, 8200, 3};
    const std::string single = samplesText(timing);
    timing.stoppedBy = "one profiled launch";
    EXPECT_EQ(samplesText(timing), single) << "it is not a series";
    std::set<std::string> texts;
    for (const char* code : {"noise-stable", "sample-limit", "time-limit", "hopeless", "end of the program"}) {
        timing.stoppedBy = code;
        EXPECT_TRUE(samplesText(timing).starts_with(single + "; ")) << samplesText(timing);
        EXPECT_TRUE(texts.insert(samplesText(timing)).second) << code;
    }
}

TEST(RatioOf, IsTimeAOverTimeBAndExactForConstantBlocks)
{
    const std::vector<AbBlock> blocks(10, AbBlock{{200, 200}, {100, 100}});
    const Ratio ratio = computeRatio(blocks);
    EXPECT_NEAR(ratio.value, 2, 1e-12);
    EXPECT_NEAR(ratio.low, 2, 1e-12);
    EXPECT_NEAR(ratio.high, 2, 1e-12);
}

TEST(RatioOf, SwappingTheSidesInvertsTheInterval)
{
    std::mt19937 random(7);
    std::vector<AbBlock> blocks = simulate(random, 10, 1.3);
    const Ratio forward = computeRatio(blocks);
    for (AbBlock& block : blocks)
        std::swap(block.a, block.b);
    const Ratio backward = computeRatio(blocks);
    EXPECT_NEAR(forward.value * backward.value, 1, 1e-12);
    EXPECT_NEAR(forward.low * backward.high, 1, 1e-12);
}

TEST(RatioOf, IntervalIsStudentsT)
{
    // Two blocks with log effects 0 and 2h: mean h, standard error h, half width t(0.9875, 1) × h.
    const double h = 0.01;
    const std::vector<AbBlock> blocks{{{1}, {1}}, {{std::exp(2 * h)}, {1}}};
    const Ratio ratio = computeRatio(blocks);
    EXPECT_NEAR(std::log(ratio.value), h, 1e-12);
    EXPECT_NEAR(std::log(ratio.high), h + studentQuantile(0.9875, 1) * h, 1e-9);
}

TEST(Judge, FiveVerdicts)
{
    EXPECT_EQ(judge({1.5, 1.4, 1.6}, 10, 0.002).verdict, Verdict::faster);
    EXPECT_EQ(judge({0.7, 0.6, 0.8}, 10, 0.002).verdict, Verdict::slower);
    EXPECT_EQ(judge({1.0, 0.995, 1.004}, 10, 0.002).verdict, Verdict::equivalent);
    EXPECT_EQ(judge({1.02, 0.98, 1.06}, 10, 0.002).verdict, Verdict::inconclusive);
    EXPECT_EQ(judge({NAN, NAN, NAN}, 10, 0.002).verdict, Verdict::notComparable);
}

TEST(Judge, AnEffectWithinTwiceTheNoiseIsNoVerdict)
{
    const AbVerdict verdict = judge({1.05, 1.03, 1.07}, 10, 0.03);
    EXPECT_EQ(verdict.verdict, Verdict::inconclusive);
    EXPECT_EQ(verdict.reason, "effect-below-noise");
    EXPECT_EQ(judge({1.05, 1.03, 1.07}, 10, 0.02).verdict, Verdict::faster);
    EXPECT_EQ(judge({0.95, 0.93, 0.97}, 10, 0.03).verdict, Verdict::inconclusive);
}

TEST(Judge, OnePercentIsTheEdgeOfEquivalentAndTheLeastEffectOfAVerdict)
{
    EXPECT_EQ(judge({1.0, 0.991, 1.009}, 20, 0).verdict, Verdict::equivalent);
    EXPECT_EQ(judge({1.0, 0.991, 1.011}, 20, 0).verdict, Verdict::inconclusive);
    EXPECT_EQ(judge({1.0, 0.989, 1.009}, 20, 0).verdict, Verdict::inconclusive);
    EXPECT_EQ(judge({1.011, 1.002, 1.02}, 20, 0).verdict, Verdict::faster);
    EXPECT_EQ(judge({1.009, 1.002, 1.016}, 20, 0).reason, "effect-below-noise");
    EXPECT_EQ(judge({0.989, 0.98, 0.998}, 20, 0).verdict, Verdict::slower);
    EXPECT_EQ(judge({0.991, 0.984, 0.998}, 20, 0).reason, "effect-below-noise");
}

TEST(Judge, AsksForTenMoreBlocksOnce)
{
    EXPECT_TRUE(judge({1.02, 0.98, 1.06}, 10, 0).needMore);
    EXPECT_FALSE(judge({1.02, 0.98, 1.06}, 20, 0).needMore);
    EXPECT_FALSE(judge({1.5, 1.4, 1.6}, 10, 0).needMore);
}

TEST(JudgeKeep, TheRuleOfGateFive)
{
    EXPECT_EQ(judgeKeep({1.3, 1.20, 1.4}, 10, 1.2, 0), KeepDecision::keep);
    EXPECT_EQ(judgeKeep({1.1, 1.00, 1.19}, 10, 1.2, 0), KeepDecision::revert);
    EXPECT_EQ(judgeKeep({1.2, 1.15, 1.25}, 10, 1.2, 0), KeepDecision::moreBlocks);
    EXPECT_EQ(judgeKeep({1.2, 1.15, 1.25}, 20, 1.2, 0), KeepDecision::inconclusive);
    EXPECT_EQ(judgeKeep({1.2, 1.15, 1.2}, 10, 1.2, 0), KeepDecision::moreBlocks); // an upper bound at 1.20 is not below it
}

TEST(JudgeKeep, AnEffectWithinTwiceTheNoiseIsNotKept)
{
    EXPECT_EQ(judgeKeep({1.3, 1.25, 1.35}, 10, 1.2, 0.1), KeepDecision::keep);
    EXPECT_EQ(judgeKeep({1.3, 1.25, 1.35}, 10, 1.2, 0.16), KeepDecision::moreBlocks);
    EXPECT_EQ(judgeKeep({1.3, 1.25, 1.35}, 20, 1.2, 0.16), KeepDecision::inconclusive);
    EXPECT_EQ(judgeKeep({1.1, 1.05, 1.15}, 20, 1.2, 0.16), KeepDecision::revert);
}

TEST(Simulation, IdenticalCodeIsSeldomCalledDifferent)
{
    std::mt19937 random(20251121);
    int wrong = 0;
    for (int i = 0; i < 400; ++i) {
        const Verdict verdict = procedure(random, 1.0);
        wrong += verdict == Verdict::faster || verdict == Verdict::slower;
    }
    EXPECT_LE(wrong, 20); // 5 % of 400
}

TEST(Simulation, ThreePercentIsFoundAndItsSignIsRight)
{
    std::mt19937 random(4711);
    int found = 0, wrongSign = 0;
    for (int i = 0; i < 200; ++i) {
        const Verdict verdict = procedure(random, 1.03);
        found += verdict == Verdict::faster;
        wrongSign += verdict == Verdict::slower;
    }
    EXPECT_GE(found, 190);
    EXPECT_EQ(wrongSign, 0);
}

TEST(Judge, AnEndAtOnePercentIsNotInsideIt)
{
    EXPECT_NE(judge({1.0, 1 - 0.01, 1.005}, 20, 0).verdict, Verdict::equivalent);
    EXPECT_NE(judge({1.0, 0.995, 1 + 0.01}, 20, 0).verdict, Verdict::equivalent);
}

TEST(RatioOf, APairWithATimeThatIsNotPositiveSaysNothing)
{
    const std::vector<AbBlock> blocks(3, AbBlock{{200, 0, 200, 100}, {100, 100, 100, 0}});
    const Ratio ratio = computeRatio(blocks);
    EXPECT_NEAR(ratio.value, 2, 1e-12);
    EXPECT_NEAR(ratio.high, 2, 1e-12);
}

TEST(Noise, OfRepeatsIsTheRootOfTheMeanSquare)
{
    EXPECT_EQ(computeNoise({}), 0);
    EXPECT_NEAR(computeNoise({std::exp(0.03), std::exp(-0.04)}), std::expm1(std::sqrt((0.0009 + 0.0016) / 2)), 1e-12);
}

TEST(TimingText, AnIntervalNeedsTwoSamplesAndEnergyHasItsWindow)
{
    EXPECT_EQ(timeInterval({100, 90, 110, 1}), timeInterval({7, 7, 7, 1})) << "one sample has no ends";
    EXPECT_THAT(timeInterval({100, 90, 110, 2}), testing::StartsWith(formatTime(90)));
    EXPECT_THAT(timeInterval({100, 90, 110, 2}), testing::EndsWith(formatTime(110)));
    const std::string joules = energyText({0.0125, 2.0, 20, 20, {}});
    EXPECT_NE(joules.find("12.5\u202fmJ"), std::string::npos) << joules;
    EXPECT_NE(joules.find("2\u202fs"), std::string::npos) << joules;
    EXPECT_EQ(energyText({{}, 0, 0, 0, "no counter"}).find("mJ"), std::string::npos);
    EXPECT_NE(energyText({{}, 0, 0, 0, "no counter"}).find("no counter"), std::string::npos);
}

TEST(TimingText, MemoryStandsBesideTheBaselinesWhereThatHasAny)
{
    Baseline copy{"copy", Summary{}, {}, {}, {}};
    EXPECT_EQ(memoryText(2048, {}), "2\u202fKiB");
    EXPECT_EQ(memoryText(2048, copy), "2\u202fKiB") << "a copy has no library";
    copy.memoryBytes = 4096;
    EXPECT_NE(memoryText(2048, copy).find("4\u202fKiB"), std::string::npos);
    const Baseline library{"SDPA", Summary{}, {}, "torch 2.11", {}};
    EXPECT_NE(memoryText(2048, library).find("SDPA"), std::string::npos) << "that it was not recorded is reported";
}

TEST(JudgeUnpaired, TakesTheFarEndsAndWhatRunsDiffer)
{
    const Summary slow{200, 190, 210, 10};
    const Summary fast{100, 95, 110, 10};
    const UnpairedVerdict faster = judgeUnpaired(slow, fast, 0);
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_EQ(faster.reason, "interval-above-1");
    EXPECT_EQ(faster.ratio, (Ratio{2, 190.0 / 110, 210.0 / 95}));
    const UnpairedVerdict slower = judgeUnpaired(fast, slow, 0);
    EXPECT_EQ(slower.verdict, Verdict::slower);
    EXPECT_EQ(slower.reason, "interval-below-1");
    EXPECT_EQ(slower.ratio, (Ratio{0.5, 95.0 / 210, 110.0 / 190}));
    const UnpairedVerdict wide = judgeUnpaired(slow, fast, 0.5);
    EXPECT_EQ(wide.verdict, Verdict::inconclusive);
    EXPECT_EQ(wide.reason, "runs-not-interleaved");
    EXPECT_EQ(wide.ratio, (Ratio{2, 190.0 / 110 / 2, 210.0 / 95 * 2}));
    EXPECT_EQ(judgeUnpaired(slow, fast, -1).ratio, faster.ratio) << "noise is not negative";
    EXPECT_EQ(judgeUnpaired({100, 100, 100, 5}, {100, 100, 100, 5}, 0).verdict, Verdict::inconclusive) << "1 is neither above nor below";
}

TEST(JudgeUnpaired, ATimeThatIsNoneMakesNoRatio)
{
    const Summary good{100, 90, 110, 10};
    for (const Summary& bad : {Summary{}, Summary{100, 0, 110, 10}, Summary{100, 110, 90, 10}, Summary{0, 1, 2, 10}}) {
        EXPECT_EQ(judgeUnpaired(good, bad, 0).verdict, Verdict::notComparable);
        EXPECT_EQ(judgeUnpaired(bad, good, 0).reason, "no-ratio");
    }
}

TEST(Judge, AnIntervalThatIsNoneOrReachesZeroIsNotComparable)
{
    const double infinite = std::numeric_limits<double>::infinity();
    for (const Ratio& bad : {Ratio{1.5, 0, 2}, Ratio{1.5, -1, 2}, Ratio{1.5, 1.2, infinite}, Ratio{infinite, 1.2, 2}}) {
        EXPECT_EQ(judge(bad, 10, 0).verdict, Verdict::notComparable);
        EXPECT_EQ(judge(bad, 10, 0).reason, "no-ratio");
        EXPECT_FALSE(judge(bad, 10, 0).needMore);
    }
    EXPECT_EQ(judge({1.02, 1, 1.06}, 10, 0).reason, "interval-contains-1") << "an end at 1 is not above it";
    EXPECT_EQ(judge({0.98, 0.94, 1}, 10, 0).reason, "interval-contains-1");
    EXPECT_TRUE(judge({1.05, 1.03, 1.07}, 19, 0.03).needMore);
    EXPECT_FALSE(judge({1.05, 1.03, 1.07}, 20, 0.03).needMore);
    EXPECT_TRUE(judge({0.95, 0.93, 0.97}, 10, 0.03).needMore);
    EXPECT_FALSE(judge({0.95, 0.93, 0.97}, 20, 0.03).needMore);
    EXPECT_EQ(judge({1.5, 1.4, 1.6}, 10, -5).verdict, Verdict::faster);
}

TEST(RatioOf, ABlockIsItsMedianPairAndUnpairedTimesAreLeftOut)
{
    const std::vector<AbBlock> blocks(2, AbBlock{{400, 200, 100, 999}, {100, 100, 100}}); // ratios 4, 2 and 1
    EXPECT_NEAR(computeRatio(blocks).value, 2, 1e-12);
}

TEST(TimingText, PowerIsTheEnergyOfAllLaunchesOverTheWindow)
{
    const std::string text = energyText({0.5, 2.0, 300, 300, {}}); // 150 J in 2 s
    EXPECT_NE(text.find("75\u202fW"), std::string::npos) << text;
    EXPECT_NE(text.find("(300 "), std::string::npos) << text;
    EXPECT_NE(energyText({0.5, 0, 1, 1, {}}).find(" 0\u202fW"), std::string::npos) << "no window, no power";
    Timing timing;
    timing.clockMhz = 1980;
    timing.clocks = {1980.0, 1980.0};
    timing.powerW = 310.4;
    EXPECT_EQ(test::valueText(gpuStateText(timing)), "\"1980 310\"") << "a range of one figure is none";
    timing.clockMhz.reset();
    EXPECT_EQ(gpuStateText(timing), "310\u202fW");
    timing.samples = {100, 200};
    EXPECT_NE(samplesText(timing).find(formatTime(100)), std::string::npos) << "two samples have a spread";
}

TEST(Summarize, OfFewSamplesTheRangeAndOfManyTheNarrowest)
{
    EXPECT_EQ(summarize({5, 1, 3}), (Summary{3, 1, 5, 3}));
    EXPECT_EQ(summarize({2, 1}), (Summary{1.5, 1, 2, 2}));
    const Summary nine = summarize({1, 2, 3, 4, 5, 6, 7, 8, 9}); // tabulated: [x_2, x_8]
    EXPECT_EQ(nine.low, 2);
    EXPECT_EQ(nine.high, 8);
    std::vector<double> hundred;
    for (int i = 1; i <= 100; ++i)
        hundred.push_back(i);
    EXPECT_EQ(summarize(hundred), (Summary{50.5, 40, 61, 100})) << "tabulated: [x_40, x_61]";
}

} // namespace
} // namespace kl
