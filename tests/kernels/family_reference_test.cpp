// SPDX-License-Identifier: MIT
// The references of the catalog's families on inputs small enough to work out by hand.

#include "kernels/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>

namespace kl {
namespace {

using Inputs = std::vector<std::vector<double>>;
using Numbers = std::map<std::string, double>;

Result<Expected> evaluate(const char* function, const Numbers& params, const Inputs& inputs)
{
    ReferenceSpec spec;
    spec.function = function;
    spec.params = params;
    spec.output = "out";
    return evaluateReference(spec, inputs, 1);
}

std::vector<double> evaluateValues(const char* function, const Numbers& params, const Inputs& inputs)
{
    const Result<Expected> expected = evaluate(function, params, inputs);
    EXPECT_TRUE(expected) << function << ": " << (expected ? "" : expected.error().message);
    return expected ? expected->values : std::vector<double>();
}

void expectNear(const std::vector<double>& values, const std::vector<double>& wanted, double tolerance = 1e-12)
{
    ASSERT_EQ(values.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(values[i], wanted[i], tolerance) << i;
}

TEST(FamilyReference, HistogramCountsEqualPartsAndClampsAtTheEnds)
{
    expectNear(evaluateValues("histogram", {{"bins", 4}}, {{-1, -0.5, -0.500001, 0, 0.99, 7, -7}}), {3, 1, 1, 2});
}

TEST(FamilyReference, GatherLooksUpTheNearestPlaceOfTheChosenPositions)
{
    const Inputs inputs{{-1, 0, 0.999}, {0, 1, 2}, {10, 20, 30, 40}};
    expectNear(evaluateValues("gather", {{"sorted", 0}, {"scale", 2}}, inputs), {10, 30, 40});
    expectNear(evaluateValues("gather", {{"sorted", 1}, {"scale", 4.0 / 3}}, inputs), {10, 20, 30});
}

TEST(FamilyReference, WalkFollowsTheFirstValueOfEachRecord)
{
    std::vector<double> table(64, 0);
    table[0] = 0.5; // record 0 leads to record 1 of 2
    table[1] = 3;
    table[32] = -1; // record 1 leads back to record 0
    table[33] = 5;
    const std::vector<double> sums = evaluateValues("walk", {{"walks", 1}, {"steps", 3}, {"decay", 0.5}}, {table});
    ASSERT_EQ(sums.size(), 32U);
    EXPECT_DOUBLE_EQ(sums[1], 3 + 0.5 * 5 + 0.25 * 3);
    EXPECT_DOUBLE_EQ(sums[0], 0.5 + 0.5 * -1 + 0.25 * 0.5);
    EXPECT_DOUBLE_EQ(sums[2], 0);
}

TEST(FamilyReference, SoftmaxOfEachRowSumsToOneHoweverLargeTheInputs)
{
    const double e = std::exp(1.0);
    expectNear(evaluateValues("softmax", {{"cols", 2}}, {{0, 1, 1000, 1000}}), {1 / (1 + e), e / (1 + e), 0.5, 0.5});
}

TEST(FamilyReference, LayerNormTakesTheVarianceOverAllColumns)
{
    const double scale = 1 / std::sqrt(1 + 1e-5);
    expectNear(evaluateValues("layer-norm", {{"cols", 2}, {"epsilon", 1e-5}}, {{1, 3, 5, 5}, {2, 1}, {0, 10}}),
               {-2 * scale, 10 + scale, 0, 10});
    EXPECT_FALSE(evaluate("layer-norm", {{"cols", 3}, {"epsilon", 0}}, {{1, 2, 3}, {1, 1}, {0, 0}}));
}

TEST(FamilyReference, JacobiAddsTheProductOfEachRowAndTheMatrixToItsStart)
{
    const Inputs inputs{{0, 0.5, 0.25, 0}, {1, 2, 4, 8}};
    expectNear(evaluateValues("jacobi", {{"width", 2}, {"steps", 0}}, inputs), {1, 2, 4, 8});
    expectNear(evaluateValues("jacobi", {{"width", 2}, {"steps", 1}}, inputs), {1.5, 2.5, 6, 10});
    expectNear(evaluateValues("jacobi", {{"width", 2}, {"steps", 2}}, inputs), {1.625, 2.75, 6.5, 11});
    EXPECT_FALSE(evaluate("jacobi", {{"width", 3}, {"steps", 1}}, inputs));
}

TEST(FamilyReference, ScanBeginsAnewWithEachSegment)
{
    expectNear(evaluateValues("scan", {{"segment", 3}}, {{1, 2, 3, 4, 5}}), {1, 3, 6, 4, 9});
}

TEST(FamilyReference, MatrixProductOfRectangles)
{
    expectNear(evaluateValues("matmul", {{"M", 2}, {"N", 2}, {"K", 3}}, {{1, 2, 3, 4, 5, 6}, {1, 0, 0, 1, 1, 1}}), {4, 5, 10, 11});
    EXPECT_FALSE(evaluate("matmul", {{"M", 2}, {"N", 2}, {"K", 2}}, {{1, 2, 3, 4, 5, 6}, {1, 0, 0, 1}}));
}

TEST(FamilyReference, BoxWeighsByDistanceAndHasZerosAround)
{
    std::vector<double> one(49, 0);
    one[3 * 7 + 3] = 1; // the middle
    const std::vector<double> out = evaluateValues("box", {{"rows", 7}, {"cols", 7}}, {one});
    ASSERT_EQ(out.size(), 49U);
    EXPECT_DOUBLE_EQ(out[3 * 7 + 3], 1);
    EXPECT_DOUBLE_EQ(out[3 * 7 + 4], 0.5);
    EXPECT_DOUBLE_EQ(out[1 * 7 + 1], 1.0 / 9);
    EXPECT_DOUBLE_EQ(out[0], 0);
    expectNear(evaluateValues("box", {{"rows", 1}, {"cols", 2}}, {{1, 2}}), {1 + 2 * 0.5, 0.5 + 2});
}

TEST(FamilyReference, TapsWrapAroundTheRows)
{
    expectNear(evaluateValues("taps", {{"rows", 2}, {"cols", 2}, {"taps", 3}}, {{1, 2, 3, 4}}),
               {1 + 3.0 / 2 + 1.0 / 3, 2 + 4.0 / 2 + 2.0 / 3, 3 + 1.0 / 2 + 3.0 / 3, 4 + 2.0 / 2 + 4.0 / 3});
}

TEST(FamilyReference, TransformWeighsEvenAndOddElementsOfAVector)
{
    // Two vectors of two elements: W = [[-8, -5], [-3, 0]] / 16.
    expectNear(evaluateValues("transform", {{"length", 2}}, {{1, 0, 0, 1}}), {-0.5, -0.3125, -0.1875, 0});
    EXPECT_FALSE(evaluate("transform", {{"length", 2}}, {{1, 2, 3}}));
}

TEST(FamilyReference, PathsDifferByElementOrByTripCount)
{
    expectNear(evaluateValues("paths", {{"trips", 0}, {"iters", 1}}, {{0, 0, 0, 0, 1}}), {0.2505, 0.75, 0.125, -0.125, 1 + 0.75});
    const std::vector<double> trips = evaluateValues("paths", {{"trips", 1}, {"iters", 32}}, {std::vector<double>(2, 0)});
    const double once = 0.125;
    expectNear(trips, {once, (once * 0.5 + 0.25) * once + 0.125});
}

TEST(FamilyReference, PolynomialRepeatsItsCoefficientsAfterEight)
{
    expectNear(evaluateValues("polynomial", {{"degree", 2}}, {{0.5, 0}}), {1 + 0.5 / 2 + 0.25 / 3, 1});
    EXPECT_NEAR(evaluateValues("polynomial", {{"degree", 8}}, {{1.0}}).at(0),
                evaluateValues("polynomial", {{"degree", 7}}, {{1.0}}).at(0) + 1, 1e-12);
}

TEST(FamilyReference, SeriesAddsUpSines)
{
    expectNear(evaluateValues("series", {{"terms", 2}}, {{0.5, 0}}), {std::sin(0.5) + std::sin(1.0) / 2, 0});
}

TEST(FamilyReference, MortonKeysTakeTheBitsOfBothHalvesInTurns)
{
    // 1.0 is 0x3f800000: the high half's bits 7 to 13.
    expectNear(evaluateValues("morton", {}, {{0, 1}}), {0, 2.0 * (std::pow(4, 14) - std::pow(4, 7)) / 3});
}

TEST(FamilyReference, LargeOutputsAreSampledWithFirstAndLastElement)
{
    const Result<Expected> expected = evaluate("polynomial", {{"degree", 1}}, {std::vector<double>(1'000'000, 1)});
    ASSERT_TRUE(expected);
    EXPECT_EQ(expected->indices.size(), expected->values.size());
    EXPECT_LT(expected->indices.size(), 100'000U);
    EXPECT_EQ(expected->indices.front(), 0);
    EXPECT_EQ(expected->indices.back(), 999'999);
    EXPECT_TRUE(std::is_sorted(expected->indices.begin(), expected->indices.end()));
}

TEST(FamilyReference, AMissingParameterIsNamed)
{
    const Result<Expected> expected = evaluate("scan", {}, {{1}});
    ASSERT_FALSE(expected);
    EXPECT_NE(expected.error().message.find("segment"), std::string::npos);
}

TEST(FamilyReference, TheSampleOfALargeOutputFollowsFromTheSeed)
{
    struct Large {
        const char* function;
        Numbers params;
        Inputs inputs;
        std::size_t sampled;
        std::int64_t last;
    };
    const std::vector<double> many(70'000, 0.5);
    const std::vector<Large> all{
        {"matmul", {{"M", 100}, {"N", 100}, {"K", 1}}, {std::vector<double>(100, 1), std::vector<double>(100, 1)}, 8192, 9'999},
        {"box", {{"rows", 700}, {"cols", 100}}, {many}, 65536, 69'999},
        {"taps", {{"rows", 700}, {"cols", 100}, {"taps", 2}}, {many}, 65536, 69'999},
        {"transform", {{"length", 2}}, {many}, 65536, 69'999},
        {"gather", {{"sorted", 0}, {"scale", 1}}, {many, many, {5}}, 65536, 69'999},
        {"paths", {{"trips", 0}, {"iters", 1}}, {many}, 8192, 69'999},
        {"polynomial", {{"degree", 1}}, {many}, 65536, 69'999},
        {"series", {{"terms", 1}}, {many}, 65536, 69'999},
        {"morton", {}, {many}, 65536, 69'999},
        {"walk", {{"walks", 1000}, {"steps", 1}, {"decay", 1}}, {std::vector<double>(32)}, 512 * 32, 31'999}};
    for (const Large& one : all) {
        const auto indices = [&](std::uint64_t seed) {
            const Result<Expected> expected = evaluateReference({one.function, one.params, {}, "out"}, one.inputs, seed);
            EXPECT_TRUE(expected) << one.function;
            EXPECT_EQ(expected->indices.size(), expected->values.size()) << one.function;
            return expected->indices;
        };
        const std::vector<std::int64_t> first = indices(1);
        EXPECT_EQ(first.size(), one.sampled) << one.function;
        EXPECT_EQ(first.front(), 0) << one.function;
        EXPECT_EQ(first.back(), one.last) << one.function;
        EXPECT_EQ(first, indices(1)) << one.function;
        EXPECT_NE(first, indices(2)) << one.function;
    }
}

TEST(FamilyReference, EachValueOfASampleIsThatOfItsElement)
{
    std::vector<double> rows(100), cols(200), positions(70'000), table(70'000);
    std::iota(rows.begin(), rows.end(), 1.0);
    std::iota(cols.begin(), cols.end(), 1000.0);
    std::iota(positions.begin(), positions.end(), 0.0);
    std::iota(table.begin(), table.end(), 7.0);
    const Result<Expected> product = evaluate("matmul", {{"M", 100}, {"N", 200}, {"K", 1}}, {rows, cols});
    ASSERT_TRUE(product);
    for (std::size_t i = 0; i < product->indices.size(); ++i) {
        const std::int64_t row = product->indices[i] / 200;
        ASSERT_EQ(product->values[i], static_cast<double>((row + 1) * (product->indices[i] % 200 + 1000)));
    }
    const Result<Expected> looked = evaluate("gather", {{"sorted", 1}, {"scale", 1}}, {{}, positions, table});
    ASSERT_TRUE(looked);
    for (std::size_t i = 0; i < looked->indices.size(); ++i)
        ASSERT_EQ(looked->values[i], static_cast<double>(looked->indices[i] + 7));
    const Result<Expected> linear = evaluate("polynomial", {{"degree", 1}}, {positions});
    ASSERT_TRUE(linear);
    for (std::size_t i = 0; i < linear->indices.size(); ++i)
        ASSERT_EQ(linear->values[i], 1 + 0.5 * static_cast<double>(linear->indices[i]));
    const Result<Expected> transformed = evaluate("transform", {{"length", 1}}, {positions});
    ASSERT_TRUE(transformed);
    for (std::size_t i = 0; i < transformed->indices.size(); ++i)
        ASSERT_EQ(transformed->values[i], -0.5 * static_cast<double>(transformed->indices[i]));
}

} // namespace
} // namespace kl
