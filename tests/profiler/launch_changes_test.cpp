// SPDX-License-Identifier: MIT
#include "core/device/device_table.h"
#include "core/device/occupancy.h"
#include "profiler/live/host/launch_changes.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

DeviceInfo h200()
{
    return describeDevice(*findGpu("NVIDIA H200"));
}

/// 256 threads and 32 registers: eight blocks per SM.
LaunchFacts facts(std::int64_t blocks)
{
    LaunchFacts one;
    one.gridBlocks = blocks;
    one.blockThreads = 256;
    one.registers = 32;
    one.blocksPerSm = 8;
    return one;
}

LaunchSpec launch(std::vector<std::int64_t> grid)
{
    LaunchSpec spec;
    spec.grid = std::move(grid);
    spec.block = {256};
    return spec;
}

const LaunchChange& find(const std::vector<LaunchChange>& all, const std::string& id)
{
    for (const LaunchChange& one : all)
        if (one.experiment.id == id)
            return one;
    ADD_FAILURE() << "no experiment " << id;
    return all.front();
}

TEST(LaunchChanges, HalfOccupancyIsExactlyHalfAndComparesEqualL1s)
{
    const auto all = launchChanges(launch({4096}), facts(4096), h200());
    const LaunchChange& half = find(all, "half-occupancy");
    EXPECT_EQ(half.experiment.unavailable, "");
    EXPECT_TRUE(half.unchanged.mostShared && half.changed.mostShared);
    EXPECT_EQ(half.unchanged.dynamicSmem, 0);
    const auto limits = smLimits(h200());
    EXPECT_EQ(computeOccupancy(*limits, {256, 32, half.unchanged.dynamicSmem}).blocksPerSm, 8);
    EXPECT_EQ(computeOccupancy(*limits, {256, 32, half.changed.dynamicSmem}).blocksPerSm, 4);
    EXPECT_EQ(half.changed.grid, half.unchanged.grid);
}

TEST(LaunchChanges, AGridThatDoesNotFillTheSmsIsHalvedFromWhatTheyReallyHold)
{
    const auto limits = smLimits(h200());
    const auto all = launchChanges(launch({4 * 132}), facts(4 * 132), h200()); // four blocks per SM of the eight that fit
    EXPECT_EQ(computeOccupancy(*limits, {256, 32, find(all, "half-occupancy").changed.dynamicSmem}).blocksPerSm, 2);
    const auto few = launchChanges(launch({100}), facts(100), h200());
    EXPECT_FALSE(find(few, "half-occupancy").experiment.unavailable.empty());
    EXPECT_EQ(find(few, "half-occupancy").changed.dynamicSmem, 0);
}

TEST(LaunchChanges, ABlockWithMuchSharedMemoryThatFitsTwiceCannotBeMadeToFitOnceBeyondTheLimit)
{
    LaunchFacts big = facts(4096);
    big.staticSmem = 0;
    big.dynamicSmem = 100 * 1024;
    big.blocksPerSm = 2;
    LaunchSpec spec = launch({4096});
    spec.dynamicSmem = big.dynamicSmem;
    const LaunchChange half = find(launchChanges(spec, big, h200()), "half-occupancy");
    EXPECT_EQ(half.experiment.unavailable, "");
    EXPECT_GT(half.changed.dynamicSmem, big.dynamicSmem);
    EXPECT_LE(half.changed.dynamicSmem, h200().smemPerBlockOptin);
    EXPECT_EQ(computeOccupancy(*smLimits(h200()), {256, 32, half.changed.dynamicSmem}).blocksPerSm, 1);
}

TEST(LaunchChanges, HalfTheGridCutsTheLongestSide)
{
    const LaunchChange half = find(launchChanges(launch({8, 100, 2}), facts(1600), h200()), "half-grid");
    EXPECT_EQ(half.changed.grid, (std::vector<std::int64_t>{8, 50, 2}));
    EXPECT_EQ(half.unchanged.grid, (std::vector<std::int64_t>{8, 100, 2}));
    EXPECT_FALSE(find(launchChanges(launch({1}), facts(1), h200()), "half-grid").experiment.unavailable.empty());
}

TEST(LaunchChanges, BlocksThatWaitForEachOtherKeepGridAndOccupancy)
{
    LaunchSpec spec = launch({264});
    spec.cooperative = true;
    const auto all = launchChanges(spec, facts(264), h200());
    EXPECT_FALSE(find(all, "half-occupancy").experiment.unavailable.empty());
    EXPECT_FALSE(find(all, "half-grid").experiment.unavailable.empty());
    const LaunchChange& cache = find(all, "small-l1");
    EXPECT_TRUE(cache.experiment.unavailable.empty());
    EXPECT_TRUE(cache.changed.mostShared);
    EXPECT_FALSE(cache.unchanged.mostShared);
}

TEST(LaunchChanges, OfTwoBlocksPerSmOneIsLeftAndOfOneNone)
{
    LaunchFacts two = facts(2 * 132);
    const LaunchChange half = find(launchChanges(launch({2 * 132}), two, h200()), "half-occupancy");
    EXPECT_TRUE(half.experiment.unavailable.empty());
    EXPECT_EQ(computeOccupancy(*smLimits(h200()), {256, 32, half.changed.dynamicSmem}).blocksPerSm, 1);
    EXPECT_FALSE(find(launchChanges(launch({132}), facts(132), h200()), "half-occupancy").experiment.unavailable.empty());
    LaunchFacts odd = facts(133); // one SM has two
    EXPECT_TRUE(find(launchChanges(launch({133}), odd, h200()), "half-occupancy").experiment.unavailable.empty());
}

TEST(LaunchChanges, HalfOccupancyNeedsASizeThatABlockMayHave)
{
    LaunchFacts facts = kl::facts(4096);
    facts.staticSmem = 60 * 1024;
    facts.blocksPerSm = 2;
    const LaunchChange half = find(launchChanges(launch({4096}), facts, h200()), "half-occupancy");
    EXPECT_TRUE(half.experiment.unavailable.empty());
    EXPECT_LE(facts.staticSmem + half.changed.dynamicSmem, h200().smemPerBlockOptin);
    DeviceInfo narrow = h200();
    narrow.smemPerBlockOptin = 100 * 1024;
    EXPECT_FALSE(find(launchChanges(launch({4096}), facts, narrow), "half-occupancy").experiment.unavailable.empty());
}

TEST(LaunchChanges, AnOddGridIsHalvedDownward)
{
    const LaunchChange half = find(launchChanges(launch({8, 101, 2}), facts(1616), h200()), "half-grid");
    EXPECT_EQ(half.changed.grid, (std::vector<std::int64_t>{8, 50, 2}));
    EXPECT_NE(half.experiment.change.find(" 800 "), std::string::npos) << half.experiment.change;
    EXPECT_EQ(find(launchChanges(launch({2}), facts(2), h200()), "half-grid").changed.grid, (std::vector<std::int64_t>{1}));
}

TEST(LaunchChanges, BlocksThatMayWaitForEachOtherAreNotRunInPart)
{
    LaunchFacts waiting = facts(4096);
    waiting.opcodes = {{"fence", 1}, {"atom", 2}};
    EXPECT_FALSE(find(launchChanges(launch({4096}), waiting, h200()), "half-grid").experiment.unavailable.empty());
    waiting.opcodes.erase("atom");
    EXPECT_TRUE(find(launchChanges(launch({4096}), waiting, h200()), "half-grid").experiment.unavailable.empty()) << "fences alone";
    waiting.opcodes = {{"atom", 2}};
    EXPECT_TRUE(find(launchChanges(launch({4096}), waiting, h200()), "half-grid").experiment.unavailable.empty());
}

TEST(LaunchChanges, TextsSnapshot)
{
    LaunchSpec together = launch({4096});
    together.cooperative = true;
    LaunchFacts waiting = facts(4096);
    waiting.opcodes = {{"fence", 1}, {"atom", 2}};
    LaunchFacts big = facts(4096);
    big.staticSmem = 60 * 1024;
    big.blocksPerSm = 2;
    DeviceInfo narrow = h200();
    narrow.smemPerBlockOptin = 100 * 1024;
    std::string text;
    for (const auto& [name, all] : {std::pair("all", launchChanges(launch({4096}), facts(4096), h200())),
                                    {"one block", launchChanges(launch({1}), facts(1), h200())},
                                    {"cooperative", launchChanges(together, facts(4096), h200())},
                                    {"waiting", launchChanges(launch({4096}), waiting, h200())},
                                    {"narrow", launchChanges(launch({4096}), big, narrow)},
                                    {"unknown", launchChanges(launch({4096}), facts(4096), DeviceInfo{})}})
        for (const LaunchChange& one : all) {
            const std::string& unavailable = one.experiment.unavailable;
            text += std::string(name) + ", " + one.experiment.id + ": ";
            text += (unavailable.empty() ? one.experiment.change : "unavailable, " + unavailable) + '\n';
        }
    test::expectSnapshot("texts/launch-changes.txt", text);
}

} // namespace
} // namespace kl
