// SPDX-License-Identifier: MIT
// Buffers of marks as a GPU leaves them: whole, overflowed, damaged, cut off.
#include "core/timeline/read_rings.h"

#include <cstring>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr std::uint64_t kBegin = 0x1'ffff'ff00; // the clock's low word is about to wrap

class Rings : public ::testing::Test {
protected:
    void SetUp() override { buffer.assign(layout.bytes(), std::byte{kUnwritten}); }

    void begin(int slot)
    {
        const std::uint64_t header[4] = {kBegin, 5'000'000, 7, static_cast<std::uint64_t>(slot / layout.blockWarps)};
        std::memcpy(&buffer[locateHeader(slot)], header, sizeof header);
    }

    void end(int slot, std::uint64_t cycles)
    {
        const std::uint64_t header[3] = {kBegin + cycles, 5'000'000 + cycles / 2, 0};
        std::memcpy(&buffer[locateHeader(slot) + 32], header, sizeof header);
    }

    void mark(int slot, std::uint32_t number, std::int64_t cycle, std::uint32_t site = 3)
    {
        const std::uint32_t record[4] = {static_cast<std::uint32_t>(kBegin + static_cast<std::uint64_t>(cycle)),
                                         static_cast<std::uint32_t>(slot + 1) << kNumberBits | number, site, number * 8};
        std::memcpy(&buffer[locateRecord(slot, number)], record, sizeof record);
    }

    RingContent read() const { return readRings(buffer, layout, {{3, MarkKind::user, SyncKind::none, "a", 0, false}}); }

    std::size_t locateHeader(int slot) const { return layout.headersAt() + static_cast<std::size_t>(slot + 1) * kHeaderBytes; }
    std::size_t locateRecord(int slot, std::uint32_t number) const
    {
        return (static_cast<std::size_t>(slot + 1) * static_cast<std::size_t>(layout.capacity) +
                number % static_cast<std::uint32_t>(layout.capacity)) *
               kRecordBytes;
    }

    RingLayout layout{.slots = 4, .capacity = 16, .blockWarps = 2};
    std::vector<std::byte> buffer;
};

TEST_F(Rings, MarksComeBackInOrderAcrossAWrapOfTheClock)
{
    begin(3);
    for (std::uint32_t i = 0; i < 10; ++i)
        mark(3, i, 100 * i);
    end(3, 1000);
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    const WarpMarks& warp = content.warps.front();
    EXPECT_EQ(warp.block, 1);
    EXPECT_EQ(warp.warp, 1);
    EXPECT_EQ(warp.sm, 7);
    EXPECT_EQ(warp.endCycle, 1000);
    EXPECT_EQ(warp.endNs, 500);
    ASSERT_EQ(warp.marks.size(), 10U);
    EXPECT_EQ(warp.marks[9], (TimelineMark{3, 900, 72}));
    EXPECT_EQ(warp.lost, 0);
    EXPECT_EQ(content.damaged, 0);
}

TEST_F(Rings, AWarpIsThatOfItsSlotAndItsMultiprocessorASixteenBitNumber)
{
    begin(2);
    const std::uint64_t sm = 0x1'0123;
    std::memcpy(&buffer[locateHeader(2) + 16], &sm, sizeof sm);
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    EXPECT_EQ(content.warps[0].block, 1);
    EXPECT_EQ(content.warps[0].warp, 0);
    EXPECT_EQ(content.warps[0].sm, 0x123);
}

TEST_F(Rings, AnOverflowedRingHasTheLastMarks)
{
    begin(0);
    for (std::uint32_t i = 0; i < 40; ++i)
        mark(0, i, 10 * i);
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    EXPECT_EQ(content.warps[0].lost, 24);
    ASSERT_EQ(content.warps[0].marks.size(), 16U);
    EXPECT_EQ(content.warps[0].marks.front().cycle, 240);
    EXPECT_EQ(content.warps[0].marks.back().cycle, 390);
    EXPECT_EQ(content.damaged, 0);
}

TEST_F(Rings, AWarpThatNeverEndsKeepsItsMarks)
{
    begin(0);
    mark(0, 0, 5);
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    EXPECT_FALSE(content.warps[0].endCycle.has_value());
    EXPECT_EQ(content.warps[0].marks.size(), 1U);
}

TEST_F(Rings, WarpsThatDidNotBeginAreNotThere)
{
    EXPECT_TRUE(read().warps.empty());
}

TEST_F(Rings, DamagedRecordsAreCountedAndLeftOut)
{
    begin(0);
    for (std::uint32_t i = 0; i < 8; ++i)
        mark(0, i, 10 * i);
    mark(0, 3, 30, 999);                                                                 // a site that there is not
    std::memcpy(&buffer[locateRecord(0, 5)], &buffer[locateRecord(0, 2)], kRecordBytes); // at a wrong place
    mark(0, 6, -50);                                                                     // before the one before
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    EXPECT_EQ(content.warps[0].marks.size(), 5U);
    EXPECT_EQ(content.damaged, 3);
}

TEST_F(Rings, OnlyAPlaceOfOnesWasNeverWritten)
{
    begin(0);
    mark(0, 0, 10);
    mark(0, 1, 20, ~0U);
    mark(0, 2, 30);
    const std::uint32_t word = ~0U;
    std::memcpy(&buffer[locateRecord(0, 2) + 4], &word, sizeof word);
    const RingContent content = read();
    ASSERT_EQ(content.warps.size(), 1U);
    EXPECT_EQ(content.warps[0].marks.size(), 1U);
    EXPECT_EQ(content.damaged, 2);
}

TEST_F(Rings, RestsOfAnEarlierRoundAreLeftOut)
{
    begin(0);
    mark(0, 2, 20);
    for (std::uint32_t i = 32; i < 34; ++i)
        mark(0, i, 10 * i);
    const RingContent content = read();
    ASSERT_EQ(content.warps[0].marks.size(), 2U);
    EXPECT_EQ(content.damaged, 1);
    EXPECT_EQ(content.warps[0].lost, 32);
}

TEST_F(Rings, AMarkAfterTheWarpsEndIsDamage)
{
    begin(0);
    mark(0, 0, 10);
    mark(0, 1, 5000);
    end(0, 100);
    const RingContent content = read();
    EXPECT_EQ(content.warps[0].marks.size(), 1U);
    EXPECT_EQ(content.damaged, 1);
}

TEST_F(Rings, AShortBufferHoldsTheSlotsThatAreComplete)
{
    for (int slot = 0; slot < 4; ++slot)
        begin(slot);
    buffer.resize(locateHeader(2));
    EXPECT_EQ(read().warps.size(), 2U);
    buffer.resize(10);
    EXPECT_TRUE(read().warps.empty());
}

TEST_F(Rings, ALayoutOfNothingHoldsNothing)
{
    for (const RingLayout& none : {RingLayout{0, 16, 2}, RingLayout{4, 0, 2}, RingLayout{-1, 16, 2}}) {
        layout = none;
        begin(0);
        EXPECT_TRUE(read().warps.empty());
    }
    begin(0);
    layout = {4, 16, 0};
    EXPECT_TRUE(read().warps.empty());
}

TEST_F(Rings, TimesBeforeTheBeginAreNone)
{
    begin(0);
    mark(0, 0, 10);
    std::uint64_t header[3] = {kBegin + 100, 5'000'000 - 1, 0};
    std::memcpy(&buffer[locateHeader(0) + 32], header, sizeof header);
    EXPECT_EQ(read().warps.at(0).endCycle, 100);
    EXPECT_FALSE(read().warps.at(0).endNs);
    header[0] = kBegin - 1;
    std::memcpy(&buffer[locateHeader(0) + 32], header, sizeof header);
    EXPECT_FALSE(read().warps.at(0).endCycle);
    header[0] = kBegin;
    header[1] = 5'000'000;
    std::memcpy(&buffer[locateHeader(0) + 32], header, sizeof header);
    EXPECT_EQ(read().warps.at(0).endCycle, 0);
    EXPECT_EQ(read().warps.at(0).endNs, 0);
}

TEST_F(Rings, AWarpWithoutTheNumberOfItsBlockHasThatOfItsSlot)
{
    begin(3);
    std::memset(&buffer[locateHeader(3) + 24], 0xff, 8);
    EXPECT_EQ(read().warps.at(0).block, 1);
    const std::uint64_t other = 77;
    std::memcpy(&buffer[locateHeader(3) + 24], &other, sizeof other);
    EXPECT_EQ(read().warps.at(0).block, 77) << "the header's number counts";
    std::memset(&buffer[locateHeader(3) + 8], 0xff, 8);
    EXPECT_TRUE(read().warps.empty()) << "without its time it did not begin";
}

TEST_F(Rings, AMarkAtTheWarpsEndIsNoDamage)
{
    begin(0);
    mark(0, 0, 100);
    end(0, 100);
    EXPECT_EQ(read().warps.at(0).marks.size(), 1U);
    EXPECT_EQ(read().damaged, 0);
}

} // namespace
} // namespace kl
