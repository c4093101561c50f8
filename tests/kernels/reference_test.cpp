// SPDX-License-Identifier: MIT
#include "kernels/reference/reference.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(Reference, TransposeOfARectangle)
{
    const Result<Expected> out = evaluateReference({"transpose", {{"rows", 2}, {"cols", 3}}, {"in"}, "out"}, {{1, 2, 3, 4, 5, 6}}, 1);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->values, (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_TRUE(out->indices.empty());
}

TEST(Reference, TransposeRefusesSizesThatDoNotFit)
{
    EXPECT_FALSE(evaluateReference({"transpose", {{"rows", 2}, {"cols", 2}}, {"in"}, "out"}, {{1, 2, 3}}, 1));
    const Result<Expected> two = evaluateReference({"transpose", {{"rows", 1}, {"cols", 2}}, {"a", "b"}, "out"}, {{1, 2}, {3, 4}}, 1);
    ASSERT_FALSE(two) << "it has one input";
    EXPECT_EQ(two.error().code, ErrorCode::badInput);
}

TEST(Reference, SumIsOneElement)
{
    const Result<Expected> out = evaluateReference({"sum", {}, {"in"}, "out"}, {{1, 2, 3.5}}, 1);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->values, std::vector<double>{6.5});
}

TEST(Reference, ChainClampsFromBelow)
{
    const Result<Expected> out = evaluateReference({"chain", {{"steps", 1}}, {"in"}, "out"}, {{1, -5}}, 1);
    ASSERT_TRUE(out);
    EXPECT_DOUBLE_EQ(out->values[0], 1.0);
    EXPECT_DOUBLE_EQ(out->values[1], -1.0);
}

TEST(Reference, FmaKindsDiffer)
{
    const auto chain = [](double kind, double x) {
        return evaluateReference({"fma", {{"kind", kind}, {"iters", 2}}, {"in"}, "out"}, {{x}}, 1)->values.at(0);
    };
    EXPECT_DOUBLE_EQ(chain(0, 0.5), (0.5 * 0.999 + 0.001) * 0.999 + 0.001);
    EXPECT_DOUBLE_EQ(chain(3, 1.0), std::exp2(-0.5));
    EXPECT_NE(chain(2, 0.5), chain(0, 0.5));
}

TEST(Reference, LargeFmaSamplesFirstAndLastElement)
{
    const Result<Expected> out =
        evaluateReference({"fma", {{"kind", 0}, {"iters", 1}}, {"in"}, "out"}, {std::vector<double>(100000, 0.5)}, 1);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->indices.size(), 4096U);
    EXPECT_EQ(out->indices.front(), 0);
    EXPECT_EQ(out->indices.back(), 99999);
}

TEST(Reference, UnknownFunctionAndMissingParameterAreErrors)
{
    EXPECT_FALSE(evaluateReference({"no-such", {}, {"in"}, "out"}, {{1}}, 1));
    EXPECT_FALSE(evaluateReference({"chain", {}, {"in"}, "out"}, {{1}}, 1));
    EXPECT_FALSE(evaluateReference({"copy", {}, {}, "out"}, {}, 1));
}

} // namespace
} // namespace kl
