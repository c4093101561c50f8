// SPDX-License-Identifier: MIT
#include "kernels/reference/attention_reference.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

using Inputs = std::vector<std::vector<double>>;

ReferenceSpec spec(double b, double h, double s, double d, double causal = 0)
{
    return {"attention", {{"B", b}, {"H", h}, {"S", s}, {"D", d}, {"CAUSAL", causal}}, {"q", "k", "v"}, "o"};
}

TEST(AttentionReference, KeysMayDifferFromQueries)
{
    ReferenceSpec wide = spec(1, 1, 1, 1);
    wide.params["SK"] = 3;
    const auto expected = attentionReference(wide, {{0}, {1, 2, 3}, {3, 6, 12}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_DOUBLE_EQ(expected->values[0], 7);
    EXPECT_FALSE(attentionReference(wide, {{0}, {1}, {3}}, 1));
}

TEST(AttentionReference, CausalQueriesPastTheKeysSeeThemAll)
{
    ReferenceSpec tall = spec(1, 1, 3, 1, 1);
    tall.params["SK"] = 2;
    const auto expected = attentionReference(tall, {{0, 0, 0}, {1, 2}, {10, 20}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(expected->values, (std::vector<double>{10, 15, 15}));
}

/// B=1 H=8 S=1024 D=64 needs 1.07e9 multiply-adds: more than is evaluated in full.
constexpr std::int64_t kLargeHeads = 8, kLargeLength = 1024, kDim = 64;
Inputs largeInputs()
{
    const auto count = static_cast<std::size_t>(kLargeHeads * kLargeLength * kDim);
    Inputs inputs(3, std::vector<double>(count, 0.25));
    for (std::size_t i = 0; i < count; ++i)
        inputs[2][i] = static_cast<double>(i / static_cast<std::size_t>(kLargeLength * kDim)); // V holds its head's number
    return inputs;
}

TEST(AttentionReference, OneKeyGivesItsValue)
{
    const auto expected = attentionReference(spec(1, 1, 1, 2), {{3, -4}, {5, 6}, {7, 8}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_TRUE(expected->indices.empty());
    EXPECT_EQ(expected->values, (std::vector<double>{7, 8}));
}

TEST(AttentionReference, EqualScoresAverageTheValues)
{
    const auto expected = attentionReference(spec(1, 1, 2, 1), {{0, 0}, {1, -3}, {10, 20}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_DOUBLE_EQ(expected->values[0], 15);
    EXPECT_DOUBLE_EQ(expected->values[1], 15);
}

TEST(AttentionReference, WeightsAreTheSoftmaxOfTheScores)
{
    // q = ln 2, keys 1 and 0: weights 2 to 1.
    const auto expected = attentionReference(spec(1, 1, 2, 1), {{std::log(2.0), 0}, {1, 0}, {3, 9}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_NEAR(expected->values[0], (2 * 3 + 9) / 3.0, 1e-12);
}

TEST(AttentionReference, ScoresAreDividedByTheRootOfTheHeadDimension)
{
    // D = 4: q·k = 2 ln 3, divided by 2 gives ln 3: weights 3 to 1.
    const Inputs inputs{{2 * std::log(3.0), 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}, {4, 8, 0, 1, 0, 0, 4, 1}};
    const auto expected = attentionReference(spec(1, 1, 2, 4), inputs, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_NEAR(expected->values[0], 3, 1e-12);
    EXPECT_NEAR(expected->values[1], 6, 1e-12);
    EXPECT_NEAR(expected->values[2], 1, 1e-12);
    EXPECT_NEAR(expected->values[3], 1, 1e-12);
}

TEST(AttentionReference, CausalHidesLaterKeys)
{
    const Inputs inputs{{0, 0, 0}, {1, 2, 3}, {6, 12, 30}};
    const auto expected = attentionReference(spec(1, 1, 3, 1, 1), inputs, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_DOUBLE_EQ(expected->values[0], 6);
    EXPECT_DOUBLE_EQ(expected->values[1], 9);
    EXPECT_DOUBLE_EQ(expected->values[2], 16);
}

TEST(AttentionReference, HeadsAndBatchesDoNotMix)
{
    const Inputs inputs{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 2, 3, 4}};
    const auto expected = attentionReference(spec(2, 2, 1, 1), inputs, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(expected->values, inputs[2]);
}

TEST(AttentionReference, HugeScoresStayFinite)
{
    const auto expected = attentionReference(spec(1, 1, 2, 1), {{1e4, -1e4}, {1e4, 0}, {1, 2}}, 1);
    ASSERT_TRUE(expected.ok());
    EXPECT_DOUBLE_EQ(expected->values[0], 1);
    EXPECT_DOUBLE_EQ(expected->values[1], 2);
}

TEST(AttentionReference, LargeProblemsGiveWholeRowsSortedAndUnique)
{
    const auto expected = attentionReference(spec(1, kLargeHeads, kLargeLength, kDim), largeInputs(), 7);
    ASSERT_TRUE(expected.ok());
    ASSERT_EQ(expected->indices.size(), expected->values.size());
    EXPECT_EQ(expected->indices.size() % kDim, 0u);
    EXPECT_GE(expected->indices.size() / kDim, 200u);
    EXPECT_LT(expected->indices.size(), static_cast<std::size_t>(kLargeHeads * kLargeLength * kDim) / 10);
    EXPECT_TRUE(std::is_sorted(expected->indices.begin(), expected->indices.end()));
    EXPECT_EQ(std::adjacent_find(expected->indices.begin(), expected->indices.end()), expected->indices.end());
}

TEST(AttentionReference, SampleHoldsTheEndsAndEveryHead)
{
    const auto expected = attentionReference(spec(1, kLargeHeads, kLargeLength, kDim), largeInputs(), 7);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(expected->indices.front(), 0);
    EXPECT_EQ(expected->indices.back(), kLargeHeads * kLargeLength * kDim - 1);
    std::set<std::int64_t> heads;
    for (const std::int64_t index : expected->indices)
        heads.insert(index / (kLargeLength * kDim));
    EXPECT_EQ(heads.size(), static_cast<std::size_t>(kLargeHeads));
}

TEST(AttentionReference, SampledValuesBelongToTheirIndices)
{
    const auto expected = attentionReference(spec(1, kLargeHeads, kLargeLength, kDim), largeInputs(), 7);
    ASSERT_TRUE(expected.ok());
    for (std::size_t i = 0; i < expected->indices.size(); ++i)
        ASSERT_NEAR(expected->values[i], static_cast<double>(expected->indices[i] / (kLargeLength * kDim)), 1e-9);
}

TEST(AttentionReference, TheSeedDecidesTheSample)
{
    const ReferenceSpec large = spec(1, kLargeHeads, kLargeLength, kDim);
    const Inputs inputs = largeInputs();
    const auto first = attentionReference(large, inputs, 7), again = attentionReference(large, inputs, 7),
               other = attentionReference(large, inputs, 8);
    ASSERT_TRUE(first.ok() && again.ok() && other.ok());
    EXPECT_EQ(first->indices, again->indices);
    EXPECT_NE(first->indices, other->indices);
}

TEST(AttentionReference, RefusesInputsOfAnotherSize)
{
    const auto expected = attentionReference(spec(1, 1, 2, 1), {{0, 0}, {1, 2, 3}, {1, 2}}, 1);
    ASSERT_FALSE(expected.ok());
    EXPECT_EQ(expected.error().code, ErrorCode::badInput);
    EXPECT_NE(expected.error().message.find("3 elements"), std::string::npos);
}

TEST(AttentionReference, RefusesMissingAndImpossibleSizes)
{
    ReferenceSpec missing = spec(1, 1, 1, 1);
    missing.params.erase("D");
    EXPECT_NE(attentionReference(missing, {{1}, {1}, {1}}, 1).error().message.find("param D"), std::string::npos);
    EXPECT_FALSE(attentionReference(spec(1, 1, 0, 1), {{}, {}, {}}, 1).ok());
    EXPECT_FALSE(attentionReference(spec(1, 1, 1.5, 1), {{1}, {1}, {1}}, 1).ok());
}

TEST(AttentionReference, HeadsOfAGroupShareKeysAndValues)
{
    // Two batches of four heads, each two of which share two keys of two columns; all scores are equal, so that values are averaged.
    ReferenceSpec grouped = spec(2, 4, 1, 2);
    grouped.params["GROUP"] = 2;
    grouped.params["SK"] = 2;
    Inputs inputs{std::vector<double>(16, 0), std::vector<double>(16, 1), {}};
    for (int i = 0; i < 16; ++i)
        inputs[2].push_back(i);
    const auto expected = attentionReference(grouped, inputs, 1);
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    EXPECT_EQ(expected->values, (std::vector<double>{1, 2, 1, 2, 5, 6, 5, 6, 9, 10, 9, 10, 13, 14, 13, 14}));
}

TEST(AttentionReference, QueriesMeetTheirOwnKeys)
{
    // Two heads of two queries and two columns, of which the second is 0 but in the values.
    const double root = std::sqrt(2.0);
    const Inputs inputs{{root * std::log(2.0), 0, root * std::log(3.0), 0, 0, 0, root * std::log(7.0), 0},
                        {1, 0, 0, 0, 0, 0, 1, 0},
                        {3, 1, 9, 4, 8, 1, 16, 2}};
    const auto expected = attentionReference(spec(1, 2, 2, 2), inputs, 1);
    ASSERT_TRUE(expected.ok());
    const std::vector<double> wanted{(2 * 3 + 9) / 3.0, (2 * 1 + 4) / 3.0, (3 * 3 + 9) / 4.0,  (3 * 1 + 4) / 4.0,
                                     (8 + 16) / 2.0,    (1 + 2) / 2.0,     (8 + 7 * 16) / 8.0, (1 + 7 * 2) / 8.0};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(expected->values[i], wanted[i], 1e-12) << i;
}

TEST(AttentionReference, EverySizeIsAWholeNumberFromOneOn)
{
    for (const char* name : {"B", "H", "S", "SK", "D", "GROUP"})
        for (const double wrong : {0.0, -1.0, 1.5, 2e9}) {
            ReferenceSpec bad = spec(1, 1, 1, 1);
            bad.params[name] = wrong;
            const auto expected = attentionReference(bad, {{1}, {1}, {1}}, 1);
            ASSERT_FALSE(expected.ok()) << name << ' ' << wrong;
            EXPECT_NE(expected.error().message.find(std::string(name) + " = "), std::string::npos) << expected.error().message;
        }
    EXPECT_TRUE(attentionReference(spec(1, 1, 1, 1, 0.5), {{1}, {1}, {1}}, 1).ok()) << "anything but 0 is causal";
}

TEST(AttentionReference, RefusesHeadsThatAreNoMultipleOfTheGroup)
{
    ReferenceSpec grouped = spec(2, 3, 1, 1);
    const Inputs inputs{{1, 1, 1, 1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    grouped.params["GROUP"] = 2; // a divisor of all six heads, but not of those of one batch
    const auto expected = attentionReference(grouped, inputs, 1);
    ASSERT_FALSE(expected.ok());
    EXPECT_EQ(expected.error().code, ErrorCode::badInput);
}

} // namespace
} // namespace kl
