// SPDX-License-Identifier: MIT
// Elements of every type: conversions, fills, poison, files.
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"
#include "kernels/model/work_fields.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace kl {
namespace {

BufferSpec buffer(DType type, Fill fill, std::int64_t count)
{
    BufferSpec spec;
    spec.name = "x";
    spec.type = type;
    spec.fill = fill;
    spec.count = count;
    return spec;
}

/// Every finite FP8 number, once each sign.
TEST(Types, EveryFp8NumberComesBack)
{
    for (const DType type : {DType::f8e4m3, DType::f8e5m2}) {
        int finite = 0;
        for (int bits = 0; bits < 256; ++bits) {
            const float value = fromF8(type, static_cast<std::uint8_t>(bits));
            if (!std::isfinite(value))
                continue;
            ++finite;
            EXPECT_EQ(toF8(type, value), bits) << value;
        }
        EXPECT_EQ(finite, type == DType::f8e4m3 ? 254 : 248);
    }
}

TEST(Types, Fp8RoundsToNearestEvenAndSaturates)
{
    EXPECT_EQ(fromF8(DType::f8e4m3, 0x7e), 448.0F);
    EXPECT_EQ(fromF8(DType::f8e4m3, 0x01), 0x1p-9F);
    EXPECT_EQ(fromF8(DType::f8e5m2, 0x7b), 57344.0F);
    EXPECT_EQ(fromF8(DType::f8e5m2, 0x01), 0x1p-16F);
    EXPECT_EQ(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, 1.0625F)), 1.0F); // half way: the even one
    EXPECT_EQ(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, 1.1875F)), 1.25F);
    EXPECT_EQ(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, 1.97F)), 2.0F); // into the next exponent
    EXPECT_EQ(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, 1e9F)), 448.0F);
    EXPECT_EQ(fromF8(DType::f8e5m2, toF8(DType::f8e5m2, -1e9F)), -57344.0F);
    EXPECT_EQ(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, 0x1p-10F)), 0.0F); // half of the least: even
    EXPECT_EQ(toF8(DType::f8e4m3, -0.0F), 0x80);
    EXPECT_TRUE(std::isnan(fromF8(DType::f8e4m3, toF8(DType::f8e4m3, std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_TRUE(std::isnan(fromF8(DType::f8e5m2, toF8(DType::f8e5m2, std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Types, FillsStayWithinTheType)
{
    for (const auto& [type, word] : enumWords(DType{})) {
        const std::vector<std::byte> data = fillBuffer(buffer(type, Fill::normal, 2000), 1, 0);
        ASSERT_EQ(data.size(), 2000U * static_cast<std::size_t>(countBytes(type))) << word;
        std::set<double> seen;
        for (const double value : toDoubles(data.data(), type, 2000)) {
            EXPECT_TRUE(std::isfinite(value)) << word;
            if (isInteger(type)) {
                EXPECT_EQ(value, std::round(value)) << word;
            }
            seen.insert(value);
        }
        EXPECT_EQ(seen.size() == 2, type == DType::boolean) << word;
        if (isInteger(type)) {
            EXPECT_EQ(*seen.begin() < 0, findRange(type).first < 0) << word;
            EXPECT_EQ(seen.size(), 17U) << word;
        }
    }
}

TEST(Types, PoisonIsSeenAndMeansNothing)
{
    for (const auto& [type, word] : enumWords(DType{})) {
        const std::vector<std::byte> data = fillBuffer(buffer(type, Fill::poison, 3), 1, 0);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(isPoison(data.data(), type, i)) << word;
        if (!isInteger(type)) {
            EXPECT_FALSE(std::isfinite(elementAt(data.data(), type, 1))) << word;
        }
        EXPECT_EQ(isTellingPoison(type), type != DType::i8 && type != DType::u8) << word;
    }
}

TEST(Types, ElementsKeepTheirValue)
{
    std::vector<std::byte> data(8);
    const auto stored = [&](DType type, double value) {
        storeElement(data.data(), type, 0, value);
        return elementAt(data.data(), type, 0);
    };
    EXPECT_EQ(stored(DType::i8, -128), -128);
    EXPECT_EQ(stored(DType::u8, 255), 255);
    EXPECT_EQ(stored(DType::i64, -0x1p62), -0x1p62);
    EXPECT_EQ(stored(DType::u64, 0x1p63), 0x1p63);
    EXPECT_EQ(stored(DType::boolean, 7), 1);
    EXPECT_EQ(stored(DType::f8e5m2, 1.25), 1.25);
}

TEST(Types, ArraysOfNumpyComeAndGo)
{
    for (const DType type : {DType::i8, DType::u8, DType::i64, DType::u64, DType::boolean}) {
        const std::vector<std::byte> data = fillBuffer(buffer(type, Fill::normal, 8), 1, 0);
        const Result<Array> array = fromNpy(toNpy(type, {2, 4}, data.data()), "x.npy");
        ASSERT_TRUE(array) << array.error().message;
        EXPECT_EQ(array->type, type);
        EXPECT_EQ(array->bytes, data);
    }
    const std::vector<std::byte> small = fillBuffer(buffer(DType::f8e4m3, Fill::normal, 8), 1, 0);
    const Result<Array> wide = fromNpy(toNpy(DType::f8e4m3, {8}, small.data()), "x.npy");
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->type, DType::f32);
    EXPECT_EQ(convertTo(DType::f8e4m3, *wide), small);
}

TEST(Types, WhatATypeCannotHoldIsFound)
{
    Array array;
    array.type = DType::i64;
    array.bytes.resize(16);
    storeElement(array.bytes.data(), DType::i64, 0, 200);
    storeElement(array.bytes.data(), DType::i64, 1, -1);
    EXPECT_EQ(firstTooLarge(DType::i8, array), 0U);
    EXPECT_EQ(firstTooLarge(DType::u8, array), 1U);
    EXPECT_EQ(firstTooLarge(DType::i32, array), std::nullopt);
    EXPECT_EQ(firstTooLarge(DType::f16, array), std::nullopt);
}

} // namespace
} // namespace kl
