// SPDX-License-Identifier: MIT
// A few warps run from their PTX on the host: what they execute and touch, without a GPU.

#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/ptx/ptx_code.h"
#include "profiler/live/ptx/warp_model.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// An entry "k" of two buffers and a number, as NVRTC prints one, with a body.
std::string makePtx(const std::string& body, const std::string& variables = {})
{
    return ".version 8.5\n.target sm_90\n.address_size 64\n" + variables +
           ".visible .entry k(\n.param .u64 k_param_0,\n.param .u64 k_param_1,\n.param .u32 k_param_2\n)\n{\n"
           ".reg .pred %p<9>;\n.reg .b32 %r<32>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<16>;\n"
           "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\nld.param.u32 %r1, [k_param_2];\n"
           "cvta.to.global.u64 %rd3, %rd1;\ncvta.to.global.u64 %rd4, %rd2;\n"
           ".loc 1 3 5\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmad.lo.s32 %r5, %r3, %r4, %r2;\n" +
           body + "ret;\n\n}\n";
}

class WarpModelTest : public testing::Test {
protected:
    WarpModel model(const std::string& body, const std::string& variables = {})
    {
        LaunchSpec launch{"k", {64}, {threads}, 0, {{"in", {}, 0}, {"out", {}, 0}, {"", DType::i32, number}}};
        const std::vector<BufferSpec> buffers{{"in", DType::i32, 1 << 16}, {"out", DType::f32, 1 << 16, BufferRole::output}};
        const auto made = modelWarps(makePtx(body, variables), launch, buffers,
                                     [&](const std::string& name) { return name == "in" && !content.empty() ? &content : nullptr; });
        EXPECT_TRUE(made);
        return made.value_or(WarpModel{});
    }

    std::int64_t threads = 128;
    double number = 0;
    std::vector<std::byte> content;
};

/// Address of element `stride` x the thread's index.
std::string strided(int bytes)
{
    return fmt::format("mul.wide.s32 %rd5, %r5, {};\nadd.s64 %rd6, %rd3, %rd5;\nadd.s64 %rd7, %rd4, %rd5;\n", bytes);
}

TEST_F(WarpModelTest, NeighborsShareSectors)
{
    const WarpModel warp = model(strided(4) + "ld.global.nc.f32 %f1, [%rd6];\nst.global.f32 [%rd7], %f1;\n");
    EXPECT_EQ(warp.warps, 4);
    EXPECT_TRUE(warp.complete);
    EXPECT_EQ(warp.loads, (WarpAccesses{1, 4, 4, 0}));
    EXPECT_EQ(warp.stores, (WarpAccesses{1, 4, 4, 0}));
    EXPECT_EQ(warp.blockSectors, 4);
    EXPECT_EQ(warp.activeThreads, 32);
    EXPECT_EQ(warp.executed.at("ld.global"), 1);
}

TEST_F(WarpModelTest, AStrideTouchesASectorEach)
{
    const WarpModel warp = model(strided(64) + "ld.global.f32 %f1, [%rd6];\n");
    EXPECT_EQ(warp.loads, (WarpAccesses{1, 32, 4, 0}));
}

TEST_F(WarpModelTest, VectorsAndBroadcastsWasteNothing)
{
    const WarpModel vectors = model(strided(16) + "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd6+32];\n");
    EXPECT_EQ(vectors.loads, (WarpAccesses{1, 16, 16, 0}));
    const WarpModel broadcast = model("ld.global.f32 %f1, [%rd3+64];\n");
    EXPECT_EQ(broadcast.loads, (WarpAccesses{1, 1, 1, 0}));
    EXPECT_EQ(broadcast.blockSectors, 0.25) << "one sector for the four warps of the block";
}

TEST_F(WarpModelTest, ColumnsOfAnUnpaddedTileMeetInOneBank)
{
    const std::string tile = ".shared .align 4 .b8 tile[4096];\n";
    const auto column = [&](int row) {
        return model(fmt::format("mov.u32 %r6, tile;\nmad.lo.s32 %r7, %r2, {}, %r6;\nld.shared.f32 %f1, [%r7];\n", row), tile);
    };
    EXPECT_EQ(column(128).sharedWavefronts, 32);
    EXPECT_EQ(column(132).sharedWavefronts, 1);
    EXPECT_EQ(column(4).sharedIdeal, 1);
}

TEST_F(WarpModelTest, LanesThatPartAreRunInTurnAndMeetAgain)
{
    // The lower half of each warp adds three times, the upper once.
    const WarpModel warp = model("and.b32 %r6, %r2, 31;\nsetp.lt.s32 %p1, %r6, 16;\n@%p1 bra $L__BB0_2;\n"
                                 "add.s32 %r7, %r6, 1;\nbra.uni $L__BB0_3;\n$L__BB0_2:\nadd.s32 %r7, %r6, 2;\nadd.s32 %r7, %r7, 2;\n"
                                 "add.s32 %r7, %r7, 2;\n$L__BB0_3:\nadd.s32 %r7, %r7, 2;\n");
    EXPECT_EQ(warp.unknownBranches, 0);
    EXPECT_LT(warp.activeThreads, 32);
    // 9 before, 3 with the test, 2 and 3 apart, then both again: add and ret.
    EXPECT_EQ(warp.instructions, 9 + 3 + 2 + 3 + 2);
    EXPECT_NEAR(warp.activeThreads, (14 * 32 + 5 * 16) / 19.0, 1e-9);
}

TEST_F(WarpModelTest, LoopsRunAsOftenAsTheArgumentSays)
{
    number = 25;
    const WarpModel warp = model("mov.b32 %r6, 0;\n$L__BB0_1:\nfma.rn.f32 %f1, %f1, %f1, %f1;\nadd.s32 %r6, %r6, 1;\n"
                                 "setp.lt.s32 %p1, %r6, %r1;\n@%p1 bra $L__BB0_1;\n");
    EXPECT_EQ(warp.executed.at("fma.f32"), 25);
    EXPECT_EQ(warp.unknownBranches, 0);
}

TEST_F(WarpModelTest, AnEndlessLoopIsCut)
{
    const WarpModel warp = model("$L__BB0_1:\nadd.s32 %r6, %r6, 1;\nbra.uni $L__BB0_1;\n");
    EXPECT_FALSE(warp.complete);
    EXPECT_EQ(warp.warps, 1);
}

TEST_F(WarpModelTest, IndicesAreReadFromTheInputsWhereTheyAreKnown)
{
    const std::string gather = strided(4) + "ld.global.u32 %r6, [%rd6];\nmul.wide.u32 %rd8, %r6, 4;\nadd.s64 %rd9, %rd4, %rd8;\n"
                                            "ld.global.f32 %f1, [%rd9];\n";
    EXPECT_EQ(model(gather).loads, (WarpAccesses{1, 4, 4, 1})) << "not known: counted apart";
    content.resize(std::size_t{4} << 16);
    for (std::uint32_t i = 0; i < (1 << 16); ++i) {
        const std::uint32_t index = i * 97 % 65536; // scattered
        std::memcpy(content.data() + std::size_t{4} * i, &index, 4);
    }
    EXPECT_EQ(model(gather).loads, (WarpAccesses{2, 36, 8, 0}));
}

TEST_F(WarpModelTest, AtomicsOnOneAddressAreReported)
{
    const WarpModel warp = model("atom.global.add.u32 %r6, [%rd4], 1;\n");
    EXPECT_EQ(warp.atomicRequests, 1);
    EXPECT_EQ(warp.atomicThreads, 32);
    EXPECT_EQ(warp.atomicAddresses, 1);
}

TEST_F(WarpModelTest, OneLaneOfAWarpSpeaksForTheLanesThatAgree)
{
    // match.any, then the lane that brev and bfind elect: one request with one active thread.
    const WarpModel warp =
        model("shr.u32 %r10, %r2, 5;\nmatch.any.sync.b32 %r6, %r10, -1;\nbrev.b32 %r7, %r6;\nbfind.shiftamt.u32 %r8, %r7;\n"
              "mov.u32 %r9, %laneid;\nsetp.ne.s32 %p1, %r8, %r9;\n@%p1 bra $L__BB0_1;\n"
              "red.global.add.u32 [%rd4], %r6;\n$L__BB0_1:\n");
    EXPECT_EQ(warp.atomicRequests, 1);
    EXPECT_EQ(warp.atomicThreads, 1);
}

TEST(WarpModelOf, LargeBuffersDoNotReachIntoOthers)
{
    const std::vector<std::byte> zeros(std::size_t{5} << 20);
    std::vector<std::byte> count(8);
    const std::uint32_t rounds[] = {9, 7};
    std::memcpy(count.data(), rounds, sizeof rounds);
    const std::vector<BufferSpec> buffers{{"a", DType::u8, 5 << 20}, {"b", DType::i32, 2}};
    const LaunchSpec launch{"k", {1}, {32}, 0, {{"a", {}, 0}, {"b", {}, 0}, {"", DType::i32, 0}}};
    const auto roundsFrom = [&](const std::string& address) {
        const auto made = modelWarps(makePtx("ld.global.u32 %r7, [" + address +
                                             "];\nmov.b32 %r6, 0;\n$L__BB0_1:\nex2.approx.f32 %f1, %f1;\n"
                                             "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, %r7;\n@%p1 bra $L__BB0_1;\n"),
                                     launch, buffers, [&](const std::string& name) { return name == "a" ? &zeros : &count; });
        EXPECT_TRUE(made);
        return std::pair(made->executed.at("xu"), made->unknownBranches > 0);
    };
    EXPECT_EQ(roundsFrom("%rd4"), std::pair(9.0, false));
    EXPECT_EQ(roundsFrom("%rd4+4"), std::pair(7.0, false)) << "to its end";
    EXPECT_EQ(roundsFrom("%rd3+5242876"), std::pair(1.0, false)) << "zero, once";
    EXPECT_TRUE(roundsFrom("%rd4+6").second) << "half behind its end";
    EXPECT_TRUE(roundsFrom("%rd4-4").second) << "before it";
}

TEST(WarpModelOf, AnEntryThatIsNotThereGivesNothing)
{
    EXPECT_FALSE(modelWarps(makePtx(""), {"other", {1}, {32}}, {}, {}));
    EXPECT_TRUE(parsePtx("", "k").instructions.empty());
    EXPECT_TRUE(parsePtx(".entry k(", "k").instructions.empty());
    EXPECT_TRUE(parsePtx(".visible .entry k(\n.param .u64 k_param_0\n)\n{\n@", "k").instructions.empty());
}

TEST(WarpModelOf, DamagedTextIsSurvived)
{
    const std::string whole = makePtx(strided(16) + "@%p1 ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd6+16];\n@!%p1 bra $L__BB0_1;\n"
                                                    "mov.u32 %r6, tile;\natom.shared.add.u32 %r7, [%r6], 1;\n$L__BB0_1:\n",
                                      ".shared .align 4 .b8 tile[4096];\n");
    const LaunchSpec launch{"k", {2}, {64}, 0, {{"in", {}, 0}, {"in", {}, 0}, {"", DType::i32, 3}}};
    const std::vector<BufferSpec> buffers{{"in", DType::i32, 1024}};
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        modelWarps(whole.substr(0, cut) + "\n}\n", launch, buffers, {});
        std::string without = whole;
        modelWarps(without.erase(cut, 3), launch, buffers, {});
    }
    EXPECT_TRUE(modelWarps(whole, launch, buffers, {}));
}

TEST(WarpModelOf, HalfOfABlocksLastWarp)
{
    const auto warp = modelWarps(makePtx(""), {"k", {1}, {48}}, {}, {});
    ASSERT_TRUE(warp);
    EXPECT_EQ(warp->warps, 2);
    EXPECT_EQ(warp->activeThreads, 24);
}

TEST(WarpModelOf, ScalarArgumentsHaveTheBitsOfTheirType)
{
    const auto matches = [](DType type, double value, const std::string& load, const std::string& expected) {
        const LaunchSpec launch{"k", {1}, {32}, 0, {{"", DType::i32, 7}, {"", DType::i32, 7}, {"", type, value}}};
        const std::string body =
            load + " [k_param_2];\nsetp.eq.u64 %p1, %rd9, " + expected + ";\n@!%p1 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n";
        const auto model = modelWarps(makePtx(body), launch, {}, {});
        return model && model->unknownBranches == 0 && model->executed.contains("xu");
    };
    EXPECT_TRUE(matches(DType::i32, -5, "ld.param.u32 %rd9,", "0xfffffffb"));
    EXPECT_TRUE(matches(DType::i64, -5, "ld.param.u64 %rd9,", "-5"));
    EXPECT_TRUE(matches(DType::f32, 1.5, "ld.param.u32 %rd9,", "0x3fc00000"));
    EXPECT_TRUE(matches(DType::f64, 1.5, "ld.param.u64 %rd9,", "0x3ff8000000000000"));
    EXPECT_TRUE(matches(DType::f16, 1.5, "ld.param.u16 %rd9,", "0x3e00"));
    EXPECT_TRUE(matches(DType::bf16, 1.5, "ld.param.u16 %rd9,", "0x3fc0"));
}

TEST(WarpModelOf, WideAndUntypedScalarsAreReadWhole)
{
    const auto matches = [](std::optional<DType> type, double value, const std::string& load, const std::string& expected) {
        const LaunchSpec launch{"k", {1}, {32}, 0, {{"", DType::i32, 7}, {"", DType::i32, 7}, {"", type, value}}};
        const std::string body =
            load + " [k_param_2];\nsetp.eq.u64 %p1, %rd9, " + expected + ";\n@!%p1 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n";
        const auto model = modelWarps(makePtx(body), launch, {}, {});
        return model && model->unknownBranches == 0 && model->executed.contains("xu");
    };
    EXPECT_TRUE(matches(DType::i64, 5e12, "ld.param.u64 %rd9,", "5000000000000"));
    EXPECT_TRUE(matches(DType::u64, 9'007'199'254'740'992.0, "ld.param.u64 %rd9,", "9007199254740992"));
    EXPECT_TRUE(matches(DType::u32, 4'294'967'295.0, "ld.param.u32 %rd9,", "4294967295"));
    EXPECT_TRUE(matches({}, 9, "ld.param.u32 %rd9,", "9"));
    EXPECT_FALSE(matches({}, 9, "ld.param.u32 %rd9,", "8"));
}

TEST(WarpModelOf, TheLastElementOfABufferIsKnownAndTheOneBehindItIsNot)
{
    BufferSpec buffer;
    buffer.name = "index";
    buffer.type = DType::i32;
    buffer.count = 4;
    const std::vector<std::int32_t> values{1, 2, 3, 4};
    std::vector<std::byte> bytes(16);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    const auto readAt = [&](int offset, const std::string& expected) {
        const LaunchSpec launch{"k", {1}, {32}, 0, {{"index", {}, 0}}};
        const std::string body = "ld.param.u64 %rd9, [k_param_0];\nld.global.u32 %r9, [%rd9+" + std::to_string(offset) +
                                 "];\nsetp.eq.u32 %p1, %r9, " + expected + ";\n@!%p1 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n";
        const auto model = modelWarps(makePtx(body), launch, {buffer}, [&](const std::string&) { return &bytes; });
        return std::pair(model ? model->unknownBranches : -1, model && model->executed.contains("xu"));
    };
    EXPECT_EQ(readAt(0, "1"), std::pair(0.0, true));
    EXPECT_EQ(readAt(12, "4"), std::pair(0.0, true));
    EXPECT_EQ(readAt(12, "3"), std::pair(0.0, false));
    EXPECT_EQ(readAt(16, "0").first, 1) << "behind the buffer";
    EXPECT_EQ(readAt(14, "0").first, 1) << "half of it is behind the buffer";
}

TEST(WarpModelOf, TheBlockIsTheMiddleOfTheGrid)
{
    const auto blockIs = [](const std::vector<std::int64_t>& grid, int x, int y, int z) {
        const std::string body = "mov.u32 %r6, %ctaid.y;\nmov.u32 %r7, %ctaid.z;\nshl.b32 %r8, %r6, 8;\nshl.b32 %r9, %r7, 16;\n"
                                 "or.b32 %r10, %r3, %r8;\nor.b32 %r11, %r10, %r9;\nsetp.eq.u32 %p1, %r11, " +
                                 std::to_string(x | y << 8 | z << 16) + ";\n@!%p1 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n";
        const auto model = modelWarps(makePtx(body), {"k", grid, {32}}, {}, {});
        return model && model->executed.contains("xu");
    };
    EXPECT_TRUE(blockIs({5}, 2, 0, 0));
    EXPECT_TRUE(blockIs({4, 3}, 2, 1, 0));
    EXPECT_TRUE(blockIs({2, 3, 5}, 1, 1, 2));
    EXPECT_TRUE(blockIs({0}, 0, 0, 0));
}

TEST(WarpModelOf, AtMostEightWarpsThatAreSpreadOverTheBlock)
{
    // Warp n takes n + 1 rounds: the first, the middle, the quarters, the eighths of 32.
    const std::string body = "shr.u32 %r6, %r2, 5;\nmov.u32 %r7, 0;\n$L_top:\nex2.approx.f32 %f1, %f1;\nadd.u32 %r7, %r7, 1;\n"
                             "setp.le.u32 %p1, %r7, %r6;\n@%p1 bra $L_top;\n";
    const auto many = modelWarps(makePtx(body), {"k", {1}, {1024}}, {}, {});
    ASSERT_TRUE(many);
    EXPECT_EQ(many->warps, 8);
    EXPECT_EQ(many->executed.at("xu"), (0 + 16 + 8 + 24 + 4 + 12 + 20 + 28) / 8.0 + 1);
    EXPECT_TRUE(many->complete);
    EXPECT_EQ(modelWarps(makePtx(body), {"k", {1}, {32, 2, 3}}, {}, {})->warps, 6);
}

} // namespace
} // namespace kl
