// SPDX-License-Identifier: MIT
// One warp on the host: in which lanes values hold, and what its accesses count.
#include "profiler/live/ptx/warp_machine.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr std::uint64_t kData = 0x1000'0000; ///< in %rd1, as the parameter says

class WarpMachineTest : public testing::Test {
protected:
    WarpCounts runWarp(const std::string& body, const std::string& variables = {})
    {
        const PtxCode code = parsePtx(".file 1 \"kernel.cu\"\n" + variables +
                                          ".visible .entry k(\n.param .u64 k_param_0,\n.param .u8 k_param_1\n)\n{\n"
                                          "ld.param.u64 %rd1, [k_param_0];\n" +
                                          body + "ret;\n}\n",
                                      "k");
        EXPECT_FALSE(code.instructions.empty());
        const std::map<std::string, std::uint64_t> params{{"k_param_0", kData}, {"k_param_1", 0x1ff}};
        const MemoryReader memory = [&](std::uint64_t address, int bytes) -> std::optional<std::uint64_t> {
            if (address < kData || address + static_cast<std::uint64_t>(bytes) > kData + 4096)
                return {};
            std::uint64_t value = 0; // each byte is its place
            for (int i = bytes - 1; i >= 0; --i)
                value = value << 8 | ((address - kData + static_cast<std::uint64_t>(i)) & 0xff);
            return value;
        };
        WarpCounts counts;
        WarpMachine machine(code, params, memory);
        finished = machine.run(place, budget, counts);
        return counts;
    }

    /// Lanes in which %p1 holds, or may hold, after these instructions.
    double lanesWhere(const std::string& body, const std::string& variables = {})
    {
        return runWarp(body + "@%p1 red.global.add.u32 [%rd1], 1;\n", variables).sum.atomicThreads;
    }

    /// Lanes in which this register has that value. Where it is not known all lanes may have it.
    double lanesWith(const std::string& body, const std::string& reg, std::uint64_t value)
    {
        return lanesWhere(body + "setp.eq.u64 %p1, " + reg + ", " + std::to_string(value) + ";\n");
    }

    /// Threads of the warp for which that holds, of their index in the block.
    int threadsWhere(const std::function<bool(std::uint32_t thread, std::uint32_t lane)>& holds) const
    {
        int count = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            count += holds(static_cast<std::uint32_t>(place.warp) * 32 + lane, lane) ? 1 : 0;
        return count;
    }

    WarpPlace place{.grid = {3, 4, 5}, .block = {4, 3, 16}, .blockIndex = {2, 3, 1}, .warp = 1, .dynamicSmem = 1000};
    std::int64_t budget = 10'000;
    bool finished = false;
};

TEST_F(WarpMachineTest, ThreadsAndBlocksHaveThreeAxes)
{
    EXPECT_EQ(lanesWith("mov.u32 %r1, %tid.x;\n", "%r1", 2), threadsWhere([](auto thread, auto) { return thread % 4 == 2; }));
    EXPECT_EQ(lanesWith("mov.u32 %r1, %tid.y;\n", "%r1", 1), threadsWhere([](auto thread, auto) { return thread / 4 % 3 == 1; }));
    EXPECT_EQ(lanesWith("mov.u32 %r1, %tid.z;\n", "%r1", 3), threadsWhere([](auto thread, auto) { return thread / 12 == 3; }));
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::uint64_t>>{{"%ntid.x", 4},
                                                                                        {"%ntid.y", 3},
                                                                                        {"%ntid.z", 16},
                                                                                        {"%ctaid.x", 2},
                                                                                        {"%ctaid.y", 3},
                                                                                        {"%ctaid.z", 1},
                                                                                        {"%nctaid.x", 3},
                                                                                        {"%nctaid.y", 4},
                                                                                        {"%nctaid.z", 5},
                                                                                        {"%warpid", 1},
                                                                                        {"%dynamic_smem_size", 1000}}) {
        EXPECT_EQ(lanesWith("mov.u32 %r1, " + name + ";\n", "%r1", value), 32) << name;
        EXPECT_EQ(lanesWith("mov.u32 %r1, " + name + ";\n", "%r1", value + 1), 0) << name;
    }
}

TEST_F(WarpMachineTest, MasksOfLanesAreRelativeToTheLane)
{
    for (const auto& [name, mask] : std::vector<std::pair<std::string, std::uint64_t>>{{"%laneid", 5},
                                                                                       {"%lanemask_eq", 0x20},
                                                                                       {"%lanemask_lt", 0x1f},
                                                                                       {"%lanemask_le", 0x3f},
                                                                                       {"%lanemask_gt", 0xffff'ffc0},
                                                                                       {"%lanemask_ge", 0xffff'ffe0}})
        EXPECT_EQ(lanesWith("mov.u32 %r1, " + name + ";\n", "%r1", mask), 1) << name;
    EXPECT_EQ(lanesWith("mov.u32 %r1, %smid;\n", "%r1", 0), 32) << "not known: it may be any";
    EXPECT_EQ(lanesWith("mov.u32 %r1, %smid;\n", "%r1", 1), 32);
}

TEST_F(WarpMachineTest, AMaskHoldsTheLaneItselfWhereItsNameSaysSo)
{
    const auto lanesWithItself = [&](const std::string& name) {
        return lanesWith("mov.u32 %r1, " + name + ";\nmov.u32 %r2, %lanemask_eq;\nand.b32 %r1, %r1, %r2;\n", "%r1", 0);
    };
    for (const char* with : {"%lanemask_eq", "%lanemask_le", "%lanemask_ge"})
        EXPECT_EQ(lanesWithItself(with), 0) << with;
    for (const char* without : {"%lanemask_lt", "%lanemask_gt"})
        EXPECT_EQ(lanesWithItself(without), 32) << without;
    for (const auto& [low, high] : std::vector<std::pair<std::string, std::string>>{{"lt", "ge"}, {"le", "gt"}})
        EXPECT_EQ(lanesWith("mov.u32 %r1, %lanemask_" + low + ";\nmov.u32 %r2, %lanemask_" + high + ";\nxor.b32 %r1, %r1, %r2;\n", "%r1",
                            0xffff'ffff),
                  32)
            << low << " and " << high << " are all lanes";
}

TEST_F(WarpMachineTest, OnlyThreadsOfTheBlockRun)
{
    place.block = {40, 1, 1};
    EXPECT_EQ(runWarp("").threads, 2 * 8);
    place.warp = 0;
    EXPECT_EQ(runWarp("").threads, 2 * 32);
}

TEST_F(WarpMachineTest, ABudgetEndsTheRun)
{
    budget = 3;
    EXPECT_EQ(runWarp("mov.u32 %r1, 0;\n").sum.instructions, 3);
    EXPECT_TRUE(finished);
    EXPECT_EQ(runWarp("mov.u32 %r1, 0;\nmov.u32 %r1, 0;\n").sum.instructions, 3);
    EXPECT_FALSE(finished);
}

TEST_F(WarpMachineTest, GuardsChooseLanes)
{
    const std::string low = "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p2, %r1, 10;\nmov.u32 %r2, 7;\n";
    EXPECT_EQ(lanesWith(low + "@%p2 mov.u32 %r2, 8;\n", "%r2", 8), 10);
    EXPECT_EQ(lanesWith(low + "@!%p2 mov.u32 %r2, 8;\n", "%r2", 8), 22);
    EXPECT_EQ(lanesWhere(low + "and.pred %p1, %p2, !%p2;\n"), 0);
    EXPECT_EQ(lanesWhere(low + "or.pred %p1, %p2, !%p2;\n"), 32);
    EXPECT_EQ(lanesWith(low + "@%p2 ret;\n", "%r2", 7), 22) << "the others have left";
    EXPECT_EQ(lanesWith("mov.u32 %r2, 7;\n@%p9 mov.u32 %r2, 8;\n", "%r2", 8), 32) << "an unknown guard: unknown in all";
    EXPECT_EQ(lanesWith("mov.u32 %r2, 7;\n@%p9 ret;\n", "%r2", 7), 32) << "nobody leaves by an unknown guard";
}

TEST_F(WarpMachineTest, AnUnknownBranchIsNotTakenAndAnUnknownLoopTakenThreeTimes)
{
    const WarpCounts skips = runWarp("@%p9 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n");
    EXPECT_EQ(skips.sum.executed.at("xu"), 1);
    EXPECT_EQ(skips.sum.unknownBranches, 1);
    const WarpCounts loops = runWarp("$L_top:\nex2.approx.f32 %f1, %f1;\n@%p9 bra $L_top;\n");
    EXPECT_EQ(loops.sum.executed.at("xu"), 4);
    EXPECT_EQ(loops.sum.unknownBranches, 4);
    // Known in the lower lanes: those take it.
    const WarpCounts partly = runWarp("mov.u32 %r1, %laneid;\nsetp.lt.u32 %p2, %r1, 10;\n@%p2 setp.lt.u32 %p3, %r1, 10;\n"
                                      "@%p3 bra $L_end;\nex2.approx.f32 %f1, %f1;\n$L_end:\n");
    EXPECT_EQ(partly.threads, 5 * 32 + 22 + 32);
}

TEST_F(WarpMachineTest, LoadsBringWhatMemoryHolds)
{
    EXPECT_EQ(lanesWith("ld.global.u32 %r1, [%rd1+4];\ncvt.u64.u32 %rd2, %r1;\n", "%rd2", 0x0706'0504), 32);
    EXPECT_EQ(lanesWith("ld.global.u8 %r1, [%rd1+200];\n", "%r1", 200), 32);
    EXPECT_EQ(lanesWith("ld.global.s8 %r1, [%rd1+200];\n", "%r1", 0xffff'ffc8), 32) << "extended";
    EXPECT_EQ(lanesWith("ld.global.u64 %rd2, [%rd1+1];\n", "%rd2", 0x0807'0605'0403'0201), 32);
    EXPECT_EQ(lanesWith("ld.global.v2.u32 {%r1, %r2}, [%rd1];\n", "%r2", 0x0706'0504), 32);
    EXPECT_EQ(lanesWith("ld.global.v2.u32 {%r1, %r2}, [%rd1];\n", "%r1", 0), 0);
    EXPECT_EQ(lanesWith("mov.u32 %r3, %laneid;\ncvt.u64.u32 %rd2, %r3;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.u8 %r1, [%rd3];\n", "%r1", 9),
              1);
    EXPECT_EQ(lanesWith("ld.param.u8 %r1, [k_param_1];\n", "%r1", 0xff), 32);
    for (const char* unknown :
         {"ld.global.u32 %r1, [%rd1+5000];\n", "ld.shared.u32 %r1, [0];\n", "ld.const.u32 %r1, [%rd1];\n",
          "ld.param.u32 %r1, [k_param_1+4];\n", "atom.global.add.u32 %r1, [%rd1], 1;\n", "ld.global.u32 %r1, [%rd9];\n"}) {
        const std::string body = std::string("mov.u32 %r1, 1;\n") + unknown + "setp.eq.u32 %p1, %r1, 77;\n@%p1 ex2.approx.f32 %f1, %f1;\n";
        EXPECT_EQ(runWarp(body + "@%p1 bra $L_end;\n$L_end:\n").sum.unknownBranches, 1) << unknown;
    }
}

TEST_F(WarpMachineTest, WhatIsLoadedIsKnownAndNothingElse)
{
    const auto isKnown = [&](const std::string& load, const std::string& reg, std::uint64_t value) {
        EXPECT_EQ(lanesWith(load, reg, value), 32) << load;
        EXPECT_EQ(lanesWith(load, reg, value + 1), 0) << load;
    };
    isKnown("ld.global.u32 %r1, [%rd1+4];\n", "%r1", 0x0706'0504);
    isKnown("ld.global.u8 %r1, [%rd1+200];\n", "%r1", 200);
    isKnown("ld.global.u64 %rd2, [%rd1+1];\n", "%rd2", 0x0807'0605'0403'0201);
    isKnown("ld.global.v2.u32 {%r1, %r2}, [%rd1+8];\n", "%r1", 0x0b0a'0908);
    isKnown("ld.global.v2.u32 {%r1, %r2}, [%rd1+8];\n", "%r2", 0x0f0e'0d0c);
    isKnown("ld.global.v4.u16 {%r1, %r2, %r3, %r4}, [%rd1+8];\n", "%r4", 0x0f0e);
    isKnown("ld.global.u32 %r1, [%rd1+4092];\n", "%r1", 0xfffe'fdfc);
    isKnown("ld.param.u8 %r1, [k_param_1];\n", "%r1", 0xff);
    const std::string counter = ".global .align 4 .u32 counter;\n";
    EXPECT_EQ(lanesWhere("mov.u64 %rd2, counter;\nld.global.u32 %r1, [%rd2];\nsetp.eq.u32 %p1, %r1, 123;\n", counter), 32)
        << "a variable's is not";
}

TEST_F(WarpMachineTest, ThreadsEndByEachOfTheThreeWays)
{
    for (const char* end : {"ret", "exit", "trap"}) {
        const WarpCounts counts =
            runWarp("mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 " + std::string(end) + ";\nex2.approx.f32 %f1, %f1;\n");
        EXPECT_TRUE(finished);
        EXPECT_EQ(counts.threads, 4 * 32 + 24 + 24) << end << ": eight have left";
    }
}

TEST_F(WarpMachineTest, ASpaceIsThatOfTheOpcodeOrOfTheAddress)
{
    const std::string tile = ".shared .align 4 .b8 tile[4096];\n";
    const auto accesses = [&](const std::string& body) {
        const WarpModel sum = runWarp(tile + body).sum;
        return std::tuple(sum.loads.requests, sum.stores.requests, sum.sharedRequests);
    };
    using Three = std::tuple<double, double, double>;
    EXPECT_EQ(accesses("ld.global.f32 %f1, [%rd1];\n"), Three(1, 0, 0));
    EXPECT_EQ(accesses("st.global.f32 [%rd1], %f1;\n"), Three(0, 1, 0));
    EXPECT_EQ(accesses("ld.f32 %f1, [%rd1];\n"), Three(1, 0, 0));
    EXPECT_EQ(accesses("mov.u64 %rd2, tile;\nst.shared.f32 [%rd2], %f1;\n"), Three(0, 0, 1));
    EXPECT_EQ(accesses("mov.u64 %rd2, tile;\ncvta.shared.u64 %rd3, %rd2;\nld.f32 %f1, [%rd3];\n"), Three(0, 0, 1));
    EXPECT_EQ(accesses("mov.u64 %rd2, 16;\ncvta.local.u64 %rd3, %rd2;\nst.f32 [%rd3], %f1;\n"), Three(0, 0, 0));
    EXPECT_EQ(accesses("ld.local.f32 %f1, [%rd1];\n"), Three(0, 0, 0));
    EXPECT_EQ(accesses("ld.const.f32 %f1, [%rd1];\n"), Three(0, 0, 0));
    EXPECT_EQ(accesses("setp.eq.u32 %p1, 1, 2;\n@%p1 ld.global.f32 %f1, [%rd1];\n"), Three(0, 0, 0)) << "no lane does it";
}

TEST_F(WarpMachineTest, UnknownAddressesAreCountedOnTheirSide)
{
    EXPECT_EQ(runWarp("ld.global.f32 %f1, [%rd9];\n").sum.loads, (WarpAccesses{0, 0, 0, 1}));
    EXPECT_EQ(runWarp("st.global.f32 [%rd9], %f1;\n").sum.stores, (WarpAccesses{0, 0, 0, 1}));
    EXPECT_EQ(runWarp("st.global.f32 [%rd9], %f1;\n").sum.loads, WarpAccesses{});
    const WarpModel atomic = runWarp("red.global.add.u32 [%rd9], 1;\n").sum;
    EXPECT_EQ(atomic.atomicThreads, 32);
    EXPECT_EQ(atomic.atomicAddresses, 32) << "all different, as far as is known";
}

TEST_F(WarpMachineTest, AsynchronousCopiesReadGlobalAndWriteSharedMemory)
{
    const std::string copy =
        ".shared .align 16 .b8 tile[4096];\nmov.u32 %r1, %laneid;\nmul.wide.u32 %rd2, %r1, 16;\nadd.u64 %rd3, %rd1, %rd2;\n"
        "mov.u64 %rd4, tile;\nadd.u64 %rd5, %rd4, %rd2;\n";
    const WarpModel sixteen = runWarp(copy + "cp.async.cg.shared.global [%rd5], [%rd3], 16;\ncp.async.commit_group;\n").sum;
    EXPECT_EQ(sixteen.loads, (WarpAccesses{1, 16, 16, 0}));
    EXPECT_EQ(sixteen.sharedRequests, 1);
    EXPECT_EQ(sixteen.sharedWavefronts, 4);
    EXPECT_EQ(sixteen.stores, WarpAccesses{});
    const WarpModel four = runWarp(copy + "cp.async.ca.shared.global [%rd5], [%rd3], 4;\n").sum;
    EXPECT_EQ(four.loads, (WarpAccesses{1, 16, 4, 0}));
    EXPECT_EQ(four.sharedWavefronts, 4) << "a stride of 16 bytes: eight lanes cover the banks";
    EXPECT_EQ(four.sharedIdeal, 1);
}

TEST_F(WarpMachineTest, MatrixLoadsReadRowsOfSixteenBytes)
{
    const std::string rows = "mov.u32 %r1, %laneid;\nshl.b32 %r2, %r1, 4;\n";
    const std::string apart = "mov.u32 %r1, %laneid;\nshl.b32 %r2, %r1, 7;\n"; // a row per 128 bytes: all in the same banks
    const auto wavefronts = [&](const std::string& body) { return runWarp(body).sum.sharedWavefronts; };
    EXPECT_EQ(wavefronts(rows + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];\n"), 4);
    EXPECT_EQ(wavefronts(rows + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r3, %r4}, [%r2];\n"), 2);
    EXPECT_EQ(wavefronts(rows + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];\n"), 1);
    EXPECT_EQ(wavefronts(apart + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];\n"), 32);
    EXPECT_EQ(wavefronts(apart + "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r3};\n"), 8);
    EXPECT_EQ(wavefronts("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r9];\n"), 0) << "addresses are not known";
}

TEST_F(WarpMachineTest, AtomicsInSharedMemoryWaitForTheirBank)
{
    const WarpModel same = runWarp("mov.u32 %r1, 64;\natom.shared.add.u32 %r2, [%r1], 1;\n").sum;
    EXPECT_EQ(same.sharedRequests, 1);
    EXPECT_EQ(same.sharedWavefronts, 32);
    EXPECT_EQ(same.sharedIdeal, 1);
    EXPECT_EQ(same.atomicRequests, 0);
    EXPECT_EQ(runWarp("mov.u32 %r1, %laneid;\nshl.b32 %r2, %r1, 3;\nred.shared.add.u32 [%r2], 1;\n").sum.sharedWavefronts, 2);
    const WarpModel global = runWarp("mov.u32 %r1, %laneid;\nshr.u32 %r1, %r1, 3;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
                                     "atom.global.add.u32 %r2, [%rd3], 1;\n")
                                 .sum;
    EXPECT_EQ(global.atomicRequests, 1);
    EXPECT_EQ(global.atomicAddresses, 4);
    EXPECT_EQ(global.sharedRequests, 0);
}

TEST_F(WarpMachineTest, OfAListTheFirstIsTheResult)
{
    EXPECT_EQ(lanesWith("mov.u32 %r1, %laneid;\nshfl.sync.bfly.b32 %r2|%p2, %r1, 1, 31, -1;\n", "%r2", 6), 1);
    EXPECT_EQ(lanesWhere("setp.eq.u32 %p1, 1, 2;\nmov.u32 %r1, 3;\nshfl.sync.bfly.b32 %r2|%p1, %r1, 1, 31, -1;\n"), 32)
        << "the predicate is not known";
}

LaneAddresses makeStride(std::uint64_t first, std::uint64_t bytes)
{
    LaneAddresses at{};
    for (std::size_t lane = 0; lane < 32; ++lane)
        at[lane] = first + lane * bytes;
    return at;
}

TEST(WarpCountsTest, SectorsAreThoseThatAnyByteTouches)
{
    const auto loads = [](const LaneAddresses& at, std::uint32_t active, int bytes) {
        WarpCounts counts;
        countGlobal(at, active, bytes, false, counts);
        return counts.sum.loads;
    };
    EXPECT_EQ(loads(makeStride(0, 4), ~0U, 4), (WarpAccesses{1, 4, 4, 0}));
    EXPECT_EQ(loads(makeStride(16, 4), ~0U, 4), (WarpAccesses{1, 5, 4, 0})) << "not aligned";
    EXPECT_EQ(loads(makeStride(30, 32), 1, 4), (WarpAccesses{1, 2, 1, 0})) << "across the edge of a sector";
    EXPECT_EQ(loads(makeStride(28, 32), 1, 4), (WarpAccesses{1, 1, 1, 0}));
    EXPECT_EQ(loads(makeStride(0, 4), 0xff, 4), (WarpAccesses{1, 1, 1, 0}));
    EXPECT_EQ(loads(makeStride(0, 0), ~0U, 4), (WarpAccesses{1, 1, 1, 0}));
    EXPECT_EQ(loads(makeStride(0, 4), 0x1ff, 4), (WarpAccesses{1, 2, 2, 0}));
}

TEST(WarpCountsTest, OnlyLoadedSectorsAreOfTheBlock)
{
    WarpCounts counts;
    countGlobal(makeStride(0, 32), ~0U, 4, false, counts);
    countGlobal(makeStride(512, 32), ~0U, 4, false, counts);
    countGlobal(makeStride(4096, 32), ~0U, 4, true, counts);
    EXPECT_EQ(counts.sectors.size(), 48U);
    EXPECT_EQ(counts.sum.stores, (WarpAccesses{1, 32, 4, 0}));
}

TEST(WarpCountsTest, WideAccessesToSharedMemoryTakeTheirLanesInGroups)
{
    const auto wavefronts = [](const LaneAddresses& at, int bytes, std::uint32_t active = ~0U) {
        WarpCounts counts;
        countShared(at, active, bytes, counts);
        return std::pair(counts.sum.sharedWavefronts, counts.sum.sharedIdeal);
    };
    EXPECT_EQ(wavefronts(makeStride(0, 4), 4), std::pair(1.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 8), 4), std::pair(2.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 8), 8), std::pair(2.0, 2.0));
    EXPECT_EQ(wavefronts(makeStride(0, 16), 16), std::pair(4.0, 4.0));
    EXPECT_EQ(wavefronts(makeStride(0, 1), 1), std::pair(1.0, 1.0)) << "four lanes share a word";
    EXPECT_EQ(wavefronts(makeStride(0, 128), 4), std::pair(32.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 16), 16, 0xff), std::pair(1.0, 1.0)) << "groups without lanes take none";
}

TEST(WarpCountsTest, AveragesAreOverTheWarps)
{
    WarpCounts counts;
    counts.sum.warps = 2;
    counts.sum.instructions = 100;
    counts.threads = 1600;
    counts.sum.unknownBranches = 4;
    counts.sum.loads = {2, 8, 6, 4};
    counts.sum.stores = {10, 30, 20, 12};
    counts.sum.sharedRequests = 14;
    counts.sum.sharedWavefronts = 18;
    counts.sum.sharedIdeal = 16;
    counts.sum.atomicRequests = 22;
    counts.sum.atomicThreads = 26;
    counts.sum.atomicAddresses = 24;
    counts.sum.executed = {{"int", 60}};
    counts.sectors = {1, 2, 3};
    const WarpModel model = counts.average();
    EXPECT_EQ(model.warps, 2);
    EXPECT_EQ(model.instructions, 50);
    EXPECT_EQ(model.activeThreads, 16);
    EXPECT_EQ(model.unknownBranches, 2);
    EXPECT_EQ(model.loads, (WarpAccesses{1, 4, 3, 2}));
    EXPECT_EQ(model.stores, (WarpAccesses{5, 15, 10, 6}));
    EXPECT_EQ(model.sharedRequests, 7);
    EXPECT_EQ(model.sharedWavefronts, 9);
    EXPECT_EQ(model.sharedIdeal, 8);
    EXPECT_EQ(model.atomicRequests, 11);
    EXPECT_EQ(model.atomicThreads, 13);
    EXPECT_EQ(model.atomicAddresses, 12);
    EXPECT_EQ(model.executed.at("int"), 30);
    EXPECT_EQ(model.blockSectors, 1.5);
    EXPECT_EQ(WarpCounts{}.average().activeThreads, 0);
}

TEST(WarpCountsTest, AtomicsCountThreadsAndTheAddressesThatTheyMayHave)
{
    const auto atomics = [](const LaneAddresses& at, std::uint32_t active, std::uint32_t known) {
        WarpCounts counts;
        countGlobalAtomic(at, active, known, counts);
        EXPECT_EQ(counts.sum.atomicRequests, 1);
        EXPECT_EQ(counts.sum.loads, WarpAccesses{});
        EXPECT_EQ(counts.sum.stores, WarpAccesses{});
        return std::pair(counts.sum.atomicThreads, counts.sum.atomicAddresses);
    };
    EXPECT_EQ(atomics(makeStride(0, 0), ~0U, ~0U), std::pair(32.0, 1.0));
    EXPECT_EQ(atomics(makeStride(0, 4), ~0U, ~0U), std::pair(32.0, 32.0));
    EXPECT_EQ(atomics(makeStride(0, 0), ~0U, 0xff), std::pair(32.0, 25.0)) << "each that is not known may be another";
    EXPECT_EQ(atomics(makeStride(0, 4), 0xf, 0xff), std::pair(4.0, 4.0)) << "of the active lanes alone";
    EXPECT_EQ(atomics(makeStride(0, 4), 0xff, 0), std::pair(8.0, 8.0));
}

TEST(WarpCountsTest, AtomicsInSharedMemoryTakeAPassForEachLaneOfABank)
{
    const auto wavefronts = [](const LaneAddresses& at, std::uint32_t active) {
        WarpCounts counts;
        countSharedAtomic(at, active, counts);
        EXPECT_EQ(counts.sum.sharedRequests, 1);
        EXPECT_EQ(counts.sum.sharedIdeal, 1);
        return counts.sum.sharedWavefronts;
    };
    EXPECT_EQ(wavefronts(makeStride(0, 4), ~0U), 1);
    EXPECT_EQ(wavefronts(makeStride(0, 8), ~0U), 2);
    EXPECT_EQ(wavefronts(makeStride(0, 128), ~0U), 32) << "another word of the same bank";
    EXPECT_EQ(wavefronts(makeStride(0, 0), 0xf), 4) << "the same word too";
    EXPECT_EQ(wavefronts(makeStride(0, 2), 0xf), 2) << "two lanes to a word";
}

TEST(WarpCountsTest, HalfAWarpTakesHalfOfTheGroups)
{
    const auto wavefronts = [](const LaneAddresses& at, int bytes, std::uint32_t active) {
        WarpCounts counts;
        countShared(at, active, bytes, counts);
        EXPECT_EQ(counts.sum.sharedRequests, 1);
        return std::pair(counts.sum.sharedWavefronts, counts.sum.sharedIdeal);
    };
    EXPECT_EQ(wavefronts(makeStride(0, 8), 8, 0xffff), std::pair(1.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 8), 8, 0xffff0000), std::pair(1.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 16), 16, 0xffff), std::pair(2.0, 2.0));
    EXPECT_EQ(wavefronts(makeStride(0, 4), 4, 0xffff), std::pair(1.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 128), 8, 0xff), std::pair(8.0, 1.0));
    EXPECT_EQ(wavefronts(makeStride(0, 0), 16, ~0U), std::pair(4.0, 4.0)) << "each group reads it";
}

TEST_F(WarpMachineTest, ThreadsDoNotEndWhereTheGuardOfTheirEndIsNotKnown)
{
    const std::string after = "mov.u32 %r4, 1;\n";
    const std::string unknown = "ld.global.u32 %r1, [%rd9];\nsetp.eq.u32 %p2, %r1, 0;\n"; // nothing is there
    EXPECT_EQ(runWarp(unknown + "@%p2 ret;\n" + after).threads, runWarp(unknown + "@%p2 mov.u32 %r3, 1;\n" + after).threads);
    const std::string half = "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p2, %r1, 16;\n";
    EXPECT_EQ(lanesWhere(half + "@%p2 exit;\nsetp.eq.u32 %p1, %r1, %r1;\n"), 16);
    EXPECT_EQ(lanesWhere(half + "@!%p2 exit;\nsetp.ge.u32 %p1, %r1, 8;\n"), 8) << "those behind the half have ended";
}

} // namespace
} // namespace kl
