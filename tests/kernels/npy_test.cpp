// SPDX-License-Identifier: MIT
#include "kernels/data/base64.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"

#include <cstring>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A .npy as numpy writes it, with this dictionary and data.
std::string npy(std::string dictionary, const std::string& data)
{
    dictionary.append(64 - (11 + dictionary.size()) % 64, ' ');
    dictionary += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dictionary.size()) + '\0' + dictionary + data;
}

template <class T> std::string bytesOf(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<double> valuesOf(const Result<Array>& array)
{
    EXPECT_TRUE(array) << array.error().message;
    return array ? toDoubles(array->bytes.data(), array->type, array->count()) : std::vector<double>{};
}

TEST(Base64, AgreesWithTheRfcAndRefusesOtherTexts)
{
    for (const auto& [plain, coded] :
         {std::pair("", ""), {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}}) {
        EXPECT_EQ(toBase64(plain), coded);
        EXPECT_EQ(fromBase64(coded), plain);
    }
    std::string all;
    for (int i = 0; i < 256; ++i)
        all += static_cast<char>(i);
    EXPECT_EQ(fromBase64(toBase64(all)), all);
    for (const char* bad : {"Zg=", "Z===", "Zm9*", "Zg==Zg==", "===="})
        EXPECT_FALSE(fromBase64(bad)) << bad;
}

TEST(Npy, EveryTypeComesBack)
{
    for (const DType type : {DType::f16, DType::f32, DType::f64, DType::i32, DType::u32}) {
        BufferSpec spec{"x", type, 6, BufferRole::input, Fill::ramp, 1, {}};
        const std::vector<std::byte> data = fillBuffer(spec, 1, 0);
        const std::string file = toNpy(type, {2, 3}, data.data());
        EXPECT_EQ((file.size() - data.size()) % 64, 0U); // numpy aligns the data
        const Result<Array> array = fromNpy(file, "x.npy");
        ASSERT_TRUE(array) << array.error().message;
        EXPECT_EQ(array->type, type);
        EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2, 3}));
        EXPECT_EQ(array->bytes, data);
    }
}

TEST(Npy, BfloatIsWrittenAsFloat)
{
    const std::uint16_t value = toBfloat(1.5F);
    const Result<Array> array = fromNpy(toNpy(DType::bf16, {1}, reinterpret_cast<const std::byte*>(&value)), "x.npy");
    EXPECT_EQ(valuesOf(array), std::vector<double>{1.5});
    EXPECT_EQ(array->type, DType::f32);
}

TEST(Npy, SixteenBitsBecomeThirtyTwo)
{
    const Result<Array> array =
        fromNpy(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", bytesOf<std::int16_t>({-1, 7})), "x");
    EXPECT_EQ(valuesOf(array), (std::vector<double>{-1, 7}));
    EXPECT_EQ(array->type, DType::i32);
    EXPECT_EQ(valuesOf(fromNpy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", std::string("\1\0", 2)), "x")),
              (std::vector<double>{1, 0}));
}

TEST(Npy, WhatIsNoneIsReportedWithItsName)
{
    const std::string four(16, '\0');
    for (const auto& [file, says] :
         {std::pair<std::string, const char*>{"hello", "not a .npy file"},
          {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }", four), "truncated"},
          {npy("{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }", four), "truncated"},
          {npy("{'descr': '>f4', 'fortran_order': False, 'shape': (4,), }", four), "big-endian"},
          {npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", four), "Fortran"},
          {npy("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", four), "type <c8"},
          {npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", four), "structured"},
          {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", four), "larger"}}) {
        const Result<Array> array = fromNpy(file, "in.npy");
        ASSERT_FALSE(array) << says;
        EXPECT_NE(array.error().message.find(says), std::string::npos) << array.error().message;
        EXPECT_EQ(array.error().where, "in.npy");
    }
    std::string cut = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", four);
    cut.resize(40);
    EXPECT_FALSE(fromNpy(cut, "in.npy"));
}

TEST(Npy, ConvertingRoundsToNearest)
{
    Array array;
    array.type = DType::f64;
    const std::vector<double> values{2.5, -1.5, 70000};
    array.bytes.resize(24);
    std::memcpy(array.bytes.data(), values.data(), 24);
    const std::vector<std::byte> whole = convertTo(DType::i32, array);
    EXPECT_EQ(toDoubles(whole.data(), DType::i32, 3), (std::vector<double>{3, -2, 70000}));
    const std::vector<std::byte> half = convertTo(DType::f16, array);
    EXPECT_EQ(elementAt(half.data(), DType::f16, 0), 2.5);
    const std::vector<std::byte> brain = convertTo(DType::bf16, array); // whose neighbors are 512 apart above 2^16
    EXPECT_EQ(toDoubles(brain.data(), DType::bf16, 3), (std::vector<double>{2.5, -1.5, 70144}));
}

} // namespace
} // namespace kl
