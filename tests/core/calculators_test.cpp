// SPDX-License-Identifier: MIT
// The calculators against the figures of the domain's facts: shared memory, occupancy, memory tiers, launches.

#include "core/base/format.h"
#include "core/device/launch_gain.h"
#include "core/device/memory_advice.h"
#include "core/device/occupancy_sweep.h"
#include "core/device/shared_memory.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

std::vector<GpuSmemRow> listGpuRows(const TilePlan& plan)
{
    Result<std::vector<GpuSmemRow>> rows = smemOnEveryGpu(plan);
    EXPECT_TRUE(rows);
    return rows ? std::move(*rows) : std::vector<GpuSmemRow>{};
}

GpuSmemRow findGpuRow(const TilePlan& plan, const std::string& gpu)
{
    const std::vector<GpuSmemRow> rows = listGpuRows(plan);
    for (const GpuSmemRow& row : rows)
        if (row.gpu == gpu)
            return row;
    for (const GpuSmemRow& row : rows)
        if (row.gpu.find(gpu) != std::string::npos)
            return row;
    ADD_FAILURE() << gpu;
    return {};
}

SmLimits findLimits(int major, int minor)
{
    return *smLimits(major, minor);
}

TEST(SharedMemory, IsTilesAndScores)
{
    // 3 × 64 × 64 × 2 + 64 × 64 × 4
    const SmemNeed need = *smemNeed({3, 64, 64, 64, 2, 0, 0});
    EXPECT_EQ(need.tiles, 24576);
    EXPECT_EQ(need.scores, 16384);
    EXPECT_EQ(need.total, 40960);
}

TEST(SharedMemory, PaddingCountsOnceARow)
{
    const SmemNeed need = *smemNeed({3, 64, 64, 64, 2, 16, 4});
    EXPECT_EQ(need.tiles, 3 * 64 * (128 + 16));
    EXPECT_EQ(need.scores, 64 * (256 + 4));
}

TEST(SharedMemory, EveryGpuHasItsOwnLimit)
{
    const TilePlan plan{3, 64, 64, 64, 2, 0, 0};
    EXPECT_EQ(findGpuRow(plan, "L4").fit.limit, 99 * 1024);
    EXPECT_EQ(findGpuRow(plan, "A100").fit.limit, 163 * 1024);
    EXPECT_EQ(findGpuRow(plan, "H100").fit.limit, 227 * 1024);
    EXPECT_EQ(findGpuRow(plan, "T4").fit.limit, 64 * 1024);
    EXPECT_EQ(listGpuRows(plan).size(), deviceTable().gpus.size());
}

TEST(SharedMemory, TheEdgeFitsAndOneByteMoreDoesNot)
{
    EXPECT_TRUE(smemFit(99 * 1024, 99 * 1024).fits);
    EXPECT_FALSE(smemFit(99 * 1024 + 1, 99 * 1024).fits);
    EXPECT_EQ(smemFit(99 * 1024 + 1, 99 * 1024).spare, -1);
    EXPECT_FALSE(smemFit(48 * 1024, 99 * 1024).needsOptIn);
    EXPECT_TRUE(smemFit(48 * 1024 + 1, 99 * 1024).needsOptIn);
}

TEST(SharedMemory, WhereTheNotesLimitWouldDecideOtherwiseItIsCorrected)
{
    const TilePlan between{3, 128, 64, 64, 2, 0, 0}; // 80 KiB: above the 48 KiB that the October 2025 documents give for an L4
    EXPECT_TRUE(findGpuRow(between, "L4").fit.fits);
    const std::string opted = findGpuRow(between, "NVIDIA L4").correction;
    EXPECT_EQ(test::valueText(opted), "\"48 99\"");
    EXPECT_NE(opted.find("opt-in"), std::string::npos) << opted;
    TilePlan edge{1, 1, 228 * 512, 0, 2, 0, 0}; // 228 KiB: what an SM of an H100 has in all
    EXPECT_FALSE(findGpuRow(edge, "H100").fit.fits);
    const std::string total = findGpuRow(edge, "H100").correction;
    EXPECT_EQ(test::valueText(total), "\"228 227\"");
    EXPECT_EQ(total.find("opt-in"), std::string::npos) << total;
    EXPECT_TRUE(findGpuRow({3, 64, 64, 64, 2, 0, 0}, "L4").correction.empty());
}

TEST(SharedMemory, TheLargestTileFitsAndTheNextDoesNot)
{
    for (TilePlan plan : {TilePlan{3, 64, 128, 64, 2, 0, 0}, {1, 64, 32, 0, 2, 0, 0}}) // of the second 16 rows take 1 KiB
        for (const GpuSmemRow& row : listGpuRows(plan)) {
            ASSERT_TRUE(row.rows) << row.gpu;
            plan.m = *row.rows;
            EXPECT_TRUE(findGpuRow(plan, row.gpu).fit.fits) << row.gpu;
            plan.m += 16;
            EXPECT_FALSE(findGpuRow(plan, row.gpu).fit.fits) << row.gpu;
        }
}

TEST(SharedMemory, RowsOf128BytesConflictEightWaysAndPaddingFreesThem)
{
    EXPECT_EQ(smemNeed({3, 64, 64, 0, 2, 0, 0})->ldmatrixWays, 8);
    EXPECT_EQ(smemNeed({3, 64, 128, 0, 2, 0, 0})->ldmatrixWays, 8);
    EXPECT_EQ(smemNeed({3, 64, 64, 0, 2, 16, 0})->ldmatrixWays, 1);
    EXPECT_EQ(smemNeed({3, 64, 32, 0, 2, 0, 0})->ldmatrixWays, 4);
    EXPECT_FALSE(smemNeed({3, 64, 33, 0, 2, 0, 0})->ldmatrixWays);
}

TEST(SharedMemory, BadSizesAreNamed)
{
    EXPECT_EQ(smemNeed({3, 0, 64, 0, 2, 0, 0}).error().where, "M");
    EXPECT_EQ(smemNeed({3, 64, 64, -1, 2, 0, 0}).error().where, "N");
    EXPECT_EQ(smemNeed({3, 64, 64, 0, 2, -16, 0}).error().where, "tile padding");
    EXPECT_EQ(smemNeed({3, std::int64_t{1} << 62, 64, 0, 2, 0, 0}).error().code, ErrorCode::badInput);
}

TEST(OccupancyTermsOf, TheirLeastIsTheOccupancy)
{
    for (const CapabilityRow& row : deviceTable().capabilities)
        for (const BlockNeeds& needs : {BlockNeeds{256, 64, 0}, {128, 200, 20000}, {32, 24, 1000}, {1024, 40, 60000}, {96, 0, 0}}) {
            const OccupancyTerms terms = occupancyTerms(row.limits, needs);
            EXPECT_EQ(computeOccupancy(row.limits, needs).blocksPerSm,
                      std::min({terms.byRegisters, terms.bySharedMemory, terms.byWarps, terms.byBlocks}));
        }
}

TEST(OccupancySweep, FallsWithRegistersAndSharedMemory)
{
    const SmLimits hopper = findLimits(9, 0);
    for (const OccupancyInput input : {OccupancyInput::registers, OccupancyInput::sharedMemory}) {
        const std::vector<OccupancyPoint> points = occupancySweep(hopper, {256, 32, 0}, input);
        for (std::size_t i = 1; i < points.size(); ++i)
            EXPECT_LE(points[i].occupancy.percent, points[i - 1].occupancy.percent);
        EXPECT_EQ(points.front().occupancy.percent, 100);
    }
    const auto registers = occupancySweep(hopper, {256, 32, 0}, OccupancyInput::registers);
    EXPECT_EQ(registers.size(), 255U);
    EXPECT_EQ(registers[31].occupancy.percent, 100); // 32 registers: 2048 threads × 32 = all 65,536
    EXPECT_LT(registers[32].occupancy.percent, 100);
    EXPECT_EQ(occupancySweep(hopper, {256, 32, 0}, OccupancyInput::sharedMemory).back().at, 227 * 1024);
    EXPECT_EQ(occupancySweep(hopper, {256, 32, 0}, OccupancyInput::threads).size(), 32U);
}

TEST(OccupancyLevers, TheNearestChangeThatHelps)
{
    const SmLimits hopper = findLimits(9, 0);
    const std::vector<OccupancyLever> levers = occupancyLevers(hopper, {256, 72, 0}); // 7 × 8 warps → needs ≤ … for the next
    ASSERT_FALSE(levers.empty());
    EXPECT_EQ(levers.front().input, OccupancyInput::registers);
    EXPECT_EQ(levers.front().to, 64);
    EXPECT_EQ(levers.front().gives.percent, 50);
    for (const OccupancyLever& lever : levers)
        EXPECT_GT(lever.gives.percent, computeOccupancy(hopper, {256, 72, 0}).percent);
    EXPECT_TRUE(occupancyLevers(hopper, {256, 32, 0}).empty());
}

TEST(BlockNeedsOf, AreChecked)
{
    EXPECT_EQ(checkNeeds({0, 32, 0}).error().where, "threads");
    EXPECT_EQ(checkNeeds({1025, 32, 0}).error().where, "threads");
    EXPECT_EQ(checkNeeds({32, 256, 0}).error().where, "registers");
    EXPECT_EQ(checkNeeds({32, 255, -1}).error().where, "smem");
    EXPECT_TRUE(checkNeeds({1024, 255, 0}));
}

TEST(LaunchGain, TheNotesExample)
{
    const LaunchGain gain = *launchGain({5, 10, 2});
    EXPECT_NEAR(gain.kernelWorkMost, 1.0 / 3, 1e-12);
    EXPECT_DOUBLE_EQ(gain.fusionMost, 2);
    EXPECT_DOUBLE_EQ(gain.fusionLeast, 1.5);
    EXPECT_DOUBLE_EQ(gain.launchRemoved, 3);
    EXPECT_DOUBLE_EQ(gain.queuedUs, 10);
    EXPECT_DOUBLE_EQ(gain.kernelWorkQueued, 0);
}

TEST(LaunchGain, ALongKernelHidesItsLaunch)
{
    const LaunchGain gain = *launchGain({100, 10, 2});
    EXPECT_DOUBLE_EQ(gain.queuedUs, 100);
    EXPECT_DOUBLE_EQ(gain.kernelWorkQueued, 0.9);
}

TEST(LaunchGain, BadFiguresAreNamed)
{
    EXPECT_EQ(launchGain({0, 10, 2}).error().where, "kernel time");
    EXPECT_EQ(launchGain({5, -1, 2}).error().where, "launch time");
    EXPECT_EQ(launchGain({5, 10, 1}).error().where, "kernels");
}

TEST(MemoryAdvice, TheTiersHaveTheGpusOwnFigures)
{
    const std::vector<TierAdvice> tiers = memoryHierarchy(**findGpuByName("L4"));
    ASSERT_EQ(tiers.size(), 4U);
    EXPECT_NE(tiers[0].size.find(formatBandwidth(300e9)), std::string::npos) << tiers[0].size;
    EXPECT_TRUE(tiers[1].size.starts_with("99 KiB ")) << "of a block: " << tiers[1].size;
    EXPECT_NE(tiers[2].size.find("65536"), std::string::npos);
    const std::string dram = memoryHierarchy(**findGpuByName("h200"))[0].size;
    EXPECT_TRUE(dram.starts_with("141\u202fGB, " + formatBandwidth(4.8e12))) << "as the data sheet has it: " << dram;
}

TEST(MemoryAdvice, DataGoesWhereItIsReadAgain)
{
    const GpuRow& gpu = **findGpuByName("A100-SXM4-80GB");
    EXPECT_EQ(placeData({1 << 30, SharedBy::grid, 1, false, false}, gpu)->tier, MemoryTier::global);
    EXPECT_EQ(placeData({32 * 1024, SharedBy::block, 8, false, false}, gpu)->tier, MemoryTier::shared);
    EXPECT_EQ(placeData({32 * 1024, SharedBy::block, 2, false, false}, gpu)->tier, MemoryTier::shared);
    EXPECT_EQ(placeData({32 * 1024, SharedBy::block, 1, false, false}, gpu)->tier, MemoryTier::global) << "nothing is read again";
    EXPECT_EQ(placeData({200 * 1024, SharedBy::block, 8, false, false}, gpu)->tier, MemoryTier::global);
    EXPECT_EQ(placeData({128, SharedBy::thread, 8, false, false}, gpu)->tier, MemoryTier::registers);
    EXPECT_EQ(placeData({2048, SharedBy::thread, 8, false, false}, gpu)->tier, MemoryTier::global);
    EXPECT_EQ(placeData({4096, SharedBy::grid, 8, true, true}, gpu)->tier, MemoryTier::constant);
    EXPECT_EQ(placeData({128 * 1024, SharedBy::grid, 8, true, true}, gpu)->tier, MemoryTier::global);
    EXPECT_EQ(placeData({0, SharedBy::grid, 1, false, false}, gpu).error().where, "bytes");
}

TEST(GpuNamed, TakesPartOfAName)
{
    EXPECT_EQ((*findGpuByName("l40s"))->name, "NVIDIA L40S");
    EXPECT_EQ((*findGpuByName("l4"))->name, "NVIDIA L4");
    EXPECT_EQ((*findGpuByName("4090"))->name, "NVIDIA GeForce RTX 4090");
    EXPECT_NE(findGpuByName("voodoo").error().hint.find("H100"), std::string::npos);
}

TEST(SharedMemory, EveryLimitThatTheNotesHaveWrongIsCorrected)
{
    const std::vector<CorrectedLimit> limits = listCorrectedLimits();
    ASSERT_GE(limits.size(), 3U);
    for (const CorrectedLimit& one : limits) {
        EXPECT_NE(one.quoted, one.limit) << one.gpu;
        EXPECT_FALSE(one.why.empty()) << one.gpu;
    }
    const auto h100 = std::ranges::find_if(limits, [](const CorrectedLimit& one) { return one.gpu.find("H100") != std::string::npos; });
    ASSERT_NE(h100, limits.end());
    EXPECT_EQ(h100->quoted, 228 * 1024);
    EXPECT_EQ(h100->limit, 227 * 1024);
}

TEST(SharedMemory, ASentenceHasTheBytesTheLimitAndWhatIsTooMuch)
{
    EXPECT_EQ(test::valueText(smemSentence(100 * 1024, smemFit(100 * 1024, 99 * 1024))), "\"100 99 1\"");
    EXPECT_NE(smemSentence(64 * 1024, smemFit(64 * 1024, 99 * 1024)).find("opt-in"), std::string::npos);
    EXPECT_EQ(smemSentence(48 * 1024, smemFit(48 * 1024, 99 * 1024)).find("opt-in"), std::string::npos);
    EXPECT_NE(smemSentence(1536, smemFit(1536, 99 * 1024)).find("1.5 KiB"), std::string::npos);
}

TEST(SharedMemory, WithoutScoresTheirPaddingTakesNothingAndRowsMustBeOf16Bytes)
{
    EXPECT_EQ(smemNeed({1, 64, 64, 0, 2, 0, 16})->scores, 0);
    EXPECT_TRUE(smemNeed({1, 64, 64, 0, 2, 16, 0})->ldmatrixWays);
    EXPECT_FALSE(smemNeed({1, 64, 64, 0, 2, 8, 0})->ldmatrixWays);
}

TEST(OccupancyOf, ADevicesOwnFiguresGoBeforeTheTables)
{
    DeviceInfo device;
    device.ccMajor = 9;
    const SmLimits table = *smLimits(device);
    device.smemPerSm = 1000;
    device.smemPerBlockOptin = 900;
    device.maxBlocksPerSm = 7;
    device.maxThreadsPerSm = 320;
    device.regsPerSm = 1234;
    const SmLimits own = *smLimits(device);
    EXPECT_EQ(own.smemPerSm, 1000);
    EXPECT_EQ(own.smemOptin, 900);
    EXPECT_EQ(own.maxBlocks, 7);
    EXPECT_EQ(own.maxWarps, 10);
    EXPECT_EQ(own.registers, 1234);
    EXPECT_EQ(own.smemReserved, table.smemReserved);
    device.ccMajor = 99;
    EXPECT_FALSE(smLimits(device));
}

TEST(OccupancyOf, ADeviceOfTheTableHasItsLimits)
{
    const DeviceInfo device = describeDevice(**findGpuByName("H200"));
    const SmLimits limits = *smLimits(9, 0);
    EXPECT_EQ(device.smemPerBlockOptin, limits.smemOptin);
    EXPECT_EQ(device.smemPerSm, limits.smemPerSm);
    EXPECT_EQ(device.smemReservedPerBlock, limits.smemReserved);
    EXPECT_EQ(device.maxThreadsPerSm, 2048);
    EXPECT_EQ(device.maxBlocksPerSm, limits.maxBlocks);
    EXPECT_EQ(device.regsPerSm, limits.registers);
    EXPECT_EQ(device.smCount, 132);
}

TEST(OccupancyOf, WhatLimitsIsNamed)
{
    const SmLimits limits = findLimits(9, 0); // 64 warps, 32 blocks, 65,536 registers
    EXPECT_EQ(computeOccupancy(limits, {256, 32, 0}).limiter, "warps");
    EXPECT_EQ(computeOccupancy(limits, {256, 128, 0}).limiter, "registers");
    EXPECT_EQ(computeOccupancy(limits, {256, 32, 100 * 1024}).limiter, "shared memory");
    EXPECT_EQ(computeOccupancy(limits, {32, 32, 0}).limiter, "blocks");
    EXPECT_EQ(computeOccupancy(limits, {768, 32, 0}).limiter, "block size") << "two of 24 warps leave 16";
    EXPECT_EQ(computeOccupancy(limits, {1025, 32, 0}).limiter, "block size");
    EXPECT_EQ(computeOccupancy(limits, {768, 40, 0}).limiter, "block size") << "registers leave two, too";
}

TEST(LaunchGain, HasBothEndsOfFusing)
{
    const LaunchGain gain = *launchGain({6, 2, 3});
    EXPECT_EQ(gain.serialUs, 8);
    EXPECT_EQ(gain.queuedUs, 6);
    EXPECT_EQ(gain.kernelWorkMost, 0.75);
    EXPECT_NEAR(gain.kernelWorkQueued, 4.0 / 6, 1e-12);
    EXPECT_EQ(gain.fusionMost, 3);
    EXPECT_EQ(gain.fusionLeast, 24.0 / 20);
    EXPECT_NEAR(gain.launchRemoved, 8.0 / 6, 1e-12);
    EXPECT_EQ(launchGain({6, 2, 1}).error().where, "kernels");
}

TEST(OccupancyLevers, AreTheSmallestChangesOfEachInput)
{
    const SmLimits hopper = findLimits(9, 0);
    const std::vector<OccupancyLever> levers = occupancyLevers(hopper, {256, 40, 100 * 1024});
    ASSERT_EQ(levers.size(), 2U);
    EXPECT_EQ(levers[0].input, OccupancyInput::sharedMemory) << "fewer registers alone do not help";
    EXPECT_EQ(levers[0].from, 100 * 1024);
    EXPECT_EQ(levers[0].to, 75 * 1024) << "and what the system takes: a third of 228 KiB";
    EXPECT_EQ(levers[0].gives.blocksPerSm, 3);
    EXPECT_EQ(levers[1].input, OccupancyInput::threads);
    EXPECT_EQ(levers[1].to, 288);
    const std::vector<OccupancyLever> block = occupancyLevers(hopper, {768, 32, 0});
    ASSERT_EQ(block.size(), 1U);
    EXPECT_EQ(block[0].input, OccupancyInput::threads);
    EXPECT_EQ(block[0].from, 768);
    EXPECT_EQ(block[0].to, 800) << "50 of 64 warps; 672 threads would fill 63, but are farther";
    EXPECT_STREQ(toWord(OccupancyInput::threads), "block size");
    EXPECT_STREQ(toWord(OccupancyInput::registers), "registers");
    EXPECT_STREQ(toWord(OccupancyInput::sharedMemory), "shared memory");
}

TEST(MemoryAdvice, SnapshotOfTheNextStepOfRegisters)
{
    const GpuRow& gpu = **findGpuByName("H200");
    std::string text;
    for (const std::int64_t bytes : {64 * 4, 64 * 4 + 1})
        text += std::to_string(bytes) + " B | " + placeData({bytes, SharedBy::thread, 1}, gpu)->next + '\n';
    test::expectSnapshot("texts/register-advice.txt", text);
}

TEST(MemoryAdvice, TheNextStepOfRegistersDependsOnTheirNumber)
{
    const GpuRow& gpu = **findGpuByName("H200");
    const auto adviseNext = [&](std::int64_t bytes) { return placeData({bytes, SharedBy::thread, 1}, gpu)->next; };
    EXPECT_EQ(adviseNext(1), adviseNext(64 * 4));
    EXPECT_EQ(adviseNext(64 * 4 + 1), adviseNext(255 * 4));
    EXPECT_NE(adviseNext(1), adviseNext(255 * 4));
    EXPECT_EQ(placeData({1, SharedBy::thread, 0}, gpu).error().where, "reads");
    EXPECT_NE(placeData({7, SharedBy::thread, 1}, gpu)->why.find(" 2 "), std::string::npos) << "two of four bytes hold seven";
    const Placement shared = *placeData({4096, SharedBy::block, 2}, gpu);
    ASSERT_EQ(shared.nextSteps.size(), 1U);
    EXPECT_EQ(shared.nextSteps[0].id, StepId::sharedMemory);
}

TEST(MemoryAdvice, WhatTheL2KeepsIsAllOrAPart)
{
    const GpuRow& gpu = **findGpuByName("H200");
    const auto explainPlacement = [&](std::int64_t bytes) { return placeData({bytes, SharedBy::grid, 2}, gpu)->why; };
    EXPECT_EQ(explainPlacement(gpu.l2Bytes), explainPlacement(1));
    EXPECT_NE(explainPlacement(gpu.l2Bytes), explainPlacement(gpu.l2Bytes + 1));
    EXPECT_EQ(explainPlacement(gpu.l2Bytes + 1), explainPlacement(2 * gpu.l2Bytes));
}

TEST(MemoryAdvice, SnapshotOfWhatGridsReadTwice)
{
    const GpuRow& gpu = **findGpuByName("H200");
    std::string text;
    for (const std::int64_t more : {0, 1})
        text += "L2 + " + std::to_string(more) + " B | " + placeData({gpu.l2Bytes + more, SharedBy::grid, 2}, gpu)->why + '\n';
    test::expectSnapshot("texts/l2-placement.txt", text);
}

TEST(MemoryAdvice, TiersHaveWordsAndMeasuredRatesStandBesideTheDataSheets)
{
    EXPECT_STREQ(toWord(MemoryTier::global), "global (DRAM)");
    EXPECT_STREQ(toWord(MemoryTier::shared), "shared");
    EXPECT_STREQ(toWord(MemoryTier::registers), "registers");
    EXPECT_STREQ(toWord(MemoryTier::constant), "constant");
    EXPECT_NE(memoryHierarchy(**findGpuByName("H200"))[0].size.find(formatBandwidth(4.46e12)), std::string::npos);
    EXPECT_EQ(memoryHierarchy(**findGpuByName("L4"))[0].size.find("measured"), std::string::npos);
}

TEST(GpuNamed, TheWholeMatchGoesBeforeAPartOfAName)
{
    EXPECT_EQ((*findGpuByName("a100"))->name, "NVIDIA A100 40GB");
    EXPECT_EQ((*findGpuByName("80GB"))->name, "NVIDIA A100-SXM4-80GB") << "the first whose name holds it";
    EXPECT_EQ((*findGpuByName("A10"))->name, "NVIDIA A10");
}

TEST(SharedMemory, EachRowHasItsGpuItsBlocksAndItsShare)
{
    const GpuSmemRow row = findGpuRow({3, 64, 64, 64, 2, 0, 0}, "NVIDIA H200"); // 40 KiB
    EXPECT_EQ(row.ccMajor, 9);
    EXPECT_EQ(row.ccMinor, 0);
    EXPECT_EQ(row.perSm, 228 * 1024);
    EXPECT_EQ(row.blocksPerSm, 5) << "41 KiB each with what the system takes";
    EXPECT_TRUE(row.fit.fits);
    EXPECT_EQ(row.fit.spare, 187 * 1024);
    EXPECT_NEAR(row.fit.percent, 100.0 * 40 / 227, 1e-12);
    EXPECT_EQ(smemFit(1, 0).percent, 0);
    EXPECT_FALSE(findGpuRow({1, 1, 228 * 512, 0, 2, 0, 0}, "H100").rows) << "not even 16 rows fit";
    EXPECT_EQ(smemNeed({0, 64, 64, 0, 2, 0, 0}).error().where, "tiles");
    EXPECT_EQ(smemNeed({3, 64, 0, 0, 2, 0, 0}).error().where, "K");
    EXPECT_EQ(smemNeed({3, 64, 64, 0, 0, 0, 0}).error().where, "element bytes");
    EXPECT_EQ(smemNeed({3, 64, 64, 0, 2, 0, -1}).error().where, "score padding");
    EXPECT_TRUE(smemNeed({1, 1, 1, 0, 1, 0, 0}));
    EXPECT_EQ(smemNeed({1, std::int64_t{1} << 40, 1, 0, 1, 0, 0})->total, std::int64_t{1} << 40) << "a terabyte is the most";
    EXPECT_EQ(smemNeed({1, (std::int64_t{1} << 40) + 1024, 1, 0, 1, 0, 0}).error().where, "M");
}

TEST(LaunchGain, WhatIsNoTimeIsNamed)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(launchGain({nan, 10, 2}).error().where, "kernel time");
    EXPECT_EQ(launchGain({5, std::numeric_limits<double>::infinity(), 2}).error().where, "launch time");
    EXPECT_EQ(launchGain({5, 0, 2}).error().where, "launch time");
    EXPECT_EQ(launchGain({5, 5, 2})->kernelWorkQueued, 0) << "the launch takes as long";
}

TEST(OccupancySweep, BeginsWithTheLeastAndLeavesTheOtherNeedsAlone)
{
    const SmLimits hopper = findLimits(9, 0);
    const auto ends = [&](OccupancyInput input) {
        const std::vector<OccupancyPoint> points = occupancySweep(hopper, {256, 128, 0}, input);
        return std::vector<std::int64_t>{points.at(0).at, points.at(1).at, points.back().at};
    };
    EXPECT_EQ(ends(OccupancyInput::threads), (std::vector<std::int64_t>{32, 64, 1024}));
    EXPECT_EQ(ends(OccupancyInput::registers), (std::vector<std::int64_t>{1, 2, 255}));
    EXPECT_EQ(ends(OccupancyInput::sharedMemory), (std::vector<std::int64_t>{0, 1024, 227 * 1024}));
    const OccupancyPoint first = occupancySweep(hopper, {256, 128, 100 * 1024}, OccupancyInput::sharedMemory).front();
    EXPECT_EQ(first.occupancy.limiter, "registers");
    EXPECT_EQ(first.occupancy.blocksPerSm, 2);
    EXPECT_EQ(occupancySweep(hopper, {256, 128, 100 * 1024}, OccupancyInput::threads).front().occupancy.limiter, "shared memory");
}

} // namespace
} // namespace kl
