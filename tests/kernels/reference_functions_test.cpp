// SPDX-License-Identifier: MIT
// Reference functions on inputs of a few elements, against values that are worked out by hand.
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/reference/reference.h"
#include "kernels/reference/sampling.h"
#include "kernels/tensor_map_builder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <utility>

namespace kl {
namespace {

using InputLists = std::vector<std::vector<double>>;

std::vector<double> valuesFrom(const std::string& function, const std::map<std::string, double>& params, const InputLists& inputs)
{
    const Result<Expected> out = evaluateReference({function, params, {}, "out"}, inputs, 1);
    EXPECT_TRUE(out.ok()) << out.error().message;
    return out ? out->values : std::vector<double>();
}

bool isRefused(const std::string& function, const std::map<std::string, double>& params, const InputLists& inputs)
{
    const Result<Expected> out = evaluateReference({function, params, {}, "out"}, inputs, 1);
    return !out && out.error().code == ErrorCode::badInput;
}

TEST(Sampling, TakesAllOrFirstLastAndOneOfEachPart)
{
    EXPECT_EQ(sampleElements(4, 4, 1), (std::vector<std::int64_t>{0, 1, 2, 3}));
    const std::vector<std::int64_t> some = sampleElements(1000, 10, 7);
    ASSERT_EQ(some.size(), 10U);
    EXPECT_EQ(some.front(), 0);
    EXPECT_EQ(some.back(), 999);
    for (std::size_t part = 1; part + 1 < some.size(); ++part)
        EXPECT_EQ(some[part] / 100, static_cast<std::int64_t>(part));
    EXPECT_NE(sampleElements(1000, 10, 8), some) << "chosen from the seed";
    EXPECT_EQ(sampleElements(1000, 10, 7), some);
}

TEST(ReferenceFunctions, SizesThatDoNotFitAreRefused)
{
    EXPECT_TRUE(isRefused("transpose", {{"rows", 2}, {"cols", 2}}, {{1, 2, 3, 4, 5}}));
    EXPECT_TRUE(isRefused("matmul", {{"M", 2}, {"N", 1}, {"K", 2}}, {{1, 2, 3}, {1, 2}}));
    EXPECT_TRUE(isRefused("matmul", {{"M", 1}, {"N", 1}, {"K", 2}}, {{1, 2}, {1}}));
    EXPECT_TRUE(isRefused("softmax", {{"cols", 0}}, {{1}}));
    EXPECT_TRUE(isRefused("histogram", {{"bins", 0}}, {{1}}));
    EXPECT_TRUE(isRefused("softmax", {}, {{1}}));
}

TEST(ReferenceFunctions, ProductsOfMatrices)
{
    EXPECT_EQ(valuesFrom("matmul", {{"M", 2}, {"N", 3}, {"K", 2}}, {{1, 2, 3, 4}, {1, 0, 2, 0, 1, 3}}),
              (std::vector<double>{1, 2, 8, 3, 4, 18}));
}

TEST(ReferenceFunctions, RowsAreNormalizedByTheirOwnSums)
{
    const std::vector<double> soft = valuesFrom("softmax", {{"cols", 2}}, {{1000, 1000, 0, std::log(3.0)}});
    ASSERT_EQ(soft.size(), 4U);
    EXPECT_DOUBLE_EQ(soft[0], 0.5) << "large values do not overflow";
    EXPECT_NEAR(soft[2], 0.25, 1e-12);
    EXPECT_NEAR(soft[3], 0.75, 1e-12);
}

void expectClose(const std::vector<double>& got, const std::vector<double>& wanted)
{
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], wanted[i], 1e-12) << i;
}

TEST(ReferenceFunctions, SumsOfNeighbors)
{
    expectClose(valuesFrom("scan", {{"segment", 3}}, {{1, 2, 3, 4}}), {1, 3, 6, 4});
    expectClose(valuesFrom("layer-norm", {{"cols", 2}, {"epsilon", 3}}, {{1, 3}, {2, 3}, {10, 20}}), {9, 21.5});
    expectClose(valuesFrom("box", {{"rows", 1}, {"cols", 3}}, {{1, 2, 3}}), {2.6, 4, 4.2});
    expectClose(valuesFrom("box", {{"rows", 3}, {"cols", 1}}, {{1, 2, 3}}), {2.6, 4, 4.2});
    expectClose(valuesFrom("taps", {{"rows", 2}, {"cols", 1}, {"taps", 3}}, {{6, 12}}), {14, 19});
    expectClose(valuesFrom("transform", {{"length", 2}}, {{1, 2}}), {-1.125, -0.1875});
    expectClose(valuesFrom("jacobi", {{"width", 2}, {"steps", 1}}, {{0.1, 0.2, 0.3, 0.4}, {1, 2}}), {1.7, 3});
    EXPECT_TRUE(isRefused("transform", {{"length", 2}}, {{1, 2, 3}}));
    EXPECT_TRUE(isRefused("box", {{"rows", 2}, {"cols", 2}}, {{1, 2, 3}}));
    EXPECT_TRUE(isRefused("layer-norm", {{"cols", 2}, {"epsilon", 0}}, {{1, 3}, {2}, {10, 20}}));
    EXPECT_TRUE(isRefused("jacobi", {{"width", 2}, {"steps", 1}}, {{0.1, 0.2, 0.3}, {1, 2}}));
}

TEST(ReferenceFunctions, PlacesInTablesAreRoundedTowardsZeroAndStayInside)
{
    expectClose(valuesFrom("histogram", {{"bins", 4}}, {{-1, -0.5, 0.24, 0.999, 2, -3}}), {2, 1, 1, 2});
    const InputLists lookUps{{0.24, -9}, {1.4, 9}, {5, 6, 7, 8}};
    expectClose(valuesFrom("gather", {{"sorted", 0}, {"scale", 2}}, lookUps), {7, 5});
    expectClose(valuesFrom("gather", {{"sorted", 1}, {"scale", 2}}, lookUps), {7, 8});
    std::vector<double> table(64);
    std::iota(table.begin(), table.end(), 0.0);
    table[0] = 0.5; // leads from the first record to the second
    const std::vector<double> walk = valuesFrom("walk", {{"walks", 1}, {"steps", 2}, {"decay", 0.25}}, {table});
    ASSERT_EQ(walk.size(), 32U);
    EXPECT_EQ(walk[0], 0.5 + 0.25 * 32);
    EXPECT_EQ(walk[31], 31 + 0.25 * 63);
}

TEST(ReferenceFunctions, OfEachElementAlone)
{
    expectClose(valuesFrom("paths", {{"trips", 0}, {"iters", 1}}, {{0, 0, 0, 1}}), {0.2505, 0.75, 0.125, 1.125});
    expectClose(valuesFrom("paths", {{"trips", 1}, {"iters", 32}}, {{0, 0}}), {0.125, 0.1640625});
    expectClose(valuesFrom("polynomial", {{"degree", 1}}, {{2, 0}}), {2, 1});
    expectClose(valuesFrom("series", {{"terms", 2}}, {{std::acos(-1.0) / 2}}), {1});
    expectClose(valuesFrom("morton", {},
                           {{std::bit_cast<float>(0x00000001U), std::bit_cast<float>(0x00010000U), std::bit_cast<float>(0x00008000U)}}),
                {1, 2, 0x40000000});
    expectClose(valuesFrom("chain", {{"steps", 2}}, {{2}}), {1.81});
}

/// A function with parameters and inputs of the least size that it takes.
struct Least {
    const char* function;
    std::map<std::string, double> params;
    InputLists inputs;
};

TEST(ReferenceFunctions, EachParameterIsNeededAndEachInputCounted)
{
    const std::vector<Least> all{{"copy", {}, {{1}}},
                                 {"transpose", {{"rows", 1}, {"cols", 2}}, {{1, 2}}},
                                 {"sum", {}, {{1}}},
                                 {"chain", {{"steps", 1}}, {{1}}},
                                 {"fma", {{"kind", 0}, {"iters", 1}}, {{1}}},
                                 {"attention", {{"B", 1}, {"H", 1}, {"S", 1}, {"D", 1}, {"CAUSAL", 0}}, {{1}, {1}, {1}}},
                                 {"histogram", {{"bins", 2}}, {{0}}},
                                 {"gather", {{"sorted", 0}, {"scale", 1}}, {{0}, {0}, {5}}},
                                 {"walk", {{"walks", 1}, {"steps", 1}, {"decay", 1}}, {std::vector<double>(32)}},
                                 {"softmax", {{"cols", 1}}, {{1}}},
                                 {"layer-norm", {{"cols", 1}, {"epsilon", 1}}, {{1}, {1}, {1}}},
                                 {"scan", {{"segment", 1}}, {{1}}},
                                 {"matmul", {{"M", 1}, {"N", 1}, {"K", 1}}, {{1}, {1}}},
                                 {"box", {{"rows", 1}, {"cols", 1}}, {{1}}},
                                 {"taps", {{"rows", 1}, {"cols", 1}, {"taps", 1}}, {{1}}},
                                 {"transform", {{"length", 1}}, {{1}}},
                                 {"paths", {{"trips", 0}, {"iters", 1}}, {{1}}},
                                 {"polynomial", {{"degree", 1}}, {{1}}},
                                 {"series", {{"terms", 1}}, {{1}}},
                                 {"morton", {}, {{1}}},
                                 {"jacobi", {{"width", 1}, {"steps", 1}}, {{1}, {1}}}};
    for (const auto& [function, params, inputs] : all) {
        const Result<Expected> whole = evaluateReference({function, params, {}, "out"}, inputs, 1);
        ASSERT_TRUE(whole) << function << ": " << whole.error().message;
        EXPECT_FALSE(whole->values.empty()) << function;
        for (const auto& [name, value] : params) {
            std::map<std::string, double> fewer = params;
            fewer.erase(name);
            const Result<Expected> refused = evaluateReference({function, fewer, {}, "out"}, inputs, 1);
            ASSERT_FALSE(refused) << function << " without " << name;
            EXPECT_EQ(refused.error().code, ErrorCode::badInput);
            EXPECT_EQ(refused.error().where, function);
            EXPECT_NE(refused.error().message.find(' ' + name), std::string::npos) << refused.error().message;
        }
        InputLists more = inputs;
        more.push_back({1});
        EXPECT_TRUE(isRefused(function, params, more)) << function << " with an input too many";
    }
}

TEST(ReferenceFunctions, AnUnknownOneIsAnErrorWithTheKnownOnes)
{
    const Result<Expected> unknown = evaluateReference({"fft", {}, {}, "out"}, {{1}}, 1);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().where, "fft");
    EXPECT_NE(unknown.error().hint.find("copy, transpose,"), std::string::npos) << unknown.error().hint;
    EXPECT_NE(unknown.error().hint.find("jacobi."), std::string::npos) << unknown.error().hint;
}

TEST(ReferenceFunctions, GivenElementsAreTheReference)
{
    ReferenceSpec spec;
    const std::vector<float> elements{1.5F, -2, 8};
    spec.data = DataSpec{DType::f32, toBase64({reinterpret_cast<const char*>(elements.data()), 12})};
    const Result<Expected> given = evaluateReference(spec, {}, 1);
    ASSERT_TRUE(given) << given.error().message;
    EXPECT_EQ(given->values, (std::vector<double>{1.5, -2, 8}));
    EXPECT_TRUE(given->indices.empty());
    spec.data->base64 = "=";
    EXPECT_EQ(evaluateReference(spec, {}, 1).error().where, "reference.data");
}

TEST(ReferenceFunctions, TransposeIsThatOfLargeMatricesToo)
{
    constexpr std::size_t kRows = 130, kCols = 67;
    std::vector<double> matrix(kRows * kCols);
    std::iota(matrix.begin(), matrix.end(), 0.0);
    const std::vector<double> turned = valuesFrom("transpose", {{"rows", kRows}, {"cols", kCols}}, {matrix});
    ASSERT_EQ(turned.size(), matrix.size());
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kCols; ++j)
            ASSERT_EQ(turned[j * kRows + i], matrix[i * kCols + j]) << i << ", " << j;
}

TEST(ReferenceFunctions, IntegerChainsStartFromThePlace)
{
    // xorshift of 13, 17 and 5 from the place plus one, plus one more where the value is above 2; its lower 16 bits.
    expectClose(valuesFrom("fma", {{"kind", 2}, {"iters", 1}}, {{0, 0, 2, 2.5}}), {8225, 16450, 8225 ^ 16450, 32900 ^ 8225});
    expectClose(valuesFrom("fma", {{"kind", 2}, {"iters", 0}}, {{0, 3}}), {1, 3});
    expectClose(valuesFrom("fma", {{"kind", 0}, {"iters", 1}}, {{2}}), {1.999});
    expectClose(valuesFrom("fma", {{"kind", 3}, {"iters", 1}}, {{2}}), {0.25});
    const std::vector<double> few(4096, 0.5);
    EXPECT_TRUE(evaluateReference({"fma", {{"kind", 0}, {"iters", 1}}, {}, "out"}, {few}, 1)->indices.size() == 4096U);
    const Result<Expected> some = evaluateReference({"fma", {{"kind", 2}, {"iters", 0}}, {}, "out"}, {std::vector<double>(8192)}, 1);
    ASSERT_TRUE(some);
    for (std::size_t i = 0; i < some->indices.size(); ++i) {
        EXPECT_EQ(some->indices[i], static_cast<std::int64_t>(i) * 8191 / 4095);
        EXPECT_EQ(some->values[i], static_cast<double>(some->indices[i] + 1));
    }
}

TEST(ReferenceFunctions, TripsGrowFromOneThirtySecondToAll)
{
    const std::vector<double> ends = valuesFrom("paths", {{"trips", 1}, {"iters", 32}}, {std::vector<double>(40, 0)});
    double x = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        x = i % 32 == 0 ? 0 : x;
        x = (x * 0.5 + 0.25) * x + 0.125;
        EXPECT_NEAR(ends[i], x, 1e-12) << i;
    }
    expectClose(valuesFrom("paths", {{"trips", 0}, {"iters", 1}}, {{2, 2, 2, 2, 2}}), {3.2495, 0.75, 4.625, 1.875, 3.2495});
}

TEST(ReferenceFunctions, EveryBitHasItsPlaceInAMortonKey)
{
    for (unsigned bit = 0; bit < 31; ++bit) {
        if (bit == 23) // the least exponent
            continue;
        const double wanted = bit < 16 ? std::ldexp(1.0, static_cast<int>(2 * bit)) : std::ldexp(1.0, static_cast<int>(2 * (bit - 16) + 1));
        expectClose(valuesFrom("morton", {}, {{std::bit_cast<float>(1U << bit)}}), {wanted});
    }
}

TEST(ReferenceFunctions, WalksStartApart)
{
    std::vector<double> table(5 * 32, 0);
    for (std::size_t record = 0; record < 5; ++record)
        table[record * 32 + 1] = static_cast<double>(record);
    const Result<Expected> walks = evaluateReference({"walk", {{"walks", 3}, {"steps", 1}, {"decay", 1}}, {}, "out"}, {table}, 1);
    ASSERT_TRUE(walks);
    ASSERT_EQ(walks->values.size(), 96U);
    for (std::size_t walk = 0; walk < 3; ++walk) {
        EXPECT_EQ(walks->values[walk * 32 + 1], static_cast<double>(walk * 2654435761U % 4294967296U % 5)) << walk;
        EXPECT_EQ(walks->indices[walk * 32 + 1], static_cast<std::int64_t>(walk * 32 + 1));
    }
    EXPECT_TRUE(isRefused("walk", {{"walks", 1}, {"steps", 1}, {"decay", 1}}, {std::vector<double>(31)})) << "not one record";
}

TEST(ReferenceFunctions, ShapesAreThoseOfTheInputs)
{
    for (const auto& [function, params, inputs] :
         {Least{"transpose", {{"rows", 2}, {"cols", 3}}, {{1, 2, 3, 4, 5}}}, Least{"transform", {{"length", 0}}, {{1, 2}}},
          Least{"scan", {{"segment", 0}}, {{1}}}, Least{"layer-norm", {{"cols", 0}, {"epsilon", 1}}, {{}, {}, {}}},
          Least{"layer-norm", {{"cols", 2}, {"epsilon", 1}}, {{1, 2, 3}, {1, 1}, {1, 1}}},
          Least{"layer-norm", {{"cols", 2}, {"epsilon", 1}}, {{1, 2}, {1, 1}, {1}}},
          Least{"jacobi", {{"width", 0}, {"steps", 1}}, {{}, {}}}, Least{"jacobi", {{"width", 2}, {"steps", 1}}, {{1, 2, 3, 4}, {1, 2, 3}}},
          Least{"taps", {{"rows", 2}, {"cols", 2}, {"taps", 1}}, {{1, 2, 3}}}}) {
        const Result<Expected> refused = evaluateReference({function, params, {}, "out"}, inputs, 1);
        ASSERT_FALSE(refused) << function;
        EXPECT_EQ(refused.error().where, function);
        EXPECT_FALSE(refused.error().message.empty());
    }
}

TEST(Numbers, HalvesOverflowToInfinityFromHalfAStepAboveTheLargestOn)
{
    EXPECT_EQ(toHalf(65504.0F), 0x7bff);
    EXPECT_EQ(toHalf(std::nextafter(65520.0F, 0.0F)), 0x7bff);
    EXPECT_EQ(toHalf(65520.0F), 0x7c00);
    EXPECT_EQ(toHalf(-65520.0F), 0xfc00);
    EXPECT_EQ(toHalf(0x1p-24F), 0x0001);
    EXPECT_EQ(fromHalf(0x0001), 0x1p-24F);
    EXPECT_EQ(fromHalf(0x03ff), 1023 * 0x1p-24F);
    EXPECT_EQ(toHalf(1 + 0x1p-11F), 0x3c00) << "half way: the even one";
    EXPECT_EQ(toHalf(1 + 3 * 0x1p-11F), 0x3c02);
    EXPECT_TRUE(std::isnan(fromHalf(toHalf(std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_EQ(toBfloat(1 + 0x1p-8F), 0x3f80);
    EXPECT_EQ(toBfloat(1 + 3 * 0x1p-8F), 0x3f82);
    EXPECT_TRUE(std::isnan(fromBfloat(toBfloat(std::numeric_limits<float>::quiet_NaN()))));
}

BufferSpec makeBufferSpec(DType type, Fill fill, std::int64_t count)
{
    BufferSpec spec;
    spec.type = type;
    spec.fill = fill;
    spec.count = count;
    return spec;
}

TEST(Numbers, EveryElementOfAFillIsSetAlsoTheLastOfAnOddNumber)
{
    for (const std::int64_t count : {1, 2, 7}) {
        const std::vector<std::byte> data = fillBuffer(makeBufferSpec(DType::f32, Fill::normal, count), 3, 0);
        for (std::int64_t i = 0; i < count; ++i)
            EXPECT_NE(elementAt(data.data(), DType::f32, static_cast<std::size_t>(i)), 0) << i << " of " << count;
    }
}

TEST(Numbers, BuffersOfOneWorkDoNotRepeatEachOther)
{
    const BufferSpec spec = makeBufferSpec(DType::f32, Fill::uniform, 8);
    EXPECT_NE(fillBuffer(spec, 3, 0), fillBuffer(spec, 3, 1));
    EXPECT_NE(fillBuffer(spec, 3, 0), fillBuffer(spec, 4, 0));
    EXPECT_EQ(fillBuffer(spec, 3, 1), fillBuffer(spec, 3, 1));
}

TEST(Numbers, WholeNumbersAreFromMinusEightToEightAndUnsignedOnesToSixteen)
{
    for (const auto& [type, least] : {std::pair(DType::i32, -8.0), std::pair(DType::u8, 0.0)}) {
        const std::vector<std::byte> data = fillBuffer(makeBufferSpec(type, Fill::uniform, 2000), 3, 0);
        const std::vector<double> values = toDoubles(data.data(), type, 2000);
        EXPECT_EQ(*std::ranges::min_element(values), least);
        EXPECT_EQ(*std::ranges::max_element(values), least + 16);
    }
    EXPECT_EQ(findRange(DType::u8), std::pair(0.0, 255.0));
    EXPECT_EQ(findRange(DType::i8), std::pair(-128.0, 127.0));
    EXPECT_EQ(findRange(DType::u32), std::pair(0.0, 4294967295.0));
}

/// A map of 64 rows of 128 FP16 elements, in boxes of 64 × 8.
TensorMapSpec makeMap()
{
    TensorMapSpec map;
    map.dims = {128, 64};
    map.strides = {256};
    map.box = {64, 8};
    map.elementStrides = {1, 1};
    return map;
}

std::string findFault(const TensorMapSpec& map, DType type = DType::f16, std::int64_t count = 128 * 64)
{
    const std::optional<TensorMapFault> fault = tensorMapFault(map, type, count);
    return fault ? fault->field : "";
}

TEST(TensorMapLimits, MayBeReached)
{
    EXPECT_EQ(findFault(makeMap()), "");
    TensorMapSpec map = makeMap();
    map.box = {256, 256};
    map.elementStrides = {8, 8};
    EXPECT_EQ(findFault(map), "");
    map.box[1] = 257;
    EXPECT_EQ(findFault(map), "box[1]");
    map = makeMap();
    map.elementStrides[0] = 9;
    EXPECT_EQ(findFault(map), "element_strides[0]");
    map = makeMap();
    map.swizzle = TensorSwizzle::b128; // of 64 elements of 2 bytes
    EXPECT_EQ(findFault(map), "");
    map.swizzle = TensorSwizzle::b64;
    EXPECT_EQ(findFault(map), "box[0]");
}

TEST(TensorMapLimits, OfDimensionsAndStrides)
{
    TensorMapSpec map = makeMap();
    map.dims = {std::int64_t{1} << 32, 1};
    map.strides = {16};
    constexpr std::int64_t kMany = std::int64_t{1} << 41;
    EXPECT_EQ(findFault(map, DType::f16, kMany), "");
    map.dims[0] += 1;
    EXPECT_EQ(findFault(map, DType::f16, kMany), "dims[0]");
    map = makeMap();
    map.dims = {8, 2};
    map.strides = {(std::int64_t{1} << 40) - 16};
    EXPECT_EQ(findFault(map, DType::f16, kMany), "");
    map.strides = {std::int64_t{1} << 40};
    EXPECT_EQ(findFault(map, DType::f16, kMany), "strides[0]");
    map = makeMap();
    map.dims = {1, 1, 1, 1, 1};
    map.strides = {16, 16, 16, 16};
    map.box = {8, 1, 1, 1, 1};
    map.elementStrides = {1, 1, 1, 1, 1};
    EXPECT_EQ(findFault(map), "");
}

TEST(TensorMapLimits, TheLastElementLiesInTheBuffer)
{
    TensorMapSpec map = makeMap(); // of more columns than rows
    map.dims = {8, 3};
    map.strides = {16};
    EXPECT_EQ(findFault(map, DType::f16, 24), "");
    EXPECT_EQ(findFault(map, DType::f16, 23), "dims");
}

TEST(TensorMapLimits, AnInterleaveNeedsThreeDimensionsAndItsOwnUnit)
{
    TensorMapSpec map;
    map.dims = {16, 4, 2};
    map.box = {16, 4, 2};
    map.elementStrides = {1, 1, 1};
    map.strides = {48, 192};
    map.interleave = TensorInterleave::b16;
    EXPECT_EQ(findFault(map), "");
    map.interleave = TensorInterleave::b32;
    EXPECT_EQ(findFault(map), "swizzle");
    map.swizzle = TensorSwizzle::b32;
    EXPECT_EQ(findFault(map), "strides[0]") << "48 bytes are not a multiple of 32";
    map.strides = {64, 192};
    EXPECT_EQ(findFault(map), "");
    map.dims = {16, 4};
    EXPECT_EQ(findFault(map), "interleave");
}

TEST(TensorMapLimits, ASwizzleHoldsARowOfTheBox)
{
    for (const auto& [swizzle, bytes] : {std::pair(TensorSwizzle::b32, 32), {TensorSwizzle::b64, 64}, {TensorSwizzle::b128, 128}}) {
        TensorMapSpec map = makeMap();
        map.swizzle = swizzle;
        map.box[0] = bytes / 2;
        EXPECT_EQ(findFault(map), "") << bytes;
        map.box[0] += 8;
        EXPECT_EQ(findFault(map), "box[0]") << bytes;
        EXPECT_NE(tensorMapFault(map, DType::f16, 128 * 64)->hint.find(' ' + std::to_string(bytes / 2) + ' '), std::string::npos);
    }
    TensorMapSpec map = makeMap();
    map.box[0] = 12;
    EXPECT_EQ(findFault(map), "box[0]") << "24 bytes";
    EXPECT_NE(tensorMapFault(map, DType::f16, 128 * 64)->hint.find(" 8 "), std::string::npos) << "elements in 16 bytes";
}

TEST(TensorMapLimits, AnInterleavedBoxMayHaveAnyRow)
{
    TensorMapSpec map;
    map.dims = {16, 4, 2};
    map.strides = {48, 192};
    map.box = {4, 4, 2};
    map.elementStrides = {1, 1, 1};
    EXPECT_EQ(findFault(map), "box[0]") << "8 bytes";
    map.interleave = TensorInterleave::b16;
    EXPECT_EQ(findFault(map), "");
    map.box[2] = 257;
    EXPECT_EQ(findFault(map), "box[2]");
}

TEST(TensorMapLimits, ListsAreAsLongAsTheDimensions)
{
    for (const auto& [change, field] : std::vector<std::pair<std::function<void(TensorMapSpec&)>, const char*>>{
             {[](TensorMapSpec& m) { m.dims.clear(); }, "dims"},
             {[](TensorMapSpec& m) { m.dims.assign(6, 1); }, "dims"},
             {[](TensorMapSpec& m) { m.box.pop_back(); }, "box"},
             {[](TensorMapSpec& m) { m.box.push_back(1); }, "box"},
             {[](TensorMapSpec& m) { m.elementStrides.pop_back(); }, "element_strides"},
             {[](TensorMapSpec& m) { m.strides.push_back(16); }, "strides"},
             {[](TensorMapSpec& m) { m.strides.clear(); }, "strides"}}) {
        TensorMapSpec map = makeMap();
        change(map);
        EXPECT_EQ(findFault(map), field);
    }
}

TEST(TensorMapBuilder, LeavesNothingOut)
{
    TensorMapFormula formula{"x",
                             {"N", "M", "2"},
                             {},
                             {"8", "4", "1"},
                             {},
                             TensorSwizzle::b64,
                             TensorInterleave::b16,
                             TensorPromotion::b128,
                             TensorOutside::nan};
    const Scope scope{{"N", 24}, {"M", 5}};
    const Result<TensorMapSpec> map = buildTensorMap(formula, DType::f32, scope);
    ASSERT_TRUE(map) << map.error().message;
    EXPECT_EQ(*map, (TensorMapSpec{{24, 5, 2},
                                   {96, 480},
                                   {8, 4, 1},
                                   {1, 1, 1},
                                   TensorSwizzle::b64,
                                   TensorInterleave::b16,
                                   TensorPromotion::b128,
                                   TensorOutside::nan}));
    formula.strides = {"112", "1024"};
    formula.elementStrides = {"1", "2", "1"};
    EXPECT_EQ(buildTensorMap(formula, DType::f32, scope)->strides, (std::vector<std::int64_t>{112, 1024}));
    EXPECT_EQ(buildTensorMap(formula, DType::f32, scope)->elementStrides, (std::vector<std::int64_t>{1, 2, 1}));
    for (std::vector<std::string>* list : {&formula.dims, &formula.strides, &formula.box, &formula.elementStrides}) {
        const std::string before = std::exchange(list->at(1), "0");
        EXPECT_EQ(buildTensorMap(formula, DType::f32, scope).error().where, "0");
        list->at(1) = before;
    }
}

TEST(TensorMapLimits, NanFillsFloatingElementsOfSixteenBitsOrMore)
{
    TensorMapSpec map = makeMap();
    map.outside = TensorOutside::nan;
    EXPECT_EQ(findFault(map), "");
    EXPECT_EQ(findFault(map, DType::i32), "oob_fill");
    EXPECT_EQ(findFault(map, DType::f8e4m3, 4 * 128 * 64), "oob_fill");
    map.outside = TensorOutside::zero;
    EXPECT_EQ(findFault(map, DType::f8e4m3, 4 * 128 * 64), "");
    EXPECT_EQ(findFault(map, DType::boolean, 4 * 128 * 64), "tensor_map");
}

} // namespace
} // namespace kl
