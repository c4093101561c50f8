// SPDX-License-Identifier: MIT
// The files of a descriptor's buffers: what is read of them, and what is wrong with others.
#include "kernel_folder.h"

#include "kernels/data/base64.h"
#include "kernels/data/data_file.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"
#include "kernels/data/packed_data.h"
#include "tests/support/snapshot.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class DataFile : public KernelFolder {
protected:
    Result<std::string> elements(const std::string& name, DType type, std::int64_t count) const
    {
        KernelFamily family;
        family.origin.descriptor = file("kernel.json");
        return readElements(family, name, {{"N", 4}}, type, count, "x");
    }
    std::vector<double> values(const std::string& name, DType type, std::int64_t count) const
    {
        const Result<std::string> coded = elements(name, type, count);
        EXPECT_TRUE(coded) << coded.error().message;
        const std::string bytes = coded ? fromBase64(*coded).value_or("") : "";
        EXPECT_EQ(bytes.size(), static_cast<std::size_t>(count * countBytes(type)));
        return toDoubles(reinterpret_cast<const std::byte*>(bytes.data()), type, static_cast<std::size_t>(count));
    }
    template <class T> static std::string raw(const std::vector<T>& all)
    {
        return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T)};
    }
};

TEST_F(DataFile, RawElementsAreThoseOfTheBuffersType)
{
    write("sub/in_4.bin", raw<std::int32_t>({1, -2, 3}));
    EXPECT_EQ(values("sub/in_{N}.bin", DType::i32, 3), (std::vector<double>{1, -2, 3}));
    write("h.bin", raw<std::uint16_t>({0x3c00, 0xc000}));
    EXPECT_EQ(values("h.bin", DType::f16, 2), (std::vector<double>{1, -2}));
}

TEST_F(DataFile, AnArrayOfNumpyIsConverted)
{
    const std::vector<double> all{1.5, -2, 3, 4};
    write("x.npy", toNpy(DType::f64, {2, 2}, reinterpret_cast<const std::byte*>(all.data())));
    EXPECT_EQ(values("x.npy", DType::f32, 4), all);
    EXPECT_EQ(values("x.npy", DType::f64, 4), all);
    EXPECT_EQ(values("x.npy", DType::i32, 4), (std::vector<double>{2, -2, 3, 4}));
}

TEST_F(DataFile, MustHaveAsManyElementsAsTheBuffer)
{
    write("x.bin", raw<float>({1, 2, 3}));
    EXPECT_THAT(elements("x.bin", DType::f32, 2).error().message, ContainsRegex("x\\.bin:[^0-9]*3[^0-9]*2"));
    EXPECT_THAT(elements("x.bin", DType::f32, 4).error().message, ContainsRegex("x\\.bin:[^0-9]*3[^0-9]*4"));
    write("x.bin", raw<float>({1, 2, 3}) + "+");
    EXPECT_FALSE(elements("x.bin", DType::f32, 3)) << "a byte too many";
    write("x.npy", "no array");
    EXPECT_EQ(elements("x.npy", DType::f32, 3).error().where, file("x.npy"));
    EXPECT_EQ(elements("x_{M}.bin", DType::f32, 3).error().code, ErrorCode::badInput) << "there is no M";
}

/// A frame of zstd that does not say how much it holds: one raw block (RFC 8878).
std::string unsizedFrame(const std::string& bytes, char window = 0x58)
{
    const std::size_t header = bytes.size() << 3 | 1;
    return std::string("\x28\xb5\x2f\xfd\0", 5) + window + static_cast<char>(header & 0xff) + static_cast<char>(header >> 8) + '\0' + bytes;
}

TEST(PackedData, WhatDoesNotSayItsSizeIsCounted)
{
    const std::string frame = unsizedFrame("abcde");
    EXPECT_TRUE(checkPacked(frame, 5, "f"));
    EXPECT_THAT(checkPacked(frame, 4, "f").error().message, HasSubstr("4"));
    EXPECT_THAT(checkPacked(frame, 6, "f").error().message, AllOf(HasSubstr("5"), HasSubstr("6")));
    EXPECT_EQ(checkPacked(frame.substr(0, frame.size() - 2), 5, "f").error().where, "f") << "cut off";
    EXPECT_EQ(checkPacked(frame + "x", 5, "f").error().where, "f") << "it goes on";
    EXPECT_EQ(checkPacked(frame, 4, "memory/x.zst").error().where, "memory/x.zst");
}

TEST_F(DataFile, SnapshotOfTheFaults)
{
    const std::string frame = unsizedFrame("abcde");
    std::string text = errorLine("more than the buffer", checkPacked(frame, 4, "f").error());
    text += errorLine("less than the buffer", checkPacked(frame, 6, "f").error());
    text += errorLine("cut off", checkPacked(frame.substr(0, frame.size() - 2), 5, "f").error());
    text += errorLine("longer", checkPacked(frame + "x", 5, "f").error());
    write("x.bin", raw<float>({1, 2, 3}));
    text += errorLine("more elements", elements("x.bin", DType::f32, 2).error());
    text += errorLine("fewer elements", elements("x.bin", DType::f32, 4).error());
    text += errorLine("no file", elements("none.bin", DType::f32, 3).error());
    const std::vector<double> large{128};
    write("x.npy", toNpy(DType::f64, {1}, reinterpret_cast<const std::byte*>(large.data())));
    text += errorLine("no value of the type", elements("x.npy", DType::i8, 1).error());
    write("x.npy", "no array");
    text += errorLine("no array", elements("x.npy", DType::f32, 3).error());
    expectSnapshot("errors/data-files.txt", text);
}

TEST(PackedData, AWindowThatTakesMuchMemoryIsRefused)
{
    EXPECT_TRUE(checkPacked(unsizedFrame("abcde", 13 << 3), 5, "f")) << "8 MiB";
    EXPECT_FALSE(checkPacked(unsizedFrame("abcde", 14 << 3), 5, "f"));
}

TEST(PackedData, AFrameHasAChecksumAndFillsItsPlaceExactly)
{
    const std::string frame = packData("abcde");
    EXPECT_NE(frame[4] & 4, 0) << "the flag of the checksum in the frame's header";
    std::vector<std::byte> data(6, std::byte{1});
    EXPECT_FALSE(unpackInto(frame, data));
    data.resize(5);
    EXPECT_TRUE(unpackInto(frame, data));
    EXPECT_EQ(static_cast<char>(data[4]), 'e');
}

} // namespace
} // namespace kl::test
