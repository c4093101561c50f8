// SPDX-License-Identifier: MIT
// The folder of a lifted launch as a kernel: what is read of it, and the errors of a damaged or hostile one.
#include "kernel_folder.h"

#include "core/base/try.h"
#include "kernels/catalog.h"
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/data/packed_data.h"
#include "kernels/placed_buffers.h"
#include "tests/support/snapshot.h"

#include <array>
#include <gmock/gmock.h>
#include <utility>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(PackedData, ComesBackAsItWas)
{
    const std::string zeros(1 << 20, '\0');
    const std::string frame = packData(zeros);
    EXPECT_LT(frame.size(), 1000U);
    EXPECT_TRUE(checkPacked(frame, 1 << 20, "f"));
    std::vector<std::byte> data(1 << 20, std::byte{7});
    ASSERT_TRUE(unpackInto(frame, data));
    EXPECT_EQ(data, std::vector<std::byte>(1 << 20));
    EXPECT_TRUE(checkPacked(packData(""), 0, "f"));
}

TEST(PackedData, ADamagedFrameIsRefusedWithItsFile)
{
    const std::string frame = packData("0123456789abcdefghij");
    EXPECT_THAT(checkPacked(frame, 21, "f").error().message, AllOf(HasSubstr("f:"), HasSubstr("20"), HasSubstr("21")));
    EXPECT_EQ(checkPacked("plain text", 10, "f").error().where, "f");
    EXPECT_THAT(checkPacked("", 10, "f").error().message, HasSubstr("f:"));
    EXPECT_EQ(checkPacked(frame.substr(0, frame.size() - 6), 20, "f").error().where, "f") << "cut off";
    EXPECT_EQ(checkPacked(frame + "more", 20, "f").error().where, "f") << "it goes on";
    std::string flipped = frame;
    flipped[frame.size() - 8] ^= 1;
    EXPECT_FALSE(checkPacked(flipped, 20, "f")) << "its checksum is another";
    std::vector<std::byte> data(19);
    EXPECT_FALSE(unpackInto(frame, data)) << "more than there is room for";
}

/// A gigabyte of zeros in a few kilobytes whose header does not say how many: stopped at the buffer's size.
TEST(PackedData, ABombIsStopped)
{
    const std::string bomb = packData(std::string(1 << 28, '\0'));
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
        write("memory/in0.zst", packData(std::string(4096, '\1')));
        write("memory/out0.zst", packData(std::string(1024, '\0')));
        write("memory/out0.after.zst", packData(std::string(1024, '\2')));
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
        KL_ASSIGN(KernelFamily family, loadKernel(file("kernel.json")));
        Catalog catalog({});
        KL_TRY(catalog.add(std::move(family)));
        return catalog.work({"lifted-k", "lifted", {}}, {});
    }
    Error refusal(const std::string& from, const std::string& to) const
    {
        const Result<WorkSpec> made = work(from, to);
        EXPECT_FALSE(made) << to;
        return made ? Error{} : made.error();
    }
    /// The field that is refused: of a descriptor that cannot be read it comes after the place.
    std::string refusedField(const std::string& from, const std::string& to) const
    {
        const Error error = refusal(from, to);
        const std::string place = error.where + ": ";
        if (!error.message.starts_with(place))
            return error.where;
        return error.message.substr(place.size(), error.message.find(": ", place.size()) - place.size());
    }
    /// What is wrong with the files of the descriptor as it is.
    Error refusal() const { return refusal("\"k\"", "\"k\""); }

    /// Files that the descriptor names, with the fields that do.
    static constexpr std::array<std::pair<const char*, const char*>, 4> kFiles{{{"memory/in0.zst", "buffers[0].file"},
                                                                                {"memory/out0.after.zst", "buffers[1].after"},
                                                                                {"arguments.bin", "variants[0].launches[0].parameters"},
                                                                                {"memory/scale.bin", "variants[0].variables.scale"}}};
    static constexpr std::array<const char*, 3> kOutside{"../secret", "/etc/passwd", "memory/../../secret"};
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
    for (const char* path : kOutside)
        for (const auto& [name, field] : kFiles) {
            EXPECT_EQ(refusedField(name, path), field) << path;
            EXPECT_THAT(loadKernel(file("kernel.json")).error().message, HasSubstr(path)) << "refused before a file is looked for";
        }
    std::filesystem::create_symlink("/etc/passwd", file("link"));
    const std::string folder = std::filesystem::canonical(file(".")).string();
    EXPECT_EQ(refusedField("memory/in0.zst", "link"), "buffers[0].file");
    EXPECT_THAT(refusal("memory/in0.zst", "link").message, AllOf(HasSubstr("link"), HasSubstr(folder)));
    EXPECT_EQ(refusal("arguments.bin", "link").where, "link");
    EXPECT_THAT(refusal("arguments.bin", "link").message, HasSubstr(folder));
}

TEST_F(PlacedBuffers, SizesThatLieAreRefused)
{
    EXPECT_THAT(refusal("\"4096\"", "\"4095\"").message, AllOf(HasSubstr("4096"), HasSubstr("4095")));
    EXPECT_THAT(refusal("\"256\"", "\"257\"").message, AllOf(HasSubstr("1024"), HasSubstr("1028")));
    EXPECT_EQ(refusedField("\"4096\"", "\"9007199254740992\""), "buffers[0].count");
    write("memory/in0.zst", packData(std::string(1 << 26, '\0')));
    EXPECT_THAT(refusal().message, AllOf(HasSubstr("67108864"), HasSubstr("4096")));
    write("memory/in0.zst", "not packed");
    EXPECT_EQ(refusal().where, "buffers[0].file");
    std::filesystem::remove(file("memory/in0.zst"));
    EXPECT_EQ(refusal().where, "buffers[0].file");
}

TEST_F(PlacedBuffers, PlacesThatCannotBeAreRefused)
{
    const char* address = "0x7f0000002000";
    EXPECT_EQ(refusedField(address, "0x7f0000001fff"), "buffers");
    EXPECT_THAT(refusal(address, "0x7f0000001fff").message, ContainsRegex("in0.*out0"));
    EXPECT_EQ(refusedField(address, "0x0"), "buffers[1].address");
    EXPECT_EQ(refusedField(address, "0xffffffffffffffff"), "buffers[1].address");
    EXPECT_EQ(refusedField(address, "0x1ffffffffffffff"), "buffers");
    EXPECT_THAT(refusal(address, "0x1ffffffffffffff").message, AllOf(HasSubstr("out0"), Not(HasSubstr("in0")))) << "nothing lies on it";
    EXPECT_FALSE(work(address, "zero"));
}

/// A work of one-byte buffers at these addresses, with these counts.
WorkSpec placedWork(const std::vector<std::pair<std::uint64_t, std::int64_t>>& buffers)
{
    WorkSpec work;
    for (const auto& [address, count] : buffers) {
        BufferSpec spec;
        spec.name = "b" + std::to_string(work.buffers.size());
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
    EXPECT_THAT(fault({{0x2000, 16}, {0x1000, 0x1001}}), ContainsRegex("b1.*b0"));
    EXPECT_THAT(fault({{0x1000, 16}, {0x1000, 16}}), ContainsRegex("b[01].*b[01]"));
    EXPECT_EQ(fault({{0x1000, 16}, {0, 1'000'000}}), "") << "the other may lie anywhere";
    EXPECT_EQ(fault({{(1ULL << 57) - 16, 16}}), "");
    EXPECT_THAT(fault({{(1ULL << 57) - 16, 17}}), HasSubstr("b0"));
    EXPECT_EQ(fault({{1ULL << 50, kMaxPlacedBytes / 2}, {1ULL << 52, kMaxPlacedBytes / 2}}), "");
    EXPECT_THAT(fault({{1ULL << 50, kMaxPlacedBytes / 2}, {1ULL << 52, kMaxPlacedBytes / 2 + 1}}),
                HasSubstr(std::to_string(kMaxPlacedBytes + 1)));
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
    EXPECT_EQ(refusedField("\"after\": \"memory/out0.after.zst\"", "\"after\": \"memory/out0.after.zst\", \"role\": \"output\""),
              "buffers[1].fill");
    EXPECT_EQ(refusedField("0x7f0000002000", "0x200000000000000"), "buffers[1].address");
}

TEST_F(PlacedBuffers, FieldsThatNeedEachOther)
{
    EXPECT_EQ(refusedField("\"args\": []", "\"args\": [\"in0\"]"), "variants[0].launches[0].args");
    EXPECT_EQ(refusedField(", \"address\": \"0x7f0000002000\"", ""), "buffers[1].after");
    EXPECT_EQ(refusedField("\"fill\": \"file\", \"file\": \"memory/in0.zst\"", "\"fill\": \"zeros\""), "buffers[0].address");
    write("arguments.bin", std::string(40'000, 'x'));
    EXPECT_THAT(refusal().where, EndsWith("arguments.bin"));
    EXPECT_THAT(refusal().message, AllOf(HasSubstr("40000"), HasSubstr("32764")));
}

TEST_F(PlacedBuffers, SnapshotOfWhatIsRefused)
{
    std::string text;
    const auto addFrame = [&](const std::string& name, std::string_view frame, std::int64_t bytes) {
        text += errorLine(name, checkPacked(frame, bytes, "f").error());
    };
    const std::string frame = packData("0123456789abcdefghij");
    addFrame("a frame of another size", frame, 21);
    addFrame("no frame", "plain text", 10);
    addFrame("nothing", "", 10);
    addFrame("a frame that is cut off", frame.substr(0, frame.size() - 6), 20);
    addFrame("a frame that goes on", frame + "more", 20);
    const auto add = [&](const std::string& name, const std::string& from, const std::string& to) {
        text += errorLine(name, refusal(from, to));
    };
    for (const char* path : kOutside)
        for (const auto& [name, field] : kFiles)
            add(std::string(field) + " outside", name, path);
    std::filesystem::create_symlink("/etc/passwd", file("link"));
    add("a link as buffers[0].file", "memory/in0.zst", "link");
    add("a link as parameters", "arguments.bin", "link");
    add("a byte less", "\"4096\"", "\"4095\"");
    add("an element more", "\"256\"", "\"257\"");
    add("more than any memory", "\"4096\"", "\"9007199254740992\"");
    for (const char* address : {"0x7f0000001fff", "0x0", "0xffffffffffffffff", "0x1ffffffffffffff", "0x200000000000000"})
        add(std::string("at ") + address, "0x7f0000002000", address);
    text += errorLine("too much together",
                      checkPlaces(placedWork({{1ULL << 50, kMaxPlacedBytes / 2}, {1ULL << 52, kMaxPlacedBytes / 2 + 1}})).error());
    add("arguments beside parameters", "\"args\": []", "\"args\": [\"in0\"]");
    add("after without an address", ", \"address\": \"0x7f0000002000\"", "");
    add("an address without a file", "\"fill\": \"file\", \"file\": \"memory/in0.zst\"", "\"fill\": \"zeros\"");
    add("no such variable", "memory/scale.bin", "memory/none.bin");
    write("memory/in0.zst", packData(std::string(1 << 26, '\0')));
    text += errorLine("a file of another size", refusal());
    write("memory/in0.zst", "not packed");
    text += errorLine("a file without a frame", refusal());
    std::filesystem::remove(file("memory/in0.zst"));
    text += errorLine("no file", refusal());
    write("arguments.bin", std::string(40'000, 'x'));
    text += errorLine("many parameters", refusal());
    expectSnapshot("errors/placed-buffers.txt", text);
}

} // namespace
} // namespace kl::test
