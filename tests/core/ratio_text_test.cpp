// SPDX-License-Identifier: MIT
#include "core/stats/ratio_text.h"

#include "core/base/format.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "core/stats/timing_text.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

TEST(RatioText, ShowsAsManyDecimalsAsTellTheEndsApart)
{
    EXPECT_EQ(ratioText({2.0, 1.8, 2.3}), "2.00× (1.80× to 2.30×)");
    EXPECT_EQ(ratioText({3.39429, 3.3905, 3.39809}), "3.394× (3.390× to 3.399×)");
    EXPECT_EQ(ratioText({1.0071, 1.0059, 1.0083}), "1.007× (1.005× to 1.009×)");
    EXPECT_EQ(ratioText({54.2, 53.86, 54.61}), "54.2× (53.8× to 54.7×)");
    EXPECT_EQ(intervalText({0.034, 0.0331, 0.0352}), "0.033× to 0.036×");
}

TEST(RatioText, NoEndReadsAsAThresholdThatItDoesNotReach)
{
    EXPECT_EQ(intervalText({1.22, 1.1996, 1.2404}), "1.19× to 1.25×");
    EXPECT_EQ(intervalText({1.22, 1.2, 1.24}), "1.20× to 1.24×"); // a round figure is what it is
    EXPECT_EQ(intervalText({0.998, 0.9901, 1.0099}), "0.99× to 1.01×");
}

TEST(RatioText, AnIntervalOfNoWidthAndOneThatIsNoneAreReported)
{
    EXPECT_EQ(ratioText({1.5, 1.5, 1.5}), "1.50× (1.50× to 1.50×)");
    EXPECT_EQ(ratioText({1.5, 1.5 - 1e-12, 1.5 + 1e-12}), "1.50× (1.50× to 1.50×)");
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(ratioText({none, 0, std::numeric_limits<double>::infinity()}).find("nan"), std::string::npos);
}

TEST(RatioText, TheInverseSwapsTheEnds)
{
    const Ratio inverse = invertRatio({0.5, 0.4, 0.8});
    EXPECT_EQ(inverse, (Ratio{2, 1.25, 2.5}));
}

TEST(VerdictReason, IsInWordsUnlessTheSentenceGivesIt)
{
    EXPECT_NE(verdictReasonText("interval-above-1"), "");
    for (const Ratio& ratio :
         {Ratio{1.5, 1.4, 1.6}, Ratio{0.5, 0.4, 0.6}, Ratio{1, 0.995, 1.005}, Ratio{1, 0.9, 1.1}, Ratio{1.005, 1.001, 1.02}})
        EXPECT_NE(verdictReasonText(judge(ratio, 20, 0).reason), "") << judge(ratio, 20, 0).reason;
    EXPECT_EQ(judgeUnpaired({100, 90, 110, 5}, {100, 90, 110, 5}, 0.04).reason, "runs-not-interleaved");
    EXPECT_NE(verdictReasonText("runs-not-interleaved"), verdictReasonText("interval-contains-1"));
    EXPECT_EQ(verdictReasonText("other-device"), "");
}

TEST(VerdictReason, SnapshotOfTheReasons)
{
    std::string text;
    for (const char* reason : {"interval-above-1", "interval-below-1", "interval-inside-one-percent", "interval-contains-1",
                               "runs-not-interleaved", "effect-below-noise"})
        text += std::string(reason) + ": " + std::string(verdictReasonText(reason)) + '\n';
    test::expectSnapshot("texts/verdict-reasons.txt", text);
}

TEST(TimingText, SnapshotOfTheWords)
{
    Timing timing;
    timing.gpu = {8130, 8100, 8200, 3};
    std::string text;
    for (const char* code : {"noise-stable", "sample-limit", "time-limit", "hopeless", "end of the program", "one profiled launch"}) {
        timing.stoppedBy = code;
        text += std::string(code) + ": " + samplesText(timing) + '\n';
    }
    timing.clockMhz = 1980;
    timing.clocks = {1980.0, 1965.0};
    timing.temperatureC = 41.4;
    timing.powerW = 310.5;
    timing.throttleReasons = {"power cap", "heat"};
    text += gpuStateText(timing) + '\n';
    for (const int samples : {1, 2})
        text += "interval of " + std::to_string(samples) + " | " + timeInterval({8130, 8100, 8200, samples}) + '\n';
    for (const Energy& energy : {Energy{0.5, 2, 1, 3, {}}, Energy{0.5, 2, 1000, 3, {}}, Energy{{}, 0, 0, 0, "REASON"}})
        text += "energy of " + std::to_string(energy.launches) + " | " + energyText(energy) + '\n';
    text += "energies | " + energyRatioText({Ratio{2, 1.8, 2.3}, 0.004, 0.002, 5, ""}) + '\n';
    text += "no energies | " + energyRatioText({{}, 0.004, 0.002, 5, "REASON"}) + '\n';
    test::expectSnapshot("texts/timing.txt", text);
}

TEST(PaceText, SaysFasterAndSlowerInTheSameWay)
{
    EXPECT_EQ(test::valueText(paceText(100, 350)), "\"3.50\"");
    EXPECT_EQ(test::valueText(paceText(350, 100)), "\"3.50\"");
    EXPECT_NE(paceText(100, 350), paceText(350, 100));
    EXPECT_EQ(paceText(1, 3.5), paceText(100, 350));
    EXPECT_THAT(paceText(1273, 100), testing::HasSubstr("12.7×"));
    EXPECT_EQ(test::valueText(paceText(100, 100.3) + ' '), "\"\"") << "no figure";
    EXPECT_EQ(paceText(100, 100.3), paceText(100.3, 100));
}

TEST(PaceText, SnapshotOfTheWords)
{
    std::string text;
    for (const auto& [time, other] : {std::pair{100.0, 350.0}, {350.0, 100.0}, {1273.0, 100.0}, {100.0, 100.3}, {100.3, 100.0}})
        text += formatNumber(time) + " to " + formatNumber(other) + " | " + paceText(time, other) + '\n';
    test::expectSnapshot("texts/pace.txt", text);
}

TEST(TimeInterval, OneLaunchHasNone)
{
    const std::string ends = timeInterval(Summary{8000, 7900, 8100, 20});
    EXPECT_THAT(ends, testing::StartsWith(formatTime(7900)));
    EXPECT_THAT(ends, testing::EndsWith(formatTime(8100)));
    EXPECT_EQ(test::valueText(ends), "\"7.9 8.1\"");
    EXPECT_EQ(timeInterval(Summary{8000, 8000, 8000, 1}), timeInterval(Summary{7, 6, 8, 1}));
    EXPECT_NE(timeInterval(Summary{8000, 8000, 8000, 1}), timeInterval(Summary{8000, 8000, 8000, 2}));
}

TEST(RatioText, OfEnergyHasBothSidesFiguresOrWhyThereAreNone)
{
    EnergyComparison energy{Ratio{2, 1.8, 2.3}, 0.004, 0.002, 5, ""};
    EXPECT_THAT(energyRatioText(energy), testing::StartsWith(ratioText(*energy.ratio)));
    EXPECT_THAT(energyRatioText(energy), testing::ContainsRegex(formatEnergy(0.004) + ".*" + formatEnergy(0.002)));
    energy.bJ.reset();
    energy.reason = "no sensor";
    EXPECT_THAT(energyRatioText(energy), testing::EndsWith(": no sensor"));
    EXPECT_EQ(test::valueText(energyRatioText(energy)), "\"\"");
}

TEST(Robust, NoiseIsTheWidthRelativeToTheMedian)
{
    EXPECT_DOUBLE_EQ(relativeNoise({4, 3, 5, 10}), 0.5);
    EXPECT_DOUBLE_EQ(relativeNoise({0, 0, 5, 10}), 0);
}

TEST(Robust, QuantilesLieBetweenTheirNeighbours)
{
    EXPECT_DOUBLE_EQ(computeQuantile({}, 0.5), 0);
    EXPECT_DOUBLE_EQ(computeQuantile({7}, 0.9), 7);
    EXPECT_DOUBLE_EQ(computeQuantile({4, 1, 3, 2}, 0), 1);
    EXPECT_DOUBLE_EQ(computeQuantile({4, 1, 3, 2}, 1), 4);
    EXPECT_DOUBLE_EQ(computeQuantile({4, 1, 3, 2}, 2), 4) << "no more than all";
    EXPECT_DOUBLE_EQ(computeQuantile({40, 10, 30, 20}, 0.25), 17.5);
    EXPECT_DOUBLE_EQ(computeMedian({40, 10, 30, 20}), 25);
}

TEST(RatioText, LargeAndSmallRatiosHaveTheUsualDecimals)
{
    const std::vector<std::pair<double, std::string>> cases{{0.05, "0.050×"}, {0.1, "0.10×"},  {0.25, "0.25×"}, {9.94, "9.94×"},
                                                            {9.96, "10.0×"},  {99.4, "99.4×"}, {99.6, "100×"},  {250, "250×"}};
    for (const auto& [value, text] : cases) {
        const std::string shown = ratioText({value, value, value});
        EXPECT_TRUE(shown.starts_with(text + " (")) << shown;
    }
    EXPECT_EQ(ratioText({1.5, 1.4999995, 1.5000005}), "1.5000× (1.4999× to 1.5001×)") << "four decimals are the most";
    EXPECT_EQ(ratioText({100, 90, 110}), "100× (90× to 110×)");
}

TEST(RatioText, AnEndThatIsNoNumberIsAdmitted)
{
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(intervalText({2, 1, infinite}), "1.00× to " + formatRatio(infinite));
    EXPECT_EQ(ratioText({2, -infinite, 3}), "2.00× (" + formatRatio(-infinite) + " to 3.00×)");
    EnergyComparison energy{Ratio{2, 1.8, 2.3}, 0.004, 0.002, 5, "why"};
    energy.aJ.reset();
    EXPECT_THAT(energyRatioText(energy), testing::EndsWith(": why"));
    EXPECT_EQ(test::valueText(energyRatioText(energy)), "\"\"");
    energy.aJ = 0.004;
    energy.ratio.reset();
    EXPECT_THAT(energyRatioText(energy), testing::EndsWith(": why"));
    EXPECT_EQ(test::valueText(energyRatioText(energy)), "\"\"");
}

TEST(TimingText, TheStateOfAGpuHasWhatIsKnown)
{
    Timing timing;
    timing.temperatureC = 41.4;
    timing.powerW = 310.5;
    timing.throttleReasons = {"power cap", "heat"};
    EXPECT_EQ(test::valueText(gpuStateText(timing)), "\"41 310\"");
    EXPECT_THAT(gpuStateText(timing), testing::EndsWith(" power cap, heat"));
    timing = {};
    timing.clocks = {1980.0, 1965.0};
    EXPECT_EQ(gpuStateText(timing), "") << "without the median they say nothing";
    timing.clockMhz = 1980;
    timing.clocks = {1980.0, std::nullopt, 1980.0};
    EXPECT_THAT(gpuStateText(timing), testing::EndsWith(formatClock(1980)));
    EXPECT_EQ(test::valueText(gpuStateText(timing)), "\"1980\"");
    timing.clocks = {1965.0, 1980.0};
    EXPECT_THAT(gpuStateText(timing), testing::HasSubstr(' ' + formatClock(1980) + " (" + formatClock(1965)));
    EXPECT_EQ(test::valueText(gpuStateText(timing)), "\"1980 1965 1980\"");
}

TEST(TimingText, EnergyIsThatOfALaunchAndThePowerThatOfTheWindow)
{
    const auto expectFigures = [](const Energy& energy, const std::vector<std::string>& figures) {
        const std::string text = energyText(energy);
        std::size_t at = 0;
        for (const std::string& figure : figures) {
            const std::size_t found = text.find(figure, at);
            ASSERT_NE(found, std::string::npos) << figure << " in " << text;
            at = found + figure.size();
        }
    };
    expectFigures({0.5, 2, 1, 3, {}}, {formatEnergy(0.5) + ' ', '(' + formatCount(1) + ' ', ' ' + formatTime(2e9), " 0\u202fW"});
    expectFigures({0.5, 2, 1000, 3, {}}, {formatEnergy(0.5) + ' ', '(' + formatCount(1000) + ' ', ' ' + formatTime(2e9), " 250\u202fW"});
    EXPECT_EQ(energyText({0.5, 0, 1000, 3, {}}).find("inf"), std::string::npos);
}

} // namespace
} // namespace kl
