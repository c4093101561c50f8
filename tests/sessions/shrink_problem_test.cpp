// SPDX-License-Identifier: MIT
#include "sessions/measure/shrink_problem.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

const Params kLarge{{"M", std::int64_t{4096}}, {"N", std::int64_t{1000}}};

std::int64_t at(const Params& problem, const char* name)
{
    return *numberIn(problem, name);
}

TEST(ShrinkProblem, EachSizeBecomesAsSmallAsItCan)
{
    const auto fails = [](const Params& p) -> Result<bool> { return at(p, "M") > 16 && at(p, "N") >= 3; };
    const Result<ShrunkProblem> shrunk = shrinkProblem(kLarge, 100, fails);
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(toText(shrunk->problem), "M=17,N=3");
    EXPECT_TRUE(shrunk->stopped.empty());
}

TEST(ShrinkProblem, SizesThatHangTogetherGoRoundAgain)
{
    const auto fails = [](const Params& p) -> Result<bool> { return at(p, "M") * 2 >= at(p, "N") && at(p, "N") > 7; };
    const Result<ShrunkProblem> shrunk = shrinkProblem(kLarge, 200, fails);
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(toText(shrunk->problem), "M=4,N=8");
}

TEST(ShrinkProblem, WhatComesOutFailsEvenWhereSizesAlternate)
{
    const auto fails = [](const Params& p) -> Result<bool> { return at(p, "M") % 32 != 0 || at(p, "M") == 4096; };
    const Result<ShrunkProblem> shrunk = shrinkProblem(kLarge, 100, fails);
    ASSERT_TRUE(shrunk);
    EXPECT_TRUE(*fails(shrunk->problem));
}

TEST(ShrinkProblem, NothingSmallerFails)
{
    const Result<ShrunkProblem> shrunk = shrinkProblem(kLarge, 100, [](const Params&) -> Result<bool> { return false; });
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(shrunk->problem, kLarge);
    EXPECT_GT(shrunk->tried, 0);
}

TEST(ShrinkProblem, TheLimitAndAnErrorEndItWithWhatWasFound)
{
    int requested = 0;
    const auto wrong = [&](const Params&) -> Result<bool> { return ++requested > 0; };
    const Result<ShrunkProblem> shrunk = shrinkProblem(kLarge, 3, wrong);
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(requested, 3);
    EXPECT_EQ(toText(shrunk->problem), "M=512,N=1000");
    EXPECT_NE(shrunk->stopped.find(" 3 "), std::string::npos);

    const Error gone{.code = ErrorCode::notRecorded, .message = "no such size is recorded"};
    const Result<ShrunkProblem> stuck = shrinkProblem(kLarge, 3, [&](const Params&) -> Result<bool> { return gone; });
    ASSERT_TRUE(stuck);
    EXPECT_EQ(stuck->problem, kLarge);
    EXPECT_NE(stuck->stopped.find("no such size is recorded"), std::string::npos);

    const Error canceled{.code = ErrorCode::interrupted, .message = "canceled"};
    EXPECT_FALSE(shrinkProblem(kLarge, 3, [&](const Params&) -> Result<bool> { return canceled; }));
}

} // namespace
} // namespace kl
