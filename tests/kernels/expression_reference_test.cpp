// SPDX-License-Identifier: MIT
#include "kernels/reference/expression_reference.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

ReferenceSpec spec(const std::string& expression, std::vector<IndexSpec> index, std::vector<IndexSpec> sum = {})
{
    ReferenceSpec reference;
    reference.expression = expression;
    reference.inputs = {"x", "y"};
    reference.index = std::move(index);
    reference.sum = std::move(sum);
    reference.params = {{"N", 2}};
    return reference;
}

Result<Expected> evaluated(const ReferenceSpec& reference)
{
    return evaluateReference(reference, {{1, 2, 3, 4}, {10, 20, 30, 40}}, 1);
}

TEST(ExpressionReference, TakesInputsByIndexAndBare)
{
    const Result<Expected> sum = evaluated(spec("2*x + y(3-i)", {{"i", 4}}));
    ASSERT_TRUE(sum) << sum.error().message;
    EXPECT_TRUE(sum->indices.empty());
    EXPECT_EQ(sum->values, (std::vector<double>{42, 34, 26, 18}));
}

TEST(ExpressionReference, TransposesWithTwoIndices)
{
    const Result<Expected> turned = evaluated(spec("x(n*N + m)", {{"m", 2}, {"n", 2}}));
    ASSERT_TRUE(turned) << turned.error().message;
    EXPECT_EQ(turned->values, (std::vector<double>{1, 3, 2, 4}));
}

TEST(ExpressionReference, SumsOverItsLoops)
{
    const Result<Expected> product = evaluated(spec("x(m*N + k) * y(k*N + n)", {{"m", 2}, {"n", 2}}, {{"k", 2}}));
    ASSERT_TRUE(product) << product.error().message;
    EXPECT_EQ(product->values, (std::vector<double>{70, 100, 150, 220}));
}

TEST(ExpressionReference, AnIndexOutsideIsReportedWithItsPlace)
{
    const Result<Expected> outside = evaluated(spec("x(i + 1)", {{"i", 4}}));
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().where, "reference.expression");
    EXPECT_THAT(outside.error().message, testing::ContainsRegex(" x\\(4\\), .* 4 .* i=3\\.$"));
    const Result<Expected> root = evaluated(spec("sqrt(2 - x)", {{"i", 4}}));
    ASSERT_FALSE(root);
    EXPECT_EQ(root.error().where, "reference.expression");
    EXPECT_THAT(root.error().message, testing::AllOf(testing::HasSubstr("\"sqrt(2 - x)\""), testing::EndsWith(" i=2.")));
}

TEST(ExpressionReference, ABadFormulaNamesItself)
{
    const Result<Expected> bad = evaluated(spec("z(i)", {{"i", 4}}));
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::badInput);
    EXPECT_NE(bad.error().message.find("\"z(i)\""), std::string::npos) << bad.error().message;
}

TEST(ExpressionReference, HasTheFunctionsOfFormulas)
{
    EXPECT_EQ(evaluated(spec("ceildiv(i,3)", {{"i", 4}}))->values, (std::vector<double>{0, 1, 1, 1}));
    EXPECT_EQ(evaluated(spec("mod(i,3)", {{"i", 4}}))->values, (std::vector<double>{0, 1, 2, 0}));
    EXPECT_EQ(evaluated(spec("floor(i/2)", {{"i", 4}}))->values, (std::vector<double>{0, 0, 1, 1}));
    EXPECT_EQ(evaluated(spec("ceil(i/2)", {{"i", 4}}))->values, (std::vector<double>{0, 1, 1, 2}));
}

TEST(ExpressionReference, IndicesAreRoundedDownAndStayInside)
{
    EXPECT_EQ(evaluated(spec("x(i/2 + 0.9)", {{"i", 4}}))->values, (std::vector<double>{1, 2, 2, 3}));
    EXPECT_NE(evaluated(spec("x(i - 0.5)", {{"i", 4}})).error().message.find("reads x(-1)"), std::string::npos);
    EXPECT_NE(evaluated(spec("x(i)", {{"i", 5}})).error().message.find("reads x(4)"), std::string::npos);
    EXPECT_THAT(evaluated(spec("x", {{"i", 5}})).error().message, testing::EndsWith(" i=4."));
    EXPECT_NE(evaluated(spec("x(m*4 + n)", {{"m", 2}, {"n", 4}})).error().message.find("at m=1, n=0"), std::string::npos);
}

TEST(ExpressionReference, SumsOverTwoLoops)
{
    EXPECT_EQ(evaluated(spec("10*j + k", {{"i", 1}}, {{"j", 2}, {"k", 3}}))->values, std::vector<double>{36});
    EXPECT_EQ(evaluated(spec("x", {{"i", 2}}, {{"k", 3}}))->values, (std::vector<double>{3, 6}));
}

TEST(ExpressionReference, AsManyElementsAsTheLimitAllowsAreEvaluated)
{
    const auto checked = [](std::int64_t count, std::int64_t terms) {
        const Result<Expected> expected = evaluated(spec("i", {{"i", count}}, {{"k", terms}}));
        EXPECT_TRUE(expected) << expected.error().message;
        return std::pair(expected->indices.size(), expected->values.size());
    };
    const auto limit = static_cast<std::size_t>(kMaxEvaluations);
    EXPECT_EQ(checked(101, kMaxEvaluations / 100), std::pair(std::size_t{100}, std::size_t{100}));
    EXPECT_EQ(checked(10, static_cast<std::int64_t>(limit)), std::pair(std::size_t{3}, std::size_t{3})) << "first, last and one between";
}

TEST(CheckExpression, TriesBothEndsWithoutTheInputs)
{
    const auto fault = [](const char* expression, std::vector<IndexSpec> index, std::vector<IndexSpec> sum = {}) {
        const Status sound = checkExpression(spec(expression, std::move(index), std::move(sum)), {4, 2});
        return sound ? std::string() : sound.error().message;
    };
    EXPECT_EQ(fault("x(i) + y(k)", {{"i", 4}}, {{"k", 2}}), "");
    EXPECT_THAT(fault("x(i - 1)", {{"i", 4}}), testing::ContainsRegex(" x\\(-1\\), .* 4 .* i=0\\.$"));
    EXPECT_THAT(fault("x(i + 1)", {{"i", 4}}), testing::ContainsRegex(" x\\(4\\), .* 4 .* i=3\\.$"));
    EXPECT_THAT(fault("y(i)", {{"i", 4}}), testing::ContainsRegex(" y\\(3\\), .* 2 .* i=3\\.$"));
    EXPECT_THAT(fault("y(k)", {{"i", 4}}, {{"k", 3}}), testing::HasSubstr(" y(2),"));
    EXPECT_THAT(fault("x(4*m + n)", {{"m", 2}, {"n", 4}}), testing::ContainsRegex(" x\\(7\\), .* 4 .* m=1, n=3\\.$"));
    EXPECT_THAT(fault("x(i + k)", {{"i", 3}}, {{"k", 3}}), testing::HasSubstr(" x(4),")) << "both loops at their ends";
    EXPECT_EQ(fault("x(y(i)+3)", {{"i", 2}}), "") << "only some elements of y lead outside";
    EXPECT_THAT(fault("x(i), y(0)", {{"i", 4}}), testing::HasSubstr("\"x(i), y(0)\""));
    EXPECT_NE(fault("q", {{"i", 4}}), "");
}

TEST(ExpressionReference, LargeOutputsAreSampledFromFirstToLast)
{
    const std::int64_t count = 3 * kMaxEvaluations;
    const Result<Expected> sampled = evaluated(spec("i", {{"i", count}}, {{"k", 4000}}));
    ASSERT_TRUE(sampled) << sampled.error().message;
    ASSERT_EQ(sampled->indices.size(), 1000U);
    EXPECT_EQ(sampled->indices.front(), 0);
    EXPECT_EQ(sampled->indices.back(), count - 1);
    EXPECT_TRUE(std::is_sorted(sampled->indices.begin(), sampled->indices.end()));
    EXPECT_EQ(sampled->values.back(), 4000.0 * static_cast<double>(count - 1));
}

} // namespace
} // namespace kl
