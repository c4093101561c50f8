// SPDX-License-Identifier: MIT
#include "profiler/live/host/passes.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

using Kind = ActivitySpan::Kind;

/// Records one after the other, 10 ns apart, written as a text: f flush, g gate, k a kernel that checks, other letters a kernel of so many
/// hundred ns ('a': 100).
std::vector<ActivitySpan> records(const std::string& text)
{
    std::vector<ActivitySpan> spans;
    std::uint64_t now = 1000;
    for (const char letter : text) {
        ActivitySpan span;
        span.kind = letter == 'f' ? Kind::memset : Kind::kernel;
        span.name = letter == 'g'   ? std::string(kGateName)
                    : letter == 'k' ? std::string(kProofPrefix) + "check_f32"
                                    : std::string(1, letter);
        span.startNs = now;
        span.endNs = now + (letter == 'f' || letter == 'g' ? 50 : 100 * static_cast<std::uint64_t>(letter - 'a' + 1));
        now = span.endNs + 10;
        spans.push_back(span);
    }
    return spans;
}

/// Times of the passes, ns; -1 where there is no sample.
std::vector<double> times(const std::string& text, const std::vector<EnqueuedPass>& enqueued, const std::vector<std::size_t>& activities)
{
    std::vector<double> list;
    for (const std::optional<Sample>& sample : collectSamples(records(text), enqueued, activities))
        list.push_back(sample ? sample->spanNs : -1);
    return list;
}

const EnqueuedPass kPlain;
const EnqueuedPass kPrimed{true, 1980};

TEST(Passes, AreWhatFollowsEachGate)
{
    EXPECT_EQ(times("fgafgb", {kPlain, kPlain}, {1, 1}), (std::vector<double>{100, 200}));
    EXPECT_EQ(times("fgabfgba", {kPlain, kPlain}, {2, 2}), (std::vector<double>{310, 310}));
}

TEST(Passes, KernelsThatOverlapEndWithTheOneThatEndsLast)
{
    std::vector<ActivitySpan> spans = records("gca");
    spans[2].startNs = spans[1].startNs + 50; // on another stream: it ends before the kernel that started first
    spans[2].endNs = spans[1].startNs + 150;
    const auto samples = collectSamples(spans, std::vector<EnqueuedPass>{kPlain}, std::vector<std::size_t>{2});
    ASSERT_TRUE(samples.front());
    EXPECT_EQ(samples.front()->spanNs, 300);
    EXPECT_EQ(samples.front()->partsNs, (std::vector<double>{300, 100}));
}

TEST(Passes, WhatRanBeforeTheFirstGateIsNoneOfThem)
{
    EXPECT_EQ(times("cccfga", {kPlain}, {1}), (std::vector<double>{100}));
}

TEST(Passes, APrimingLaunchBelongsToNoPass)
{
    EXPECT_EQ(times("afgabfgbbfgb", {kPrimed, kPrimed, kPrimed}, {1, 1, 1}), (std::vector<double>{100, 200, 200}));
    EXPECT_EQ(times("abfgabcfgc", {kPrimed, kPrimed}, {2, 1}), (std::vector<double>{310, 300}));
}

/// What follows the first checking kernel, up to the next gate: further checks, what prepares the next pass, its priming launch.
TEST(Passes, EndWhereTheirCheckBegins)
{
    EXPECT_EQ(times("fgakkfgbk", {kPlain, kPlain}, {1, 1}), (std::vector<double>{100, 200}));
    EXPECT_EQ(times("fgakcdkfgbkf", {kPlain, kPlain}, {1, 1}), (std::vector<double>{100, 200}));
    EXPECT_EQ(times("kkafgakkbfgbk", {kPrimed, kPrimed}, {1, 1}), (std::vector<double>{100, 200})) << "primed behind the check";
    EXPECT_EQ(times("fgabkfgbak", {kPlain, kPlain}, {2, 2}), (std::vector<double>{310, 310}));
}

TEST(Passes, AKernelThatComesTwiceBeforeItsCheckIsNoSample)
{
    EXPECT_EQ(times("fgaakfgbk", {kPlain, kPlain}, {1, 1}), (std::vector<double>{-1, 200}));
    EXPECT_EQ(times("fgkafgbk", {kPlain, kPlain}, {1, 1}), (std::vector<double>{-1, 200})) << "what runs behind the check is not a pass";
}

TEST(Passes, OneThatLostARecordIsLeftOut)
{
    EXPECT_EQ(times("afgabfgbfgb", {kPrimed, kPrimed, kPrimed}, {1, 1, 1}), (std::vector<double>{100, -1, 200}));
    EXPECT_EQ(times("fgfgb", {kPlain, kPlain}, {1, 1}), (std::vector<double>{-1, 200}));
}

TEST(Passes, MoreOrFewerGatesThanPassesTellNothing)
{
    EXPECT_EQ(times("fga", {kPlain, kPlain}, {1, 1}), (std::vector<double>{-1, -1}));
    EXPECT_EQ(times("fgafgb", {kPlain}, {1}), (std::vector<double>{-1}));
    EXPECT_EQ(times("fgafgb", {kPlain}, {1, 1}), (std::vector<double>{-1, -1}));
    EXPECT_EQ(times("fgafgb", {kPlain, kPlain}, {0, 1}), (std::vector<double>{-1, 200}));
    EXPECT_EQ(times("fgakcfgbkd", {kPlain, kPlain}, {1, 1}), (std::vector<double>{100, 200})) << "each has a check of its own";
}

TEST(Passes, WithoutAGateNoneCanBeTold)
{
    EXPECT_EQ(times("fgaffb", {kPlain, kPlain}, {1, 1}), (std::vector<double>{-1, -1}));
}

TEST(Passes, CarryTheClockThatTheyWereEnqueuedWith)
{
    const auto samples = collectSamples(records("afga"), std::vector<EnqueuedPass>{kPrimed}, std::vector<std::size_t>{1});
    ASSERT_TRUE(samples.front());
    EXPECT_EQ(samples.front()->clockMhz, 1980);
}

} // namespace
} // namespace kl
