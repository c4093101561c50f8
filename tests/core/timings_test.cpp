// SPDX-License-Identifier: MIT
#include "core/base/timings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

std::vector<std::string> listNames(const std::vector<TimedPart>& parts)
{
    std::vector<std::string> names;
    for (const TimedPart& part : parts)
        names.push_back(part.name);
    return names;
}

TEST(Timings, APartStandsBeforeThoseInsideIt)
{
    takeTimings();
    {
        const Timed outer("outer");
        const Timed inner("inner");
    }
    addTiming({"earliest", 1, 2});
    EXPECT_THAT(listNames(timings()), testing::ElementsAre("earliest", "outer", "inner"));
    const std::vector<TimedPart> parts = takeTimings();
    EXPECT_THAT(listNames(parts), testing::ElementsAre("earliest", "outer", "inner"));
    EXPECT_LE(parts[1].beginNs, parts[2].beginNs);
    EXPECT_GE(parts[1].endNs, parts[2].endNs);
    EXPECT_TRUE(timings().empty());
}

TEST(Timings, EndsOnce)
{
    takeTimings();
    {
        Timed part("part");
        part.end();
        EXPECT_EQ(timings().size(), 1U);
    }
    EXPECT_EQ(takeTimings().size(), 1U);
}

TEST(Timings, KeepsAFewThousand)
{
    takeTimings();
    for (int i = 0; i < 10'000; ++i)
        addTiming({"part", i, i + 1});
    EXPECT_EQ(takeTimings().size(), 4096U);
}

TEST(Timings, OfPartsWithOneBeginningTheLongerComesFirst)
{
    takeTimings();
    addTiming({"inside", 1, 2});
    addTiming({"around", 1, 9});
    EXPECT_THAT(listNames(takeTimings()), testing::ElementsAre("around", "inside"));
}

} // namespace
} // namespace kl
