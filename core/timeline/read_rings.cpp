// SPDX-License-Identifier: MIT
#include "core/timeline/read_rings.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace kl::inline timelines {
namespace {

constexpr std::uint64_t kNothing = ~0ULL;
constexpr std::uint32_t kNumberMask = kMostNumbers - 1;
constexpr std::uint32_t kSlotMask = (1U << kSlotBits) - 1;

struct Record {
    std::uint32_t clock = 0;
    std::uint32_t word = 0;
    std::uint32_t site = 0;
    std::uint32_t object = 0;
};

struct Header {
    std::uint64_t beginCycle = kNothing;
    std::uint64_t beginNs = kNothing;
    std::uint64_t sm = kNothing;
    std::uint64_t block = kNothing;
    std::uint64_t endCycle = kNothing;
    std::uint64_t endNs = kNothing;
    std::uint64_t next = kNothing;
    std::uint64_t unused = kNothing;
};
static_assert(sizeof(Record) == kRecordBytes && sizeof(Header) == kHeaderBytes);

std::uint32_t extractSlot(std::uint32_t word)
{
    return word >> kNumberBits & kSlotMask;
}

class Ring {
public:
    Ring(std::span<const std::byte> buffer, const RingLayout& layout, const std::set<int>& sites, int slot)
        : layout_(layout), sites_(sites), slot_(static_cast<std::uint32_t>(slot) + 1)
    {
        records_ = buffer.subspan(slot_ * static_cast<std::size_t>(layout.capacity) * kRecordBytes);
        std::memcpy(&header_, buffer.data() + layout.headersAt() + slot_ * kHeaderBytes, sizeof header_);
    }

    bool began() const { return header_.beginCycle != kNothing && header_.beginNs != kNothing; }

    WarpMarks read(std::int64_t& damaged)
    {
        WarpMarks warp;
        const int slot = static_cast<int>(slot_) - 1;
        warp.block = static_cast<std::int64_t>(header_.block == kNothing ? slot / layout_.blockWarps : header_.block);
        warp.warp = slot % layout_.blockWarps;
        warp.sm = static_cast<int>(header_.sm & 0xffff);
        warp.beginCycle = static_cast<std::int64_t>(header_.beginCycle);
        warp.beginNs = static_cast<std::int64_t>(header_.beginNs);
        if (header_.endCycle != kNothing && header_.endCycle >= header_.beginCycle) {
            warp.endCycle = static_cast<std::int64_t>(header_.endCycle - header_.beginCycle);
            warp.endNs = header_.endNs == kNothing || header_.endNs < header_.beginNs
                             ? std::nullopt
                             : std::optional(static_cast<std::int64_t>(header_.endNs - header_.beginNs));
        }
        const std::vector<Record> found = inOrder(damaged);
        if (!found.empty())
            warp.lost = found.front().word & kNumberMask;
        addMarks(found, warp, damaged);
        return warp;
    }

private:
    Record recordAt(std::uint32_t number) const
    {
        Record record;
        const std::size_t place = number % static_cast<std::uint32_t>(layout_.capacity);
        std::memcpy(&record, records_.data() + place * kRecordBytes, sizeof record);
        return record;
    }

    bool isUnwritten(const Record& record) const { return record.word == ~0U && record.site == ~0U; }

    bool fits(const Record& record, std::uint32_t place) const
    {
        return extractSlot(record.word) == slot_ && (record.word & kNumberMask) % static_cast<std::uint32_t>(layout_.capacity) == place &&
               sites_.contains(static_cast<int>(record.site));
    }

    /// What is there, oldest first. The numbers of a ring's records are in one run, so what lies outside of the newest run is a rest.
    std::vector<Record> inOrder(std::int64_t& damaged) const
    {
        std::vector<Record> found;
        for (std::uint32_t place = 0; place < static_cast<std::uint32_t>(layout_.capacity); ++place) {
            const Record record = recordAt(place);
            if (isUnwritten(record))
                continue;
            if (fits(record, place))
                found.push_back(record);
            else
                ++damaged;
        }
        std::ranges::sort(found, {}, [](const Record& one) { return one.word & kNumberMask; });
        if (found.empty())
            return found;
        const std::uint32_t newest = found.back().word & kNumberMask;
        const auto isOld = [&](const Record& one) {
            return newest - (one.word & kNumberMask) >= static_cast<std::uint32_t>(layout_.capacity);
        };
        damaged += static_cast<std::int64_t>(std::ranges::count_if(found, isOld));
        std::erase_if(found, isOld);
        return found;
    }

    /// Clocks are 32 bits wide: each mark is less than half of their range after the one before, the first after the warp's begin.
    void addMarks(const std::vector<Record>& found, WarpMarks& warp, std::int64_t& damaged) const
    {
        constexpr std::int64_t kHalf = std::int64_t{1} << 31;
        auto clock = static_cast<std::uint32_t>(header_.beginCycle);
        std::int64_t cycle = 0;
        for (const Record& record : found) {
            const auto step = static_cast<std::int64_t>(record.clock - clock);
            if (step >= kHalf || (warp.endCycle && cycle + step > *warp.endCycle)) {
                ++damaged;
                continue;
            }
            cycle += step;
            clock = record.clock;
            warp.marks.push_back({static_cast<int>(record.site), cycle, record.object});
        }
    }

    const RingLayout& layout_;
    const std::set<int>& sites_;
    std::uint32_t slot_;
    std::span<const std::byte> records_;
    Header header_;
};

} // namespace

RingContent readRings(std::span<const std::byte> buffer, const RingLayout& layout, const std::vector<MarkSite>& sites)
{
    RingContent content;
    if (layout.slots <= 0 || layout.capacity <= 0 || layout.blockWarps <= 0)
        return content;
    std::set<int> known;
    for (const MarkSite& site : sites)
        known.insert(site.id);
    for (int slot = 0; slot < layout.slots; ++slot) {
        if (layout.headersAt() + static_cast<std::size_t>(slot + 2) * kHeaderBytes > buffer.size())
            break;
        Ring ring(buffer, layout, known, slot);
        if (ring.began())
            content.warps.push_back(ring.read(content.damaged));
    }
    return content;
}

} // namespace kl::inline timelines
