// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/arch.h"
#include "core/device/warp_memory.h"
#include "core/search/compiled_launch.h"
#include "core/search/gates.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace kl {
namespace {

TEST(WarpMemory, PhasesOfEightRows)
{
    EXPECT_EQ(phaseConflictWays({128, 0}), 8); // D = 64, unswizzled
    EXPECT_EQ(phaseConflictWays({256, 0}), 8); // D = 128
    EXPECT_EQ(phaseConflictWays({144, 0}), 1); // padded
    EXPECT_EQ(phaseConflictWays({272, 0}), 1);
    EXPECT_EQ(phaseConflictWays({128, 7}), 1); // chunk ^= row & 7
    EXPECT_EQ(phaseConflictWays({256, 7}), 1);
    EXPECT_EQ(phaseConflictWays({128, 3}), 2);
    EXPECT_EQ(phaseConflictWays({64, 0}), 4);
}

TEST(WarpMemory, WithoutASwizzleTheWaysAreTheCommonDivisor)
{
    for (std::int64_t pitch = 16; pitch <= 4096; pitch += 16)
        EXPECT_EQ(phaseConflictWays({pitch, 0}), std::gcd(pitch / 16, std::int64_t{8})) << pitch;
}

TEST(WarpMemory, TilesThatCannotBeReadSo)
{
    EXPECT_FALSE(phaseConflictWays({130, 0}));
    EXPECT_FALSE(phaseConflictWays({0, 0}));
    EXPECT_FALSE(phaseConflictWays({64, 7})) << "chunk 0 of row 7 would lie in the next row";
    EXPECT_FALSE(phaseConflictWays({128, 64}));
}

TEST(WarpMemory, SectorsOfStoresOfATensorCoreTile)
{
    const SectorUse full = sectorUse({16, 8, 128, 16});
    EXPECT_EQ(full.sectors, 16);
    EXPECT_EQ(full.efficiency, 100);
    EXPECT_EQ(sectorUse({4, 4, 128, 4}).efficiency, 50); // four lanes write 16 bytes of a row
    EXPECT_EQ(sectorUse({2, 4, 128, 4}).efficiency, 25); // every other element
    EXPECT_EQ(sectorUse({4, 32, 0, 4}).sectors, 4);
    EXPECT_EQ(sectorUse({4, 1, 4096, 4}).efficiency, 12.5); // a column
    EXPECT_EQ(sectorUse({4, 32, 0, 0}).efficiency, 12.5);   // one word for all
}

TEST(WarpMemory, MisalignedLanesAreSeen)
{
    EXPECT_TRUE(sectorUse({16, 8, 128, 16}).aligned);
    EXPECT_FALSE(sectorUse({16, 8, 130, 16}).aligned);
}

PlannedPoint point()
{
    PlannedPoint planned;
    planned.launches.push_back({"attention", 128, 48 * 1024});
    planned.fragments = {{"output", 64}, {"scores", 64}};
    planned.otherRegisters = 63;
    planned.global.push_back({"stores", {4, 4, 128, 4}});
    planned.shared.push_back({"tiles", {128, 7}});
    return planned;
}

GateLimits on(const std::string& arch)
{
    const GpuArch found = *findArch(arch);
    return {found.limits, found.name, 12.5, 50};
}

const GateVerdict& of(const std::array<GateVerdict, kSpaceGates.size()>& verdicts, SpaceGate gate)
{
    return verdicts[static_cast<std::size_t>(gate)];
}

TEST(SearchGates, AGoodPointPassesAll)
{
    const auto verdicts = judgePoint(point(), on("sm_90"));
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        EXPECT_EQ(verdicts[i].gate, kSpaceGates[i]);
        EXPECT_TRUE(verdicts[i].judged && verdicts[i].pass) << verdicts[i].reason;
        EXPECT_FALSE(verdicts[i].reason.empty());
    }
    EXPECT_EQ(of(verdicts, SpaceGate::occupancy).value, 25); // 4 blocks of 4 warps of 64
    EXPECT_EQ(of(verdicts, SpaceGate::registers).value, 128 + 63);
}

TEST(SearchGates, SharedMemoryIsTheArchitecturesOwn)
{
    PlannedPoint planned = point();
    planned.launches[0].smem = 100 * 1024;
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::sharedMemory).pass);
    const GateVerdict verdict = of(judgePoint(planned, on("sm_89")), SpaceGate::sharedMemory);
    EXPECT_FALSE(verdict.pass);
    EXPECT_EQ(verdict.value, 102400);
    EXPECT_EQ(verdict.limit, 101376);
    EXPECT_NE(verdict.reason.find("1,024 more"), std::string::npos) << verdict.reason;
}

TEST(SearchGates, WhatCannotBeAccessedIsRejectedWhateverItsEfficiency)
{
    PlannedPoint planned = point();
    planned.global.push_back({"odd", {16, 8, 130, 16}});
    const GateVerdict unaligned = of(judgePoint(planned, on("sm_90")), SpaceGate::coalescing);
    EXPECT_FALSE(unaligned.pass);
    EXPECT_NE(unaligned.reason.find("odd"), std::string::npos) << unaligned.reason;
    planned = point();
    planned.shared.push_back({"narrow", {130, 0}});
    const GateVerdict unreadable = of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts);
    EXPECT_FALSE(unreadable.pass);
    EXPECT_FALSE(unreadable.value) << "it has no number of ways";
}

TEST(CodeLine, CountsTheInstructionsOfAllClasses)
{
    EXPECT_EQ((CodeLine{3, {{"ld.global", 2}, {"fma.f32", 5}}}).instructions(), 7);
    EXPECT_EQ(CodeLine{}.instructions(), 0);
}

TEST(SearchGates, EachHasAWordOfItsOwn)
{
    std::vector<std::string> words;
    for (const SpaceGate gate : kSpaceGates)
        words.emplace_back(toWord(gate));
    EXPECT_EQ(words, (std::vector<std::string>{"shared-memory", "threads", "occupancy", "registers", "coalescing", "bank-conflicts"}));
    std::set<std::string> titles{""};
    for (const SpaceGate gate : kSpaceGates)
        EXPECT_TRUE(titles.insert(titleFor(gate)).second) << toWord(gate);
}

TEST(SearchGates, WhatJustFitsPasses)
{
    PlannedPoint planned = point();
    planned.launches[0].smem = 101376;
    EXPECT_TRUE(of(judgePoint(planned, on("sm_89")), SpaceGate::sharedMemory).pass);
    planned.launches[0].smem = 101377;
    EXPECT_FALSE(of(judgePoint(planned, on("sm_89")), SpaceGate::sharedMemory).pass);
    planned = point();
    planned.launches[0].threads = 1024;
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).pass);
    planned.launches[0].threads = 1025;
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).pass);
    GateLimits limits = on("sm_90");
    limits.minOccupancy = 25; // what the point has
    EXPECT_TRUE(of(judgePoint(point(), limits), SpaceGate::occupancy).pass);
    limits.minOccupancy = 25.5;
    EXPECT_FALSE(of(judgePoint(point(), limits), SpaceGate::occupancy).pass);
}

TEST(SearchGates, ThreadsAndConstraints)
{
    PlannedPoint planned = point();
    planned.launches[0].threads = 2048;
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).pass);
    planned.launches[0].threads.reset();
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).pass);
    planned = point();
    planned.violated = {"mod(BLOCK_M,16*WARPS)==0 with BLOCK_M=32, WARPS=8"};
    const GateVerdict verdict = of(judgePoint(planned, on("sm_90")), SpaceGate::threads);
    EXPECT_FALSE(verdict.pass);
    EXPECT_NE(verdict.reason.find("WARPS=8"), std::string::npos);
}

TEST(SearchGates, OccupancyAsksForPercentAndBlocks)
{
    PlannedPoint planned = point();
    planned.launches[0].smem = 200 * 1024;
    GateVerdict verdict = of(judgePoint(planned, on("sm_90")), SpaceGate::occupancy);
    EXPECT_FALSE(verdict.pass);
    EXPECT_EQ(verdict.value, 6.25);
    GateLimits modest = on("sm_90");
    modest.minOccupancy = 0;
    EXPECT_TRUE(of(judgePoint(planned, modest), SpaceGate::occupancy).pass);
    planned.minBlocks = 2;
    verdict = of(judgePoint(planned, modest), SpaceGate::occupancy);
    EXPECT_FALSE(verdict.pass);
    EXPECT_NE(verdict.reason.find("; 2 "), std::string::npos) << "what is required: " << verdict.reason;
}

TEST(SearchGates, TheWorstLaunchCounts)
{
    PlannedPoint planned = point();
    planned.launches.push_back({"combine", 32, 0});
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::occupancy).pass);
    planned.launches.push_back({"tail", 32, 100 * 1024});
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::occupancy).pass);
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::sharedMemory).value, 102400);
}

TEST(SearchGates, FragmentsAndWhatMoreBlocksLeave)
{
    PlannedPoint planned = point();
    planned.fragments = {{"output", 64}, {"scores", 128}};
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass) << "FlashAttention-2's best tiles have 192";
    planned.fragments[0].count = 65;
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass);
    planned = point();
    planned.minBlocks = 2;
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass);
    planned.launches[0].threads = 256;
    const GateVerdict verdict = of(judgePoint(planned, on("sm_90")), SpaceGate::registers);
    EXPECT_FALSE(verdict.pass);
    EXPECT_EQ(verdict.value, 191);
    EXPECT_EQ(verdict.limit, 128);
    planned.minBlocks = 1;
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass);
    planned.launches[0].threads = 512;
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass) << "one block alone leaves 128";
    planned.otherRegisters.reset();
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).pass) << "no estimate, no guess";
}

TEST(SearchGates, RegistersLeftAreWhatTheOccupancyAllows)
{
    const SmLimits sm = findArch("sm_90")->limits;
    for (int warps = 1; warps <= 32; ++warps)
        for (int blocks = 1; blocks * warps <= sm.maxWarps && blocks <= 8; ++blocks) {
            const int left = computeRegistersLeft(sm, blocks, 32 * warps);
            if (warps % 4 == 0) { // other shapes waste a quarter's registers
                EXPECT_GE(computeOccupancy(sm, BlockNeeds{32 * warps, left, 0}).blocksPerSm, blocks) << warps << ' ' << blocks;
            }
            if (left < 248) {
                EXPECT_LT(computeOccupancy(sm, BlockNeeds{32 * warps, left + 8, 0}).blocksPerSm, blocks) << warps << ' ' << blocks;
            }
        }
}

TEST(SearchGates, CoalescingAndBanks)
{
    PlannedPoint planned = point();
    planned.global.push_back({"scalar stores", {2, 4, 128, 4}});
    const GateVerdict stores = of(judgePoint(planned, on("sm_90")), SpaceGate::coalescing);
    EXPECT_FALSE(stores.pass);
    EXPECT_EQ(stores.value, 25);
    EXPECT_NE(stores.reason.find("scalar stores"), std::string::npos);
    planned.shared[0].tile.rowMask = 0;
    const GateVerdict banks = of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts);
    EXPECT_FALSE(banks.pass);
    EXPECT_EQ(banks.value, 8);
}

TEST(SearchGates, WhatTheDescriptorDoesNotTellIsNotJudged)
{
    PlannedPoint planned;
    planned.launches.push_back({"plain", 256, 0});
    const auto verdicts = judgePoint(planned, on("sm_90"));
    for (const SpaceGate gate : {SpaceGate::registers, SpaceGate::coalescing, SpaceGate::bankConflicts}) {
        EXPECT_FALSE(of(verdicts, gate).judged);
        EXPECT_TRUE(of(verdicts, gate).pass);
        EXPECT_FALSE(of(verdicts, gate).reason.empty());
    }
}

TEST(CompiledGate, SpillsLocalMemoryAndRealRegisters)
{
    CompiledLaunch launch{"attention", 128, 168, 0, 0, 0, 0, 48 * 1024, 1, {}};
    EXPECT_TRUE(judgeCompiled({launch}, on("sm_90"), 1).pass);
    EXPECT_EQ(judgeCompiled({launch}, on("sm_90"), 4).gate, "occupancy"); // three fit by registers
    CompiledLaunch local = launch;
    local.stackBytes = 256; // a local array: no spill is counted
    const CompiledVerdict verdict = judgeCompiled({launch, local}, on("sm_90"), 1);
    EXPECT_EQ(verdict.gate, "spills");
    EXPECT_NE(verdict.reason.find("256 bytes"), std::string::npos) << verdict.reason;
    local.stackBytes = kMostLocalBytes;
    EXPECT_TRUE(judgeCompiled({local}, on("sm_90"), 1).pass);
    EXPECT_NE(judgeCompiled({local}, on("sm_90"), 1).reason.find(" 64 bytes "), std::string::npos);
    CompiledLaunch fat = launch;
    fat.dynamicSmem = 200 * 1024;
    EXPECT_FALSE(judgeCompiled({fat}, on("sm_90"), 1).pass);
}

TEST(Arch, ByArchitectureOrGpu)
{
    for (const char* text : {"sm_90", "sm_90a", "compute_90", "90", "9.0", "H200", "h100"})
        EXPECT_EQ(findArch(text)->name, "sm_90") << text;
    for (const auto& [text, target] : {std::pair("sm_90", "sm_90"),
                                       {"sm_90a", "sm_90a"},
                                       {"compute_100a", "sm_100a"},
                                       {"103a", "sm_103a"},
                                       {"12.0a", "sm_120a"},
                                       {"sm_100f", "sm_100f"},
                                       {"H200", "sm_90"}})
        EXPECT_EQ(findArch(text)->target, target) << text;
    EXPECT_EQ(findArch("sm_103a")->limits.smemOptin, 232448);
    for (const char* text : {"sm_89a", "sm_90f", "90b", "sm_a"})
        EXPECT_FALSE(findArch(text)) << text;
    EXPECT_EQ(findArch("4090")->name, "sm_89");
    EXPECT_EQ(findArch("sm_89")->limits.smemOptin, 101376);
    for (const char* text : {"", "sm_12", "voodoo", "sm_", "1e9"}) {
        const Result<GpuArch> arch = findArch(text);
        ASSERT_FALSE(arch) << text;
        EXPECT_NE(arch.error().hint.find("sm_90"), std::string::npos);
    }
}

TEST(Arch, CodeRunsWhereItsFeaturesAre)
{
    EXPECT_TRUE(runsOn(*findArch("sm_80"), 8, 9));
    EXPECT_FALSE(runsOn(*findArch("sm_89"), 8, 6));
    EXPECT_FALSE(runsOn(*findArch("sm_80"), 9, 0));
    EXPECT_TRUE(runsOn(*findArch("sm_90a"), 9, 0));
    EXPECT_FALSE(runsOn(*findArch("sm_100a"), 10, 3));
    EXPECT_TRUE(runsOn(*findArch("sm_100f"), 10, 3));
    EXPECT_FALSE(runsOn(*findArch("sm_90a"), 12, 0));
    EXPECT_EQ(targetLike("sm_90a", 12, 0), "sm_120a");
    EXPECT_EQ(targetLike("sm_90a", 8, 9), "sm_89");
    EXPECT_EQ(targetLike("sm_100f", 9, 0), "sm_90");
    EXPECT_EQ(targetLike("sm_90", 10, 0), "sm_100");
}

TEST(SearchGates, TheWorstCountsWhereItComesFirst)
{
    PlannedPoint planned = point();
    planned.launches = {{"tail", 32, 100 * 1024}, {"attention", 128, 48 * 1024}};
    planned.global = {{"scalar stores", {2, 4, 128, 4}}, {"stores", {4, 4, 128, 4}}};
    planned.shared = {{"tiles", {128, 0}}, {"swizzled", {128, 7}}};
    const auto verdicts = judgePoint(planned, on("sm_90"));
    EXPECT_FALSE(of(verdicts, SpaceGate::occupancy).pass);
    EXPECT_EQ(of(verdicts, SpaceGate::occupancy).value, 3.125); // 2 warps of 64
    EXPECT_FALSE(of(verdicts, SpaceGate::coalescing).pass);
    EXPECT_EQ(of(verdicts, SpaceGate::coalescing).value, 25);
    EXPECT_FALSE(of(verdicts, SpaceGate::bankConflicts).pass);
    EXPECT_EQ(of(verdicts, SpaceGate::bankConflicts).value, 8);
}

TEST(SearchGates, SeveralBlocksAreRequiredOfTheFirstLaunchAlone)
{
    PlannedPoint planned = point();
    planned.minBlocks = 4;
    planned.launches.push_back({"combine", 512, 200 * 1024}); // one block, a quarter of the warps
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::occupancy).pass);
    std::swap(planned.launches[0], planned.launches[1]);
    EXPECT_FALSE(of(judgePoint(planned, on("sm_90")), SpaceGate::occupancy).pass);
    const CompiledLaunch four{"attention", 128, 32, 0, 0, 0, 0, 48 * 1024, 1, {}};
    const CompiledLaunch one{"combine", 512, 32, 0, 0, 0, 0, 200 * 1024, 1, {}};
    EXPECT_TRUE(judgeCompiled({four, one}, on("sm_90"), 4).pass);
    EXPECT_EQ(judgeCompiled({one, four}, on("sm_90"), 4).gate, "occupancy");
}

TEST(CompiledGate, TheLeastOccupancyIsEnough)
{
    const CompiledLaunch launch{"attention", 128, 32, 0, 0, 0, 0, 48 * 1024, 1, {}}; // 16 warps of 64
    GateLimits limits = on("sm_90");
    limits.minOccupancy = 25;
    EXPECT_TRUE(judgeCompiled({launch}, limits, 1).pass);
    limits.minOccupancy = 25.1;
    EXPECT_EQ(judgeCompiled({launch}, limits, 1).gate, "occupancy");
    const std::string reason = judgeCompiled({launch}, limits, 4).reason; // as many blocks as are wanted
    EXPECT_NE(reason.find(formatPercent(25.1)), std::string::npos) << reason;
}

TEST(SearchGates, EachReasonHasTheFiguresOfItsRejection)
{
    PlannedPoint planned = point();
    planned.launches[0].threads = 2048;
    EXPECT_NE(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).reason.find("2048"), std::string::npos);
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).value, 2048);
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).limit, 1024);
    planned = point();
    planned.shared = {{"tiles", {128, 0}}};
    EXPECT_EQ(test::valueText(of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts).reason), "\"8 128\"") << "all of eight";
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts).value, 8);
    planned.shared = {{"tiles", {64, 0}}};
    EXPECT_EQ(test::valueText(of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts).reason), "\"4 4 64\"") << "four of eight";
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::bankConflicts).value, 4);
    planned = point();
    planned.launches.insert(planned.launches.begin(), {"large", 1024, 0});
    EXPECT_EQ(of(judgePoint(planned, on("sm_90")), SpaceGate::threads).value, 1024) << "the most of all launches";
}

TEST(SearchGates, NoThreadsLeaveNoRegistersAndOneBlockAtMost255)
{
    const SmLimits sm = findArch("sm_90")->limits;
    EXPECT_EQ(computeRegistersLeft(sm, 1, 0), 0);
    EXPECT_EQ(computeRegistersLeft(sm, 1, 32), 255);
    EXPECT_EQ(computeRegistersLeft(sm, 1, 1024), 64);
    EXPECT_EQ(computeRegistersLeft(sm, 2, 1000), 32) << "whole warps";
    EXPECT_EQ(computeRegistersLeft(sm, 3, 256), 80) << "in steps of eight";
}

TEST(SearchGates, AVariantThatLaunchesNothingHasNoOccupancyToJudge)
{
    const auto verdicts = judgePoint({}, on("sm_90"));
    for (const SpaceGate gate : {SpaceGate::sharedMemory, SpaceGate::occupancy})
        EXPECT_FALSE(of(verdicts, gate).judged) << toWord(gate);
    EXPECT_TRUE(of(verdicts, SpaceGate::threads).pass);
}

TEST(WarpMemory, AnAddressTakenTwiceCountsOnce)
{
    EXPECT_EQ(sectorUse({8, 32, 0, 4}).sectors, 5) << "each lane's second half is the next lane's first";
    EXPECT_DOUBLE_EQ(sectorUse({8, 32, 0, 4}).efficiency, 100.0 * 132 / 160);
    EXPECT_FALSE(sectorUse({8, 32, 0, 4}).aligned);
    EXPECT_EQ(sectorUse({32, 1, 32, 0}).sectors, 32);
    EXPECT_EQ(sectorUse({1, 1, 32, 0}).sectors, 32) << "a byte of each";
    EXPECT_EQ(sectorUse({1, 1, 32, 0}).efficiency, 3.125);
    EXPECT_EQ(sectorUse({64, 1, 64, 0}).sectors, 64);
    EXPECT_EQ(phaseConflictWays({2048, 63}), phaseConflictWays({2048, 7}));
    EXPECT_FALSE(phaseConflictWays({128, -1}));
}

TEST(Arch, ATargetHasTheFeaturesThatItsCapabilityHas)
{
    EXPECT_EQ(targetLike("sm_100f", 10, 3), "sm_103f");
    EXPECT_EQ(targetLike("sm_100f", 12, 0), "sm_120f");
    EXPECT_EQ(targetLike("sm_100a", 9, 0), "sm_90a");
    EXPECT_EQ(targetLike("", 9, 0), "sm_90");
    EXPECT_EQ(archName(8, 9), "sm_89");
    EXPECT_TRUE(runsOn(*findArch("sm_86"), 8, 6));
    EXPECT_FALSE(runsOn(*findArch("sm_90"), 8, 9));
    EXPECT_FALSE(runsOn(*findArch("sm_103f"), 10, 0)) << "code runs from its minor capability on";
    EXPECT_EQ(findArch("sm90")->target, "sm_90");
    EXPECT_EQ(findArch("h100")->limits.ccMajor, 9);
    EXPECT_EQ(findArch("voodoo").error().where, "voodoo");
    for (const char* number : {"40", "50", "509"})
        EXPECT_FALSE(findArch(number)) << number << " is not a name";
}

TEST(SearchGates, RegistersAreThoseThatTheFirstLaunchLeaves)
{
    PlannedPoint planned = point();
    planned.launches.push_back({"combine", 1024, 0});
    planned.minBlocks = 2;
    const GateVerdict verdict = of(judgePoint(planned, on("sm_90")), SpaceGate::registers);
    EXPECT_TRUE(verdict.pass) << verdict.reason;
    EXPECT_EQ(verdict.limit, computeRegistersLeft(findArch("sm_90")->limits, 2, 128));
    planned.launches.back().threads.reset();
    EXPECT_TRUE(of(judgePoint(planned, on("sm_90")), SpaceGate::registers).limit > 200);
}

TEST(WarpMemory, OneLaneThatIsMisalignedIsEnough)
{
    EXPECT_FALSE(sectorUse({16, 31, 512, 8}).aligned) << "the first and the last are aligned";
    EXPECT_TRUE(sectorUse({8, 31, 512, 8}).aligned);
    EXPECT_EQ(sectorUse({8, 31, 512, 8}).sectors, 9);
    EXPECT_DOUBLE_EQ(sectorUse({8, 31, 512, 8}).efficiency, 100.0 * 256 / 288);
}

TEST(WarpMemory, OneRowOrOneChunkThatConflictsIsEnough)
{
    EXPECT_EQ(phaseConflictWays({16, 0}), 1) << "a row of one chunk follows the other";
    EXPECT_EQ(phaseConflictWays({32, 0}), 2);
    EXPECT_EQ(phaseConflictWays({256, 15}), 1);
    EXPECT_EQ(phaseConflictWays({256, 8}), 8) << "a mask of rows that one phase does not have";
    EXPECT_EQ(phaseConflictWays({128, 1}), 4);
    EXPECT_FALSE(phaseConflictWays({8, 0})) << "less than a chunk";
    EXPECT_FALSE(phaseConflictWays({144, 7})) << "nine chunks: the ninth has no partner";
}

TEST(WarpMemory, AnAccessAcrossTheEndOfASectorTakesTwo)
{
    EXPECT_EQ(sectorUse({4, 32, 0, 4}).sectors, 4);
    EXPECT_EQ(sectorUse({16, 1, 48, 0}).sectors, 32);
    const SectorUse across = sectorUse({16, 1, 40, 0}); // every fourth reaches over an end
    EXPECT_EQ(across.sectors, 40);
    EXPECT_DOUBLE_EQ(across.efficiency, 100.0 * 32 * 16 / (40 * 32));
    EXPECT_FALSE(across.aligned);
}

} // namespace
} // namespace kl
