// SPDX-License-Identifier: MIT
#include "profiler/live/host/series.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// A GPU of one's own: each pass takes a given time, samples come from a function of the pass's number.
struct FakeGpu {
    double secondsAPass = 0.001;
    std::function<Sample(int pass)> sample = [](int pass) { return Sample{1000.0 + pass % 3, {}, 1900, false}; };
    double clock = 0;
    int passes = 0;
    std::vector<double> waits;
    int baselineBlocks = 0;
    double baselineSeconds = 0;
    std::stop_source stop;

    SeriesPorts ports()
    {
        SeriesPorts ports;
        ports.block = [this](int count) -> Result<std::vector<Sample>> {
            std::vector<Sample> samples;
            for (int i = 0; i < count; ++i) {
                clock += secondsAPass;
                samples.push_back(sample(passes++));
            }
            return samples;
        };
        ports.between = [this]() -> Status {
            ++baselineBlocks;
            clock += baselineSeconds;
            return {};
        };
        ports.now = [this] { return clock; };
        ports.wait = [this](double seconds) {
            waits.push_back(seconds);
            clock += seconds;
        };
        ports.report = [](double) {};
        ports.stop = stop.get_token();
        return ports;
    }

    Series measure(const StopRule& rule = {})
    {
        Result<Series> series = measureSeries(ports(), rule);
        EXPECT_TRUE(series);
        return series ? std::move(*series) : Series{};
    }
};

Sample throttledSample()
{
    return {2000, {}, 900, true};
}

TEST(Series, AStableOneStillRunsForTheMinimumTime)
{
    FakeGpu gpu;
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "noise-stable");
    EXPECT_EQ(series.kept.size(), 100U); // 0.1 s of 1 ms passes
    EXPECT_EQ(gpu.baselineBlocks, 10);
}

TEST(Series, AShortKernelIsMeasuredForTheMinimumTimeToo)
{
    FakeGpu gpu;
    gpu.secondsAPass = 0.0001;
    gpu.sample = [](int pass) { return Sample{pass % 2 == 0 ? 1000.0 : 1500.0, {}, 1900, false}; };
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "sample-limit");
    EXPECT_GE(series.kept.size(), 1000U);
}

TEST(Series, ASlowKernelStillRunsTenTimes)
{
    FakeGpu gpu;
    gpu.secondsAPass = 2; // one block takes 20 s, far past the limit
    const Series series = gpu.measure();
    EXPECT_EQ(series.kept.size(), 10U);
    EXPECT_STREQ(series.stoppedBy, "noise-stable");
}

TEST(Series, ANoisyOneGoesOnToTheSampleLimit)
{
    FakeGpu gpu;
    gpu.sample = [](int pass) { return Sample{pass % 2 == 0 ? 1000.0 : 1500.0, {}, 1900, false}; };
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "sample-limit");
    EXPECT_EQ(series.kept.size(), 200U);
}

TEST(Series, ANoisySlowOneEndsAtTheTimeLimit)
{
    FakeGpu gpu;
    gpu.secondsAPass = 0.0625;
    gpu.sample = [](int pass) { return Sample{pass % 2 == 0 ? 1000.0 : 1500.0, {}, 1900, false}; };
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "time-limit");
    EXPECT_EQ(series.kept.size(), 50U); // the first whole block past 3 s
}

TEST(Series, ASlowBaselineDoesNotCountAsMeasuringTheKernel)
{
    FakeGpu gpu;
    gpu.baselineSeconds = 0.1;
    const Series series = gpu.measure();
    EXPECT_EQ(series.kept.size(), 100U);
}

TEST(Series, ThrottledPassesAreDiscardedCountedAndWaitedOut)
{
    FakeGpu gpu;
    gpu.sample = [](int pass) { return pass < 20 ? throttledSample() : Sample{1000.0, {}, 1900, false}; };
    const Series series = gpu.measure();
    EXPECT_EQ(series.discarded.size(), 20U);
    for (const Sample& sample : series.kept)
        EXPECT_FALSE(sample.throttled);
    EXPECT_GE(series.kept.size(), 80U);
    EXPECT_EQ(gpu.waits, (std::vector<double>{0.1, 0.2}));
    EXPECT_NEAR(series.waitedSeconds, 0.3, 1e-12);
}

TEST(Series, WaitingIsNotMeasuring)
{
    FakeGpu gpu;
    gpu.secondsAPass = 0.03125;
    gpu.sample = [](int pass) { return pass < 40 ? throttledSample() : Sample{pass % 2 == 0 ? 1000.0 : 1500.0, {}, 1900, false}; };
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "time-limit");
    EXPECT_EQ(series.discarded.size() + series.kept.size(), 100U); // all of the 3 s, the 1.5 s of waiting beside them
    EXPECT_NEAR(series.waitedSeconds, 1.5, 1e-9);
}

TEST(Series, PatienceEnds)
{
    Patience patience;
    std::vector<double> waits;
    while (const std::optional<double> wait = patience.next())
        waits.push_back(*wait);
    EXPECT_EQ(waits, (std::vector<double>{0.1, 0.2, 0.4, 0.8}));
    EXPECT_NEAR(patience.waited(), 1.5, 1e-12);
}

TEST(Series, AGpuThatStaysThrottledGivesMarkedTimes)
{
    FakeGpu gpu;
    gpu.secondsAPass = 0.01;
    gpu.sample = [](int) { return throttledSample(); };
    const Series series = gpu.measure();
    EXPECT_STREQ(series.stoppedBy, "time-limit");
    ASSERT_FALSE(series.kept.empty());
    EXPECT_TRUE(series.kept.front().throttled);
    EXPECT_TRUE(series.discarded.empty());
    EXPECT_EQ(gpu.waits.size(), 4U);
}

TEST(Series, ACancelEndsIt)
{
    FakeGpu gpu;
    gpu.stop.request_stop();
    const Result<Series> series = measureSeries(gpu.ports(), {});
    ASSERT_FALSE(series);
    EXPECT_EQ(series.error().code, ErrorCode::interrupted);
    EXPECT_EQ(gpu.passes, 0);
}

TEST(Series, AFailedBlockIsItsError)
{
    FakeGpu gpu;
    SeriesPorts ports = gpu.ports();
    ports.block = [](int) -> Result<std::vector<Sample>> { return Error{.code = ErrorCode::kernelFailed, .message = "fault"}; };
    EXPECT_EQ(measureSeries(ports, {}).error().message, "fault");
}

TEST(Series, AHopelessKernelIsLeftAfterAFewPasses)
{
    StopRule rule;
    rule.hopelessNs = 900;
    FakeGpu slow;
    EXPECT_STREQ(slow.measure(rule).stoppedBy, "hopeless");
    EXPECT_EQ(slow.passes, 3);
    FakeGpu once;
    once.sample = [](int pass) { return Sample{pass == 1 ? 899.0 : 1000.0, {}, 1900, false}; };
    EXPECT_STRNE(once.measure(rule).stoppedBy, "hopeless") << "one pass was fast enough";
    EXPECT_GE(once.passes, 13) << "a few, then blocks";
    rule.hopelessNs = 1500;
    FakeGpu fast;
    EXPECT_STRNE(fast.measure(rule).stoppedBy, "hopeless");
}

TEST(Throttled, IsBelowThreeQuartersOfTheDefaultClock)
{
    EXPECT_TRUE(isThrottled(1484, 1980, false));
    EXPECT_FALSE(isThrottled(1485, 1980, false));
    EXPECT_FALSE(isThrottled(900, 1980, true)); // somebody holds the clocks there on purpose
    EXPECT_FALSE(isThrottled({}, 1980, false)); // not read
    EXPECT_FALSE(isThrottled(900, 0, false));
}

TEST(WhyStop, AsksForNoiseTimeAndTenSamplesTogether)
{
    const StopRule rule;
    const std::vector<double> nine(9, 1000.0);
    const std::vector<double> ten(10, 1000.0);
    EXPECT_EQ(whyStop(rule, ten, 0.05, 0.05), nullptr);
    EXPECT_EQ(whyStop(rule, nine, 1, 1), nullptr);
    EXPECT_STREQ(whyStop(rule, ten, 0.1, 0.1), "noise-stable");
    EXPECT_EQ(whyStop(rule, nine, 3, 3), nullptr); // too few, so it goes on past the limit
    EXPECT_STREQ(whyStop(rule, {}, 6, 6), "time-limit");
}

TEST(AbBlock, HasMorePairsWhereAPassIsShort)
{
    EXPECT_EQ(planBlock(10, 3'600).groups, 20);
    EXPECT_EQ(planBlock(10, 19'999).groups, 20);
    EXPECT_EQ(planBlock(10, 20'000).groups, 10);
    EXPECT_EQ(planBlock(10, 0).groups, 10); // nothing is known
    EXPECT_EQ(planBlock(2, 1'000).groups, 4);
}

TEST(AbBlock, IsPrimedWhereAColdInstructionCacheShows)
{
    EXPECT_TRUE(planBlock(10, 3'600).primed);
    EXPECT_TRUE(planBlock(10, 999'999).primed);
    EXPECT_FALSE(planBlock(10, 1'000'000).primed);
    EXPECT_TRUE(planBlock(10, 0).primed);
}

} // namespace
} // namespace kl
