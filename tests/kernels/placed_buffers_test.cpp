// SPDX-License-Identifier: MIT
// The folder of a lifted launch as a kernel: what is read of it, and the errors of a damaged or hostile one.
#include "kernel_folder.h"

#include "kernels/catalog.h"
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/data/packed_data.h"
#include "kernels/placed_buffers.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::HasSubstr;

TEST(PackedData, ComesBackAsItWas)
{
    const std::string zeros(1 << 20, '\0');
    const std::string frame = packed(zeros);
    EXPECT_LT(frame.size(), 1000U);
    EXPECT_TRUE(checkPacked(frame, 1 << 20, "f"));
    std::vector<std::byte> data(1 << 20, std::byte{7});
    ASSERT_TRUE(unpackInto(frame, data));
    EXPECT_EQ(data, std::vector<std::byte>(1 << 20));
    EXPECT_TRUE(checkPacked(packed(""), 0, "f"));
}

TEST(PackedData, ADamagedFrameIsRefusedWithTheReason)
{
    const std::string frame = packed("0123456789abcdefghij");
    EXPECT_THAT(checkPacked(frame, 21, "f").error().message, HasSubstr("holds 20 bytes, the buffer has 21"));
    EXPECT_THAT(checkPacked("plain text", 10, "f").error().message, HasSubstr("not compressed by zstd"));
    EXPECT_THAT(checkPacked("", 10, "f").error().message, HasSubstr("f:"));
    EXPECT_THAT(checkPacked(frame.substr(0, frame.size() - 6), 20, "f").error().message, HasSubstr("cut off"));
    EXPECT_THAT(checkPacked(frame + "more", 20, "f").error().message, HasSubstr("goes on after its data"));
    std::string flipped = frame;
    flipped[frame.size() - 8] ^= 1;
    EXPECT_FALSE(checkPacked(flipped, 20, "f")) << "its checksum is another";
    std::vector<std::byte> data(19);
    EXPECT_FALSE(unpackInto(frame, data)) << "more than there is room for";
}

/// A gigabyte of zeros in a few kilobytes whose header does not say how many: stopped at the buffer's size.
TEST(PackedData, ABombIsStopped)
{
    const std::string bomb = packed(std::string(1 << 28, '\0'));
    EXPECT_LT(bomb.size(), 100'000U);
    EXPECT_FALSE(checkPacked(bomb, 4096, "f"));
    std::vector<std::byte> data(4096);
    EXPECT_FALSE(unpackInto(bomb, data));
}

class PlacedBuffers : public KernelFolder {
protected:
    void SetUp() override
    {
        KernelFolder::SetUp();
        write("k.cu", "extern \"C\" __global__ void k(float*) {}");
        write("memory/in0.zst", packed(std::string(4096, '\1')));
        write("memory/out0.zst", packed(std::string(1024, '\0')));
        write("memory/out0.after.zst", packed(std::string(1024, '\2')));
        write("arguments.bin", std::string(16, '\3'));
        write("memory/scale.bin", "abcd");
    }

    static constexpr const char* kDescriptor = R"({
  "id": "lifted-k", "source": "k.cu", "sizes": ["LAUNCH"], "problems": ["LAUNCH=3"], "smallest": "LAUNCH=3",
  "buffers": [
    {"name": "in0", "type": "u8", "count": "4096", "fill": "file", "file": "memory/in0.zst", "address": "0x7f0000001000"},
    {"name": "out0", "type": "f32", "count": "256", "fill": "file", "file": "memory/out0.zst", "address": "0x7f0000002000",
     "after": "memory/out0.after.zst"}],
  "tolerance": {"max_abs": 0, "rel_l2": 0},
  "variants": [{"id": "lifted", "when": "1", "variables": {"scale": "memory/scale.bin"}, "launches": [
    {"entry": "k", "grid": ["4"], "block": ["256"], "args": [], "parameters": "arguments.bin", "cluster": ["2"], "carveout": 50}]}]
})";

    /// The work of the descriptor, after replacing a part of it.
    Result<WorkSpec> work(const std::string& from = {}, const std::string& to = {}) const
    {
        std::string text = kDescriptor;
        if (!from.empty()) {
            const std::size_t at = text.find(from);
            EXPECT_NE(at, std::string::npos) << from;
            text.replace(at, from.size(), to);
        }
        write("kernel.json", text);
        Result<KernelFamily> family = loadKernel(file("kernel.json"));
        if (!family)
            return family.error();
        Catalog catalog({});
        if (const Status added = catalog.add(std::move(*family)); !added)
            return added.error();
        return catalog.work({"lifted-k", "lifted", {}}, {});
    }
    std::string refusal(const std::string& from, const std::string& to) const
    {
        const Result<WorkSpec> made = work(from, to);
        return made ? "" : made.error().message;
    }
};

TEST_F(PlacedBuffers, AreReadWithAddressesContentsAndArguments)
{
    const Result<WorkSpec> made = work();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(isPlaced(*made));
    EXPECT_EQ(made->problem, "LAUNCH=3");
    const BufferSpec& in = made->buffers[0];
    const BufferSpec& out = made->buffers[1];
    EXPECT_EQ(in.address, 0x7f0000001000U);
    EXPECT_EQ(fillBuffer(in, 1, 0), std::vector<std::byte>(4096, std::byte{1}));
    EXPECT_FALSE(in.after);
    EXPECT_FALSE(isReadAndWritten(*made, in));
    EXPECT_TRUE(isReadAndWritten(*made, out));
    std::vector<std::byte> after(1024);
    ASSERT_TRUE(unpackInto(*fromBase64(*out.after), after));
    EXPECT_EQ(after, std::vector<std::byte>(1024, std::byte{2}));
    const LaunchSpec& launch = made->launches[0];
    EXPECT_EQ(fromBase64(*launch.parameters), std::string(16, '\3'));
    EXPECT_EQ(launch.cluster, (std::vector<std::int64_t>{2, 1, 1}));
    EXPECT_EQ(launch.carveout, 50);
    EXPECT_EQ(fromBase64(made->variables->at("scale")), "abcd");
}

TEST_F(PlacedBuffers, FilesOutsideOfTheFolderAreRefused)
{
    for (const char* path : {"../secret", "/etc/passwd", "memory/../../secret"}) {
        EXPECT_THAT(refusal("memory/in0.zst", path), HasSubstr("is not in the descriptor's folder")) << path;
        EXPECT_THAT(refusal("memory/out0.after.zst", path), HasSubstr("is not in the descriptor's folder")) << path;
        EXPECT_THAT(refusal("arguments.bin", path), HasSubstr("is not in the descriptor's folder")) << path;
        EXPECT_THAT(refusal("memory/scale.bin", path), HasSubstr("is not in the descriptor's folder")) << path;
    }
    std::filesystem::create_symlink("/etc/passwd", file("link"));
    EXPECT_THAT(refusal("memory/in0.zst", "link"), HasSubstr("leads out of the folder"));
    EXPECT_THAT(refusal("arguments.bin", "link"), HasSubstr("leads out of the folder"));
}

TEST_F(PlacedBuffers, SizesThatLieAreRefused)
{
    EXPECT_THAT(refusal("\"4096\"", "\"4095\""), HasSubstr("holds 4096 bytes, the buffer has 4095"));
    EXPECT_THAT(refusal("\"256\"", "\"257\""), HasSubstr("holds 1024 bytes, the buffer has 1028"));
    EXPECT_THAT(refusal("\"4096\"", "\"9007199254740992\""), HasSubstr("which no GPU holds"));
    write("memory/in0.zst", packed(std::string(1 << 26, '\0')));
    EXPECT_THAT(refusal("\"k\"", "\"k\""), HasSubstr("holds 67108864 bytes, the buffer has 4096"));
    write("memory/in0.zst", "not packed");
    EXPECT_THAT(refusal("\"k\"", "\"k\""), HasSubstr("not compressed"));
    std::filesystem::remove(file("memory/in0.zst"));
    EXPECT_THAT(refusal("\"k\"", "\"k\""), HasSubstr("there is no such file"));
}

TEST_F(PlacedBuffers, PlacesThatCannotBeAreRefused)
{
    EXPECT_THAT(refusal("0x7f0000002000", "0x7f0000001fff"), HasSubstr("in0 and out0 lie on each other"));
    EXPECT_THAT(refusal("0x7f0000002000", "0x0"), HasSubstr("is not an address of device memory"));
    EXPECT_THAT(refusal("0x7f0000002000", "0xffffffffffffffff"), HasSubstr("is not an address of device memory"));
    EXPECT_THAT(refusal("0x7f0000002000", "0x1ffffffffffffff"), HasSubstr("ends beyond all addresses"));
    EXPECT_FALSE(refusal("0x7f0000002000", "zero").empty());
}

/// A work of one-byte buffers at these addresses, with these counts.
WorkSpec placedWork(const std::vector<std::pair<std::uint64_t, std::int64_t>>& buffers)
{
    WorkSpec work;
    for (const auto& [address, count] : buffers) {
        BufferSpec spec;
        spec.name = std::string(1, static_cast<char>('a' + work.buffers.size()));
        spec.type = DType::u8;
        spec.count = count;
        if (address != 0)
            spec.address = address;
        work.buffers.push_back(spec);
    }
    return work;
}

TEST(CheckPlaces, BuffersMayTouchButNotOverlap)
{
    const auto fault = [](const std::vector<std::pair<std::uint64_t, std::int64_t>>& buffers) {
        const Status places = checkPlaces(placedWork(buffers));
        return places ? std::string() : places.error().message;
    };
    EXPECT_EQ(fault({}), "");
    EXPECT_EQ(fault({{0x2000, 16}, {0x1000, 0x1000}}), "");
    EXPECT_THAT(fault({{0x2000, 16}, {0x1000, 0x1001}}), HasSubstr("b and a lie on each other"));
    EXPECT_THAT(fault({{0x1000, 16}, {0x1000, 16}}), HasSubstr("lie on each other"));
    EXPECT_EQ(fault({{0x1000, 16}, {0, 1'000'000}}), "") << "the other may lie anywhere";
    EXPECT_EQ(fault({{(1ULL << 57) - 16, 16}}), "");
    EXPECT_THAT(fault({{(1ULL << 57) - 16, 17}}), HasSubstr("a ends beyond all addresses"));
    EXPECT_EQ(fault({{1ULL << 50, kMaxPlacedBytes / 2}, {1ULL << 52, kMaxPlacedBytes / 2}}), "");
    EXPECT_THAT(fault({{1ULL << 50, kMaxPlacedBytes / 2}, {1ULL << 52, kMaxPlacedBytes / 2 + 1}}), HasSubstr("which no GPU holds"));
    WorkSpec wide = placedWork({{0x1000, 16}, {0x1010, 1}});
    wide.buffers[0].type = DType::f16;
    EXPECT_FALSE(checkPlaces(wide)) << "32 bytes";
    EXPECT_EQ(checkPlaces(wide).error().where, "buffers");
}

TEST_F(PlacedBuffers, ALargeBufferIsRefusedBeforeItsFileIsRead)
{
    const auto where = [&](DType type, std::int64_t count) {
        KernelFamily family;
        family.origin.descriptor = file("kernel.json");
        KernelFamily::Buffer buffer;
        buffer.address = "0x1000";
        buffer.file = "missing.zst";
        BufferSpec spec;
        spec.type = type;
        spec.count = count;
        return placeBuffer(family, buffer, spec).error().where;
    };
    EXPECT_EQ(where(DType::u8, kMaxPlacedBytes), "file");
    EXPECT_EQ(where(DType::u8, kMaxPlacedBytes + 1), "count");
    EXPECT_EQ(where(DType::f64, kMaxPlacedBytes / 8), "file");
    EXPECT_EQ(where(DType::f64, kMaxPlacedBytes / 8 + 1), "count");
}

TEST_F(PlacedBuffers, TheFaultyFieldIsNamed)
{
    const auto field = [&](const std::string& from, const std::string& to) {
        const Result<WorkSpec> made = work(from, to);
        EXPECT_FALSE(made) << to;
        return made ? "" : made.error().where;
    };
    EXPECT_EQ(field("memory/in0.zst", "memory/none.zst"), "buffers[0].file");
    EXPECT_EQ(field("memory/out0.zst", "memory/none.zst"), "buffers[1].file");
    EXPECT_EQ(field("memory/out0.after.zst", "memory/none.zst"), "buffers[1].after");
    EXPECT_EQ(field("memory/out0.after.zst", "memory/in0.zst"), "buffers[1].after") << "of another size";
    EXPECT_FALSE(work("memory/scale.bin", "memory/none.bin"));
    EXPECT_THAT(refusal("\"after\": \"memory/out0.after.zst\"", "\"after\": \"memory/out0.after.zst\", \"role\": \"output\""),
                HasSubstr("buffers[1]"));
    EXPECT_THAT(refusal("0x7f0000002000", "0x200000000000000"), HasSubstr("is not an address of device memory"));
}

TEST_F(PlacedBuffers, FieldsThatNeedEachOther)
{
    EXPECT_THAT(refusal("\"args\": []", "\"args\": [\"in0\"]"), HasSubstr("must be empty beside \"parameters\""));
    EXPECT_THAT(refusal(", \"address\": \"0x7f0000002000\"", ""), HasSubstr("needs an \"address\""));
    EXPECT_THAT(refusal("\"fill\": \"file\", \"file\": \"memory/in0.zst\"", "\"fill\": \"zeros\""), HasSubstr("filled from a file"));
    write("arguments.bin", std::string(40'000, 'x'));
    EXPECT_THAT(refusal("\"k\"", "\"k\""), HasSubstr("above the limit of 32764"));
}

} // namespace
} // namespace kl::test
