// SPDX-License-Identifier: MIT
// What the traces of a program's processes sum up to.
#include "sessions/program/program_profile.h"
#include "tests/sessions/program_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using support::h200;
using support::process;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ProgramTotals, CountsOverlapsOnceAndLeavesPausesOut)
{
    ProcessTrace trace = process(2, 400, 1000); // 1000-1400, 2000-2400
    trace.copies = {{false, 1200, 1600, 0, 64}, {true, 5000, 5100, 0, 64}};
    trace.pauses = {{3000, 4000}};
    const ProgramTotals totals = computeTotals({trace});
    EXPECT_EQ(totals.launches, 2);
    EXPECT_EQ(totals.kernelNs, 800);
    EXPECT_EQ(totals.copyNs, 500);
    EXPECT_EQ(totals.busyNs, 600 + 400 + 100);
    EXPECT_EQ(totals.spanNs, 5100 - 1000 - 1000);
    const auto& times = totals.kernels.at(0).shapes.begin()->second.times;
    EXPECT_EQ(times.at(0).idleBeforeNs, std::nullopt) << "nothing is before the first";
    EXPECT_EQ(times.at(1).idleBeforeNs, 400) << "the copy ended at 1600";
}

TEST(ProgramTotals, AGapAcrossAProfiledLaunchIsNoGap)
{
    ProcessTrace trace = process(3, 400, 1000);
    trace.pauses = {{1500, 1900}};
    const ProgramTotals totals = computeTotals({trace});
    const auto& times = totals.kernels.at(0).shapes.begin()->second.times;
    EXPECT_EQ(times.at(1).idleBeforeNs, std::nullopt);
    EXPECT_EQ(times.at(2).idleBeforeNs, 600);
}

TEST(ProgramTotals, RangesHoldTheLaunchesWithinThem)
{
    ProcessTrace trace = process(2, 400, 1000);
    trace.stacks = {{"step"}, {"step", "scale"}};
    trace.stackOf = {{1, 0}, {2, 1}};
    trace.ranges = {{0, {1, 9000}}, {1, {1, 100}}};
    const ProgramTotals totals = computeTotals({trace});
    ASSERT_THAT(totals.ranges, SizeIs(2));
    EXPECT_THAT(totals.ranges[0].stack, ElementsAre("step"));
    EXPECT_EQ(totals.ranges[0].launches, 2);
    EXPECT_EQ(totals.ranges[0].gpuNs, 800);
    EXPECT_EQ(totals.ranges[0].hostNs, 9000);
    EXPECT_EQ(totals.ranges[1].launches, 1);
}

TEST(ProgramTotals, ProcessesOnOneDeviceAreOneKernel)
{
    ProcessTrace other = process(3, 400, 1000);
    other.devices = {{1, h200()}}; // the same GPU under another number
    for (TracedLaunch& launch : other.launches)
        launch.device = 1;
    const ProgramTotals totals = computeTotals({process(2, 400, 1000), other});
    ASSERT_THAT(totals.kernels, SizeIs(1));
    EXPECT_EQ(totals.kernels[0].launches, 5);
}

} // namespace
} // namespace kl
