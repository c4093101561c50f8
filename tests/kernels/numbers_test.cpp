// SPDX-License-Identifier: MIT
// The contents of buffers, value by value: recordings and other machines count on the same ones.
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/data/packed_data.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace kl {
namespace {

/// The value that SplitMix64 gives as the n-th one after a seed, n from 1.
std::uint64_t splitMix(std::uint64_t seed, std::uint64_t n)
{
    std::uint64_t z = seed + n * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// The generator's seed for a buffer of a work.
std::uint64_t computeSeed(std::uint64_t seed, std::uint64_t position)
{
    return seed * 0x2545f4914f6cdd1dULL + position + 1;
}

BufferSpec makeBuffer(DType type, Fill fill, std::int64_t count, double scale = 1)
{
    BufferSpec spec;
    spec.type = type;
    spec.fill = fill;
    spec.count = count;
    spec.scale = scale;
    return spec;
}

std::vector<double> filled(const BufferSpec& spec, std::uint64_t seed = 1, std::size_t position = 0)
{
    const std::vector<std::byte> data = fillBuffer(spec, seed, position);
    return toDoubles(data.data(), spec.type, static_cast<std::size_t>(spec.count));
}

TEST(FillBuffer, TakesThePublishedValuesOfSplitMix)
{
    // Of the seed 1234567: 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821.
    EXPECT_EQ(filled(makeBuffer(DType::u8, Fill::uniform, 5), 0, 1234566),
              (std::vector<double>{6457827717110365317U % 17, 3203168211198807973U % 17, 9817491932198370423U % 17,
                                   4593380528125082431U % 17, 16408922859458223821U % 17}));
    EXPECT_EQ(filled(makeBuffer(DType::boolean, Fill::uniform, 5), 0, 1234566), (std::vector<double>{0, 0, 1, 0, 1}));
}

/// Filled by several threads, where there are some.
TEST(FillBuffer, EveryWholeNumberOfALargeBufferFollowsFromItsPlace)
{
    const std::int64_t count = 5 * (1 << 18) + 3;
    const std::vector<std::byte> data = fillBuffer(makeBuffer(DType::i8, Fill::normal, count), 7, 2);
    for (std::int64_t i = 0; i < count; ++i)
        ASSERT_EQ(static_cast<int>(static_cast<std::int8_t>(data[static_cast<std::size_t>(i)])),
                  static_cast<int>(splitMix(computeSeed(7, 2), static_cast<std::uint64_t>(i) + 1) % 17) - 8)
            << i;
}

TEST(FillBuffer, EveryNormalNumberOfALargeBufferFollowsFromItsPlace)
{
    const std::size_t count = 4 * (1 << 18) + 7; // pairs, of which the last is cut
    const std::vector<double> normal = filled(makeBuffer(DType::f32, Fill::normal, static_cast<std::int64_t>(count), 0.5), 3, 1);
    const std::vector<double> outliers = filled(makeBuffer(DType::f32, Fill::outliers, static_cast<std::int64_t>(count), 0.5), 3, 1);
    int tenfold = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bits = splitMix(computeSeed(3, 1), i / 2 + 1);
        const double first = static_cast<double>(bits << 32 >> 40) / (1 << 24), second = static_cast<double>(bits >> 40) / (1 << 24);
        const double angle = 2 * std::numbers::pi * second;
        const double wanted = 0.5 * std::sqrt(-2 * std::log(1 - first)) * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
        ASSERT_NEAR(normal[i], wanted, 1e-5) << i;
        const bool outlier = i % 2 == 0 && bits % 128 == 0;
        tenfold += outlier;
        ASSERT_NEAR(outliers[i], outlier ? 10 * wanted : wanted, 1e-4) << i;
    }
    EXPECT_NEAR(tenfold, static_cast<double>(count) / 256, 250);
}

TEST(FillBuffer, UniformNumbersFillTheScaledRange)
{
    const std::vector<double> values = filled(makeBuffer(DType::f32, Fill::uniform, 4000, 3), 5, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double unit = static_cast<double>(splitMix(computeSeed(5, 0), i + 1) << 32 >> 40) / (1 << 24);
        ASSERT_NEAR(values[i], 3 * (2 * unit - 1), 1e-6) << i;
    }
}

TEST(FillBuffer, ARampIsTheScaledPlace)
{
    EXPECT_EQ(filled(makeBuffer(DType::f32, Fill::ramp, 4, -0.5)), (std::vector<double>{0, -0.5, -1, -1.5}));
    EXPECT_EQ(filled(makeBuffer(DType::i64, Fill::ramp, 3, 4)), (std::vector<double>{0, 4, 8}));
    EXPECT_EQ(filled(makeBuffer(DType::f64, Fill::zeros, 2, 4)), (std::vector<double>{0, 0}));
}

TEST(FillBuffer, AFileGivesItsElementsAndNoMoreThanThereIsRoomFor)
{
    BufferSpec spec = makeBuffer(DType::u8, Fill::file, 3);
    spec.content = toBase64("\x05\x06\x07");
    EXPECT_EQ(filled(spec), (std::vector<double>{5, 6, 7}));
    spec.content = toBase64("\x05\x06\x07\x08");
    EXPECT_EQ(filled(spec), (std::vector<double>{5, 6, 7}));
    spec.content = toBase64("\x05");
    EXPECT_EQ(filled(spec), (std::vector<double>{5, 0, 0}));
    spec.content = toBase64(packData("\x09\x08\x07"));
    spec.packed = true;
    EXPECT_EQ(filled(spec), (std::vector<double>{9, 8, 7}));
    spec.content.reset();
    spec.packed.reset();
    EXPECT_EQ(filled(spec), (std::vector<double>{0, 0, 0}));
}

TEST(Poison, IsNoOtherValue)
{
    for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::u32, DType::f8e4m3, DType::f8e5m2,
                             DType::i64, DType::u64, DType::boolean}) {
        const auto size = static_cast<std::size_t>(countBytes(type));
        for (const std::size_t changed : {size, 2 * size - 1}) { // a byte of the second of three elements
            std::vector<std::byte> data = fillBuffer(makeBuffer(type, Fill::poison, 3), 1, 0);
            data[changed] ^= std::byte{1};
            EXPECT_TRUE(isPoison(data.data(), type, 0)) << static_cast<int>(type);
            EXPECT_FALSE(isPoison(data.data(), type, 1)) << static_cast<int>(type);
            EXPECT_TRUE(isPoison(data.data(), type, 2)) << static_cast<int>(type);
        }
    }
}

/// The number that a half's bits stand for, by the definition of IEEE 754.
double halfValue(int bits)
{
    const int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Numbers, EveryFiniteHalfComesBackAndTheNearestIsTaken)
{
    for (int bits = 0; bits < 0x7c00; ++bits)
        for (const int sign : {0, 0x8000}) {
            const auto half = static_cast<std::uint16_t>(sign | bits);
            const float value = fromHalf(half);
            ASSERT_EQ(value, halfValue(half)) << half;
            ASSERT_EQ(toHalf(value), half);
            if (bits + 1 == 0x7c00)
                continue;
            const auto middle = static_cast<float>((halfValue(half) + halfValue(half + 1)) / 2);
            ASSERT_EQ(toHalf(middle), bits % 2 == 0 ? half : half + 1) << "half way: the even one";
            ASSERT_EQ(toHalf(std::nextafter(middle, 0.0F)), half);
            ASSERT_EQ(toHalf(std::nextafter(middle, middle * 2)), half + 1);
        }
    EXPECT_EQ(fromHalf(0x7c00), std::numeric_limits<float>::infinity());
    EXPECT_EQ(fromHalf(0xfc00), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(fromHalf(0x7c01)));
    EXPECT_EQ(toHalf(std::numeric_limits<float>::infinity()), 0x7c00);
    EXPECT_EQ(toHalf(-std::numeric_limits<float>::quiet_NaN()), 0xfe00);
}

TEST(Numbers, BfloatsAreTheUpperHalvesOfFloats)
{
    for (int bits = 0; bits < 0x7f80; ++bits) {
        const float value = fromBfloat(static_cast<std::uint16_t>(bits));
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value), static_cast<std::uint32_t>(bits) << 16);
        ASSERT_EQ(toBfloat(value), bits);
        ASSERT_EQ(toBfloat(-value), bits | 0x8000);
    }
    EXPECT_EQ(toBfloat(std::numeric_limits<float>::infinity()), 0x7f80);
    EXPECT_EQ(toBfloat(std::numeric_limits<float>::max()), 0x7f80);
    EXPECT_TRUE(std::isnan(fromBfloat(toBfloat(std::bit_cast<float>(0x7f800001U))))) << "whose bits are all in the lower half";
}

struct Element {
    DType type;
    double stored;
    double read;
};

TEST(Numbers, ElementsAreStoredRoundedAndAlone)
{
    for (const auto& [type, stored, read] : {Element{DType::f16, -2.5, -2.5},
                                             {DType::f16, 1e6, std::numeric_limits<double>::infinity()},
                                             {DType::bf16, -2.5, -2.5},
                                             {DType::f32, 0.1, 0.1F},
                                             {DType::f64, 1e300, 1e300},
                                             {DType::i32, -2147483648.0, -2147483648.0},
                                             {DType::i32, -2.5, -3},
                                             {DType::u32, 4294967295.0, 4294967295.0},
                                             {DType::f8e4m3, -500, -448},
                                             {DType::f8e5m2, 1e6, 57344},
                                             {DType::i8, 2.5, 3},
                                             {DType::u8, 254.6, 255},
                                             {DType::i64, -0x1p53, -0x1p53},
                                             {DType::u64, 0x1p63, 0x1p63},
                                             {DType::u64, 0x1p64 - 2048, 0x1p64 - 2048},
                                             {DType::u64, 5.5, 6},
                                             {DType::boolean, 0.25, 1},
                                             {DType::boolean, 0, 0}}) {
        const auto size = static_cast<std::size_t>(countBytes(type));
        std::vector<std::byte> data(5 * size, std::byte{0x5a});
        storeElement(data.data(), type, 3, stored);
        EXPECT_EQ(elementAt(data.data(), type, 3), read) << static_cast<int>(type) << ' ' << stored;
        for (std::size_t i = 0; i < data.size(); ++i)
            EXPECT_TRUE(i / size == 3 || data[i] == std::byte{0x5a}) << static_cast<int>(type) << " byte " << i;
    }
    const std::byte two{2};
    EXPECT_TRUE(std::isnan(elementAt(&two, DType::boolean, 0))) << "neither false nor true";
}

TEST(Numbers, RangesOfTheWholeNumbers)
{
    EXPECT_EQ(findRange(DType::i32), std::pair(-2147483648.0, 2147483647.0));
    EXPECT_EQ(findRange(DType::i64).first, -0x1p63);
    EXPECT_EQ(findRange(DType::u64), std::pair(0.0, 0x1p64 - 1));
}

} // namespace
} // namespace kl
