// SPDX-License-Identifier: MIT
#include "kernels/reference/expression_reference.h"

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
    EXPECT_NE(outside.error().message.find("reads x(4), which has 4 elements, at i=3"), std::string::npos) << outside.error().message;
    const Result<Expected> root = evaluated(spec("sqrt(2 - x)", {{"i", 4}}));
    ASSERT_FALSE(root);
    EXPECT_NE(root.error().message.find("not finite at i=2"), std::string::npos) << root.error().message;
}

TEST(ExpressionReference, ABadFormulaNamesItself)
{
    const Result<Expected> bad = evaluated(spec("z(i)", {{"i", 4}}));
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::badInput);
    EXPECT_NE(bad.error().message.find("\"z(i)\""), std::string::npos) << bad.error().message;
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
