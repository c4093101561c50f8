// SPDX-License-Identifier: MIT
#include "core/base/nearest.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

using Names = std::vector<std::string>;

TEST(NearestNames, PutsTheFewestEditsFirst)
{
    EXPECT_EQ(nearestNames("ocupancy", Names{"Roofline", "Occupancy", "Atomics"}), Names{"Occupancy"});
    EXPECT_EQ(nearestNames("dram__byte_read", Names{"dram__bytes_write", "dram__bytes_read"}, 2),
              (Names{"dram__bytes_read", "dram__bytes_write"}));
}

TEST(NearestNames, FindsWhatHoldsTheWordOrIsHeldByIt)
{
    EXPECT_EQ(nearestNames("memory", Names{"SpeedOfLight", "MemoryWorkload"}), Names{"MemoryWorkload"});
    EXPECT_EQ(nearestNames("MemoryWorkloadAnalysisTables", Names{"MemoryWorkload", "Tensor"}), Names{"MemoryWorkload"});
}

TEST(NearestNames, IsSilentWhereNothingIsNear)
{
    EXPECT_TRUE(nearestNames("zzzzzz", Names{"Roofline", "Occupancy"}).empty());
    EXPECT_TRUE(nearestNames("", Names{"Roofline"}).empty());
    EXPECT_TRUE(nearestNames("Roofline", Names{}).empty());
}

TEST(NearestNames, GivesNoMoreThanRequested)
{
    EXPECT_EQ(nearestNames("aa", Names{"ab", "ac", "ad"}, 2), (Names{"ab", "ac"}));
}

TEST(NearestNames, OfAShortWordTwoEditsAreNear)
{
    EXPECT_EQ(nearestNames("abcd", Names{"axyd"}), Names{"axyd"});
    EXPECT_TRUE(nearestNames("abcd", Names{"wxyd"}).empty());
    EXPECT_EQ(nearestNames("abcdefghijkl", Names{"abcdefghwxyz"}), Names{"abcdefghwxyz"}) << "a third of a longer one";
}

TEST(NearestNames, OfThoseThatHoldTheWordTheOneOfNearestLengthIsFirst)
{
    EXPECT_EQ(nearestNames("mem", Names{"memory_and_much_more", "memories", "memory"}),
              (Names{"memory", "memories", "memory_and_much_more"}));
    EXPECT_EQ(nearestNames("memories", Names{"memory_and_memories_too", "memoirs"}), (Names{"memoirs", "memory_and_memories_too"}))
        << "a few edits go before a part";
}

TEST(NearestNames, CaseDoesNotMatterAndThreeAreGiven)
{
    EXPECT_EQ(nearestNames("ROOFLINE", Names{"Roofline"}), Names{"Roofline"});
    EXPECT_EQ(nearestNames("aa", Names{"", "ab", "ac", "ad", "ae"}).size(), 3U);
}

} // namespace
} // namespace kl
