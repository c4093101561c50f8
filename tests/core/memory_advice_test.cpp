// SPDX-License-Identifier: MIT
// Where data belongs, at the bounds of each tier.
#include "core/device/memory_advice.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

MemoryTier adviseTier(const DataUse& use, const char* gpu = "H200")
{
    const Result<const GpuRow*> row = findGpuByName(gpu);
    EXPECT_TRUE(row) << gpu;
    const Result<Placement> placement = placeData(use, **row);
    EXPECT_TRUE(placement) << placement.error().message;
    return placement ? placement->tier : MemoryTier::global;
}

TEST(MemoryAdvice, ConstantMemoryHolds64KiBOfBroadcasts)
{
    EXPECT_EQ(adviseTier({65536, SharedBy::grid, 10, true, true}), MemoryTier::constant);
    EXPECT_EQ(adviseTier({65537, SharedBy::grid, 10, true, true}), MemoryTier::global);
    EXPECT_EQ(adviseTier({1024, SharedBy::grid, 10, false, true}), MemoryTier::global) << "it is written";
    EXPECT_EQ(adviseTier({1024, SharedBy::grid, 10, true, false}), MemoryTier::global) << "lanes read different addresses";
}

TEST(MemoryAdvice, AThreadsOwnDataFitIn255Registers)
{
    EXPECT_EQ(adviseTier({255 * 4, SharedBy::thread, 1}), MemoryTier::registers);
    EXPECT_EQ(adviseTier({255 * 4 + 1, SharedBy::thread, 1}), MemoryTier::global);
}

TEST(MemoryAdvice, SharedMemoryPaysForDataThatABlockReadsTwice)
{
    EXPECT_EQ(adviseTier({4096, SharedBy::block, 2}), MemoryTier::shared);
    EXPECT_EQ(adviseTier({4096, SharedBy::block, 1}), MemoryTier::global);
    EXPECT_EQ(adviseTier({227 * 1024, SharedBy::block, 8}), MemoryTier::shared);
    EXPECT_EQ(adviseTier({227 * 1024 + 1, SharedBy::block, 8}), MemoryTier::global);
    EXPECT_EQ(adviseTier({163 * 1024 + 1, SharedBy::block, 8}, "A100"), MemoryTier::global);
    EXPECT_EQ(adviseTier({4096, SharedBy::grid, 8}), MemoryTier::global) << "shared memory belongs to one block";
}

TEST(MemoryAdvice, BadSizesNameTheirField)
{
    const GpuRow& gpu = **findGpuByName("H200");
    EXPECT_EQ(placeData({0, SharedBy::grid, 1}, gpu).error().where, "bytes");
    EXPECT_EQ(placeData({8, SharedBy::grid, 0}, gpu).error().where, "reads");
    EXPECT_EQ(placeData({8, SharedBy::grid, -1}, gpu).error().code, ErrorCode::badInput);
}

TEST(MemoryAdvice, AGpuIsNamedInAnyCase)
{
    EXPECT_EQ((*findGpuByName("h200"))->match, "H200");
    EXPECT_EQ((*findGpuByName("L4"))->match, "L4") << "the one of that name, not an L40S";
    EXPECT_EQ(findGpuByName("").error().code, ErrorCode::badInput);
    EXPECT_EQ(findGpuByName("Voodoo").error().where, "gpu");
}

TEST(MemoryAdvice, TheHierarchyHasItsTiersInOrder)
{
    const std::vector<TierAdvice> tiers = memoryHierarchy(**findGpuByName("H200"));
    ASSERT_EQ(tiers.size(), 4U);
    EXPECT_EQ(tiers[0].tier, MemoryTier::global);
    EXPECT_EQ(tiers[1].tier, MemoryTier::shared);
    EXPECT_NE(tiers[1].size.find("227"), std::string::npos) << tiers[1].size;
    EXPECT_NE(tiers[1].size.find("228"), std::string::npos) << tiers[1].size;
    EXPECT_NE(tiers[2].size.find("65536"), std::string::npos) << tiers[2].size;
    EXPECT_STREQ(toWord(tiers[3].tier), "constant");
}

} // namespace
} // namespace kl
