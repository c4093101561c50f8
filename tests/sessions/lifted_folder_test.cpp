// SPDX-License-Identifier: MIT
// The kernel that is made of a lifted launch: its buffers, its descriptor, and the source to fill in.
#include "core/codec/json.h"
#include "sessions/program/lifted_folder.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kLiftedAt = 0x7f2c5e000000;
constexpr std::uint64_t kBesideIt = 0x7f2c5f000000;

class LiftedFolders : public ::testing::Test {
protected:
    LiftedFolders()
    {
        std::filesystem::create_directories(raw);
        support::writeBytes(raw / "kernel.cubin", "\x7f"
                                                  "ELF" +
                                                      std::string(60, '\0'));
        const std::uint64_t words[] = {kLiftedAt + 512, 3, kBesideIt + 4096, kLiftedAt};
        support::writeBytes(raw / "arguments", {reinterpret_cast<const char*>(words), sizeof words});
        support::writeBytes(raw / "0.before",
                            std::string(512, 'a') + std::string(1024, 'b') + std::string(256, 'c') + std::string(256, 'd'));
        support::writeBytes(raw / "0.after", std::string(1024, 'B') + std::string(256, 'D'));
        support::writeBytes(raw / "1.before", std::string(4096, 'e'));
        lift.kernel = "_Z5scalePfi";
        lift.launch = 2;
        lift.command = {"prog"};
        lift.gpu = "NVIDIA H200";
        lift.computeCapability = 90;
        lift.grid = {4, 2, 1};
        lift.block = {256, 1, 1};
        lift.parameters = {{0, 8}, {8, 4}, {16, 8}, {24, 8}};
        lift.arguments = "arguments";
        lift.image = "kernel.cubin";
        lift.memory = {{kLiftedAt, 2048, "argument", "0.before", "0.after", {{512, 1024}, {1792, 256}}},
                       {kBesideIt, 4096, "argument", "1.before", "", {}}};
        lift.bytes = 2048 + 4096;
    }

    Result<LiftedFolder> write(const LiftedAs& as = {}) const { return writeLifted(lift, raw, folder / "out", as); }
    Json descriptor() const { return *parseJson(support::readBytes(folder / "out/kernel.json"), "kernel.json"); }

    support::TempDir folder;
    std::filesystem::path raw = folder / "raw";
    LiftedLaunch lift;
};

TEST_F(LiftedFolders, AreNamedByTheKernelAlone)
{
    lift.kernel = "_ZN2at12_GLOBAL__N_119cunn_SoftMaxForwardIfEEvPfi"; // in an unnamed namespace
    const Result<LiftedFolder> made = write();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->id, "lifted-cunn_SoftMaxForward");
}

TEST_F(LiftedFolders, CutMemoryWhereTheLaunchChangedIt)
{
    const Result<LiftedFolder> made = write();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->id, "lifted-scale");
    EXPECT_EQ(made->descriptor, folder / "out/kernel.json");
    EXPECT_EQ(made->bytes, 2048U + 4096U);
    EXPECT_EQ(made->changedBytes, 1024U + 256U);
    EXPECT_EQ(made->buffers, 5);
    EXPECT_GT(made->storedBytes, 0U);
    EXPECT_LT(made->storedBytes, made->bytes) << "compressed";
    struct Buffer {
        const char* name;
        const char* count;
        const char* address;
        bool after;
    };
    const Json buffers = descriptor()["buffers"];
    const Buffer expected[] = {{"in0", "512", "0x7f2c5e000000", false},
                               {"out0", "1024", "0x7f2c5e000200", true},
                               {"in1", "256", "0x7f2c5e000600", false},
                               {"out1", "256", "0x7f2c5e000700", true},
                               {"in2", "4096", "0x7f2c5f000000", false}};
    ASSERT_EQ(buffers.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(buffers[i]["name"], expected[i].name);
        EXPECT_EQ(buffers[i]["count"], expected[i].count) << expected[i].name;
        EXPECT_EQ(buffers[i]["address"], expected[i].address) << expected[i].name;
        EXPECT_EQ(buffers[i]["type"], "u8");
        EXPECT_EQ(buffers[i].contains("after"), expected[i].after) << expected[i].name;
    }
}

TEST_F(LiftedFolders, NameTypeAndToleranceAreTheUsers)
{
    ASSERT_TRUE(write({"mine", DType::f32, 0.5, false}));
    const Json json = descriptor();
    EXPECT_EQ(json["id"], "mine");
    EXPECT_EQ(json["tolerance"]["max_abs"], 0.5);
    EXPECT_EQ(json["tolerance"]["rel_l2"], 0.5);
    EXPECT_EQ(json["buffers"][0]["type"], "u8") << "what it only reads stays bytes";
    EXPECT_EQ(json["buffers"][1]["type"], "f32");
    EXPECT_EQ(json["buffers"][1]["count"], "256");
    for (const Json& variant : json["variants"])
        EXPECT_EQ(variant["deterministic"], false) << variant["id"];
    EXPECT_EQ(json["variants"][1]["fixes"], "lifted");
}

TEST_F(LiftedFolders, KeepTheShapeOfTheLaunch)
{
    lift.dynamicSmem = 1024;
    lift.cluster = {2, 1, 1};
    lift.cooperative = true;
    lift.attributes = {{"carveout", 50}};
    ASSERT_TRUE(write());
    const Json variants = descriptor()["variants"];
    for (const Json& variant : variants) {
        const Json& launch = variant["launches"][0];
        EXPECT_EQ(launch["grid"], Json::array({"4", "2", "1"}));
        EXPECT_EQ(launch["block"], Json::array({"256", "1", "1"}));
        EXPECT_EQ(launch["dynamic_smem"], "1024");
        EXPECT_EQ(launch["cluster"], Json::array({"2", "1", "1"}));
        EXPECT_EQ(launch["cooperative"], true);
    }
    EXPECT_EQ(variants[0]["launches"][0]["entry"], "_Z5scalePfi");
    EXPECT_EQ(variants[0]["launches"][0]["carveout"], 50);
    EXPECT_EQ(variants[1]["launches"][0]["entry"], "rewrite");
    EXPECT_EQ(descriptor()["problems"], Json::array({"LAUNCH=2"}));
}

TEST_F(LiftedFolders, WhatIsDamagedOrInTheWayIsRefused)
{
    LiftedLaunch none = lift;
    none.memory.clear();
    EXPECT_EQ(writeLifted(none, raw, folder / "out", {}).error().code, ErrorCode::refused);
    for (const std::vector<LiftedRange>& ranges :
         {std::vector<LiftedRange>{{512, 0}}, {{2048, 1}}, {{1024, 1025}}, {{512, 256}, {600, 256}}}) {
        LiftedLaunch outside = lift;
        outside.memory[0].changed = ranges;
        const std::string name = "out" + std::to_string(ranges.front().offset + ranges.front().bytes);
        EXPECT_EQ(writeLifted(outside, raw, folder / name, {}).error().code, ErrorCode::badInput) << name;
    }
    LiftedLaunch longer = lift;
    longer.memory[1].bytes = 4097;
    EXPECT_EQ(writeLifted(longer, raw, folder / "longer", {}).error().code, ErrorCode::badInput);
    support::writeBytes(folder / "file", "x");
    EXPECT_EQ(writeLifted(lift, raw, folder / "file", {}).error().code, ErrorCode::badInput);
    ASSERT_TRUE(write());
    EXPECT_EQ(write().error().code, ErrorCode::badInput) << "the folder is not empty any more";
    EXPECT_FALSE(readLift(folder / "nowhere")->has_value());
}

TEST_F(LiftedFolders, TheSourceNamesWhereAnArgumentPoints)
{
    const std::string source = rewriteSource(lift, support::readBytes(raw / "arguments"));
    EXPECT_THAT(source, AllOf(HasSubstr("unsigned char* p0, // 512 "), HasSubstr(" 2048 "), HasSubstr(" 0x7f2c5e000000")));
    EXPECT_THAT(source, HasSubstr("unsigned p1,"));
    EXPECT_THAT(source, HasSubstr("unsigned long long p2,")) << "one past the end of the memory points into none";
    EXPECT_THAT(source, HasSubstr("unsigned char* p3 // 0 "));
    EXPECT_THAT(source, Not(HasSubstr("struct")));
    LiftedLaunch unchanged = lift;
    unchanged.memory[0].changed.clear();
    EXPECT_NE(rewriteSource(unchanged, support::readBytes(raw / "arguments")), source) << "it says what the launch changes";
    lift.parameters = {{0, 1}, {2, 2}, {4, 3}, {8, 24}, {64, 128}};
    const std::string sizes = rewriteSource(lift, {});
    EXPECT_THAT(sizes, HasSubstr("unsigned char p0,"));
    EXPECT_THAT(sizes, HasSubstr("unsigned short p1,"));
    EXPECT_THAT(sizes, HasSubstr("struct alignas(1) P2 {\n    unsigned char bytes[3];"));
    EXPECT_THAT(sizes, HasSubstr("struct alignas(8) P3 {\n    unsigned char bytes[24];"));
    EXPECT_THAT(sizes, HasSubstr("struct alignas(64) P4 {\n    unsigned char bytes[128];"));
}

class LiftedSourceTexts : public LiftedFolders {};

TEST_F(LiftedSourceTexts, SnapshotOfWhatIsToBeFilledIn)
{
    std::string text = rewriteSource(lift, support::readBytes(raw / "arguments")) + '\n';
    lift.memory[0].changed.clear();
    lift.parameters = {{0, 8}, {64, 128}, {192, 24}};
    text += rewriteSource(lift, support::readBytes(raw / "arguments"));
    test::expectSnapshot("texts/lifted-source.txt", text);
}

TEST_F(LiftedFolders, ACarveoutOfNoneIsKeptAndAnUnknownOneLeftOut)
{
    lift.attributes = {{"carveout", 0}, {"registers", 16}};
    ASSERT_TRUE(write());
    const Json launch = descriptor()["variants"][0]["launches"][0];
    EXPECT_EQ(launch.value("carveout", -1), 0) << "all of it is cache";
    EXPECT_FALSE(launch.contains("registers"));
    EXPECT_FALSE(descriptor()["variants"][1]["launches"][0].contains("carveout"));
    EXPECT_FALSE(launch.contains("cluster") || launch.contains("cooperative"));
    lift.attributes = {{"carveout", -1}};
    ASSERT_TRUE(writeLifted(lift, raw, folder / "default", {}));
    const Json other = *parseJson(support::readBytes(folder / "default/kernel.json"), "kernel.json");
    EXPECT_FALSE(other["variants"][0]["launches"][0].contains("carveout")) << "the driver chooses";
}

TEST_F(LiftedFolders, VariablesAndArgumentsLieBesideTheDescriptor)
{
    support::writeBytes(raw / "v0", "first");
    support::writeBytes(raw / "v1", "second");
    lift.variables = {{"factor", "v0"}, {"offset", "v1"}};
    ASSERT_TRUE(write());
    const Json variants = descriptor()["variants"];
    const Json variables = variants[0]["variables"];
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(support::readBytes(folder / "out" / variables["factor"].get<std::string>()), "first");
    EXPECT_EQ(support::readBytes(folder / "out" / variables["offset"].get<std::string>()), "second");
    EXPECT_FALSE(variants[1].contains("variables")) << "a rewrite has its own";
    const std::string parameters = variants[0]["launches"][0]["parameters"].get<std::string>();
    EXPECT_EQ(support::readBytes(folder / "out" / parameters), support::readBytes(raw / "arguments"));
    EXPECT_EQ(variants[1]["launches"][0]["parameters"], parameters);
    EXPECT_EQ(support::readBytes(folder / "out" / descriptor()["source"].get<std::string>()), support::readBytes(raw / "kernel.cubin"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / variants[1]["source"].get<std::string>()));
    const Result<std::optional<LiftedLaunch>> again = readLift(folder / "out");
    ASSERT_TRUE(again && again->has_value());
    EXPECT_EQ((*again)->launch, 2);
    EXPECT_EQ((*again)->variables.size(), 2U);
}

TEST_F(LiftedFolders, ALaunchWithoutArgumentsHasNone)
{
    support::writeBytes(raw / "arguments", "");
    lift.parameters.clear();
    ASSERT_TRUE(write());
    const Json variants = descriptor()["variants"];
    for (const Json& variant : variants)
        EXPECT_FALSE(variant["launches"][0].contains("parameters")) << variant["id"];
}

TEST_F(LiftedFolders, OnlyWholeAlignedElementsHaveTheirType)
{
    lift.memory[0].changed = {{514, 1024}, {1792, 255}};
    support::writeBytes(raw / "0.after", std::string(1024 + 255, 'B'));
    ASSERT_TRUE(write({"", DType::f32, 0, true}));
    const Json buffers = descriptor()["buffers"];
    for (const Json& buffer : buffers)
        EXPECT_EQ(buffer["type"], "u8") << buffer["name"];
    EXPECT_EQ(buffers[1]["count"], "1024");
    EXPECT_EQ(buffers[3]["count"], "255");
    EXPECT_EQ(descriptor()["variants"][0]["deterministic"], true);
}

} // namespace
} // namespace kl
