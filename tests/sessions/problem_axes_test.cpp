// SPDX-License-Identifier: MIT
#include "sessions/measure/problem_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<std::string> problems(const char* axes)
{
    const Result<std::vector<Params>> parsed = parseAxes(axes);
    EXPECT_TRUE(parsed) << axes << ": " << (parsed ? "" : parsed.error().message);
    std::vector<std::string> texts;
    if (parsed)
        for (const Params& problem : *parsed)
            texts.push_back(toText(problem));
    return texts;
}

TEST(ProblemAxes, AreValuesListsAndRanges)
{
    EXPECT_THAT(problems("M=4096"), ElementsAre("M=4096"));
    EXPECT_THAT(problems("M=[256, 512,1024]"), ElementsAre("M=256", "M=512", "M=1024"));
    EXPECT_THAT(problems("M=1024..16384 x2"), ElementsAre("M=1024", "M=2048", "M=4096", "M=8192", "M=16384"));
    EXPECT_THAT(problems("M=1..100x10"), ElementsAre("M=1", "M=10", "M=100"));
    EXPECT_THAT(problems("M=256..1000 +256"), ElementsAre("M=256", "M=512", "M=768"));
    EXPECT_THAT(problems("M=8..32"), ElementsAre("M=8", "M=16", "M=32"));
    EXPECT_THAT(problems("M=7..7 x3"), ElementsAre("M=7"));
    EXPECT_THAT(problems("T=f16"), ElementsAre("T=f16"));
}

TEST(ProblemAxes, AreCombinedTheLastFastest)
{
    EXPECT_THAT(problems("M=[1,2],N=[3,4]"), ElementsAre("M=1,N=3", "M=1,N=4", "M=2,N=3", "M=2,N=4"));
    EXPECT_THAT(problems("M=1024..4096 x2, N=M, K=64"), ElementsAre("K=64,M=1024,N=1024", "K=64,M=2048,N=2048", "K=64,M=4096,N=4096"));
}

TEST(ProblemAxes, WhatIsNoneIsNamed)
{
    for (const char* bad : {"", "M", "M=", "=4", "M=4,M=5", "M=8..4", "M=0..4", "M=a..b", "M=1..8 x1", "M=1..8 +0", "M=1..8 *2", "M=[1,2",
                            "M=[1,,2]", "M=1..100000 +1", "M=1..999 +1,N=1..999 +1", "M=N,N=M"}) {
        const Result<std::vector<Params>> parsed = parseAxes(bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, ErrorCode::usage) << bad;
    }
    EXPECT_THAT(*parseAxes("M=1..9000000000000000000 x10"), SizeIs(19)) << "no overflow";
}

} // namespace
} // namespace kl
