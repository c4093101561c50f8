// SPDX-License-Identifier: MIT
#include "kernels/data/base64.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"

#include <cmath>
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

template <class T> std::string toBytes(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<double> readValues(const Result<Array>& array)
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
    for (const char* bad : {"Zg=", "Z===", "Zm9*", "Zg==Zg==", "====", "A===", "Zm9\n", " Zm9vYg="})
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
    EXPECT_EQ(readValues(array), std::vector<double>{1.5});
    EXPECT_EQ(array->type, DType::f32);
}

TEST(Npy, SixteenBitsBecomeThirtyTwo)
{
    const Result<Array> array =
        fromNpy(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", toBytes<std::int16_t>({-1, 7})), "x");
    EXPECT_EQ(readValues(array), (std::vector<double>{-1, 7}));
    EXPECT_EQ(array->type, DType::i32);
    EXPECT_EQ(readValues(fromNpy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", std::string("\1\0", 2)), "x")),
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

TEST(Npy, IsWrittenAsNumpyWritesIt)
{
    const std::vector<float> six{1, 2, 3, 4, 5, 6};
    const auto* data = reinterpret_cast<const std::byte*>(six.data());
    EXPECT_EQ(toNpy(DType::f32, {6}, data), npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", toBytes(six)));
    EXPECT_EQ(toNpy(DType::f32, {2, 3}, data), npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3,), }", toBytes(six)));
    EXPECT_EQ(toNpy(DType::f32, {}, data), npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", toBytes<float>({1})));
    for (const auto& [type, descr] : {std::pair(DType::f16, "<f2"),
                                      {DType::bf16, "<f4"},
                                      {DType::f8e4m3, "<f4"},
                                      {DType::f8e5m2, "<f4"},
                                      {DType::f64, "<f8"},
                                      {DType::i32, "<i4"},
                                      {DType::u32, "<u4"},
                                      {DType::i8, "|i1"},
                                      {DType::u8, "|u1"},
                                      {DType::i64, "<i8"},
                                      {DType::u64, "<u8"},
                                      {DType::boolean, "|b1"}})
        EXPECT_EQ(toNpy(type, {0}, data), npy(std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (0,), }", ""));
}

TEST(Npy, SmallFloatsAreWrittenAsFloats)
{
    for (const DType type : {DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        std::vector<std::byte> data(4);
        storeElement(data.data(), type, 0, 1.5);
        storeElement(data.data(), type, 1, -4);
        EXPECT_EQ(readValues(fromNpy(toNpy(type, {2}, data.data()), "x")), (std::vector<double>{1.5, -4}));
    }
}

TEST(Npy, HeadersAreReadInEveryVersionLengthAndOrder)
{
    const std::string data = toBytes<std::int32_t>({7, -8});
    const auto file = [&](const std::string& version, const std::string& dictionary, int lengthBytes) {
        std::string length;
        for (int i = 0; i < lengthBytes; ++i)
            length += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
        return "\x93NUMPY" + version + length + dictionary + data;
    };
    const std::string turned = "{'shape':(2, 1),   'fortran_order':False,'descr':'<i4'}\n";
    EXPECT_EQ(readValues(fromNpy(file(std::string("\1\0", 2), turned, 2), "x")), (std::vector<double>{7, -8}));
    EXPECT_EQ(readValues(fromNpy(file(std::string("\1\0", 2), std::string(300, ' ') + turned, 2), "x")), (std::vector<double>{7, -8}));
    EXPECT_EQ(readValues(fromNpy(file(std::string("\2\0", 2), turned, 4), "x")), (std::vector<double>{7, -8}));
    EXPECT_EQ(readValues(fromNpy(file(std::string("\3\0", 2), std::string(70'000, ' ') + turned, 4), "x")), (std::vector<double>{7, -8}));
}

TEST(Npy, ANumberAndAnEmptyArrayAreArraysToo)
{
    const Result<Array> number = fromNpy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", toBytes<double>({2.5})), "x");
    EXPECT_EQ(readValues(number), std::vector<double>{2.5});
    EXPECT_TRUE(number->shape.empty());
    const Result<Array> empty = fromNpy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", ""), "x");
    EXPECT_TRUE(readValues(empty).empty());
    EXPECT_EQ(empty->shape, (std::vector<std::int64_t>{0, 3}));
}

TEST(Npy, EachPartOfTheHeaderIsNeeded)
{
    for (const auto& [file, says] :
         {std::pair<std::string, const char*>{std::string("\x93NUMPY\1\0\1\0{", 11), "not a .npy file"},
          {npy("{'descr': '<f4', 'fortran_order': False, }", std::string(4, '\0')), "no shape"},
          {npy("{'descr': '<f4', 'shape': (1,), }", std::string(4, '\0')), "Fortran"},
          {npy("{'fortran_order': False, 'shape': (1,), }", std::string(4, '\0')), "structured"},
          {npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", std::string(3, '\0')), "truncated"},
          {npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", std::string(3, '\0')), "truncated"},
          {npy("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", std::string(30, '\0')), "type <U3"}}) {
        const Result<Array> array = fromNpy(file, "in.npy");
        ASSERT_FALSE(array) << says;
        EXPECT_NE(array.error().message.find(says), std::string::npos) << array.error().message;
        EXPECT_FALSE(array.error().hint.empty());
    }
    EXPECT_EQ(
        readValues(fromNpy(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", toBytes<std::uint16_t>({65535, 1})), "x")),
        (std::vector<double>{65535, 1}));
}

TEST(Npy, TheFirstValueThatATypeCannotHoldIsFound)
{
    const auto first = [](DType type, const std::vector<double>& values) {
        Array array;
        array.type = DType::f64;
        array.bytes.resize(values.size() * sizeof(double));
        std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
        return firstTooLarge(type, array);
    };
    EXPECT_EQ(first(DType::i8, {-128, 127}), std::nullopt);
    EXPECT_EQ(first(DType::i8, {1, 128, 129}), 1U);
    EXPECT_EQ(first(DType::i8, {1, 2, -129}), 2U);
    EXPECT_EQ(first(DType::u32, {0, 4294967295.0}), std::nullopt);
    EXPECT_EQ(first(DType::u32, {4294967296.0}), 0U);
    EXPECT_EQ(first(DType::u32, {0, -1}), 1U);
    EXPECT_EQ(first(DType::i32, {0, std::nan("")}), 1U);
    EXPECT_EQ(first(DType::f32, {1e300}), std::nullopt);
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
