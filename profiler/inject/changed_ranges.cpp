// SPDX-License-Identifier: MIT
#include "profiler/inject/changed_ranges.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace kl::inject {
namespace {

constexpr std::size_t kPiece = 512;
constexpr std::size_t kNear = 4096;
constexpr std::size_t kMostRanges = 16;
constexpr int kPageBits = 21; // the driver maps no less
/// Device memory is in the lower half of the addresses, above what programs use for small numbers.
constexpr std::uint64_t kLowest = 1ULL << 25;
constexpr std::uint64_t kEnd = 1ULL << 47;

/// Joins neighbors that lie less than `gap` apart.
std::vector<LiftedRange> joinNeighbors(const std::vector<LiftedRange>& ranges, std::uint64_t gap)
{
    std::vector<LiftedRange> together;
    for (const LiftedRange& range : ranges)
        if (!together.empty() && range.offset - (together.back().offset + together.back().bytes) < gap)
            together.back().bytes = range.offset + range.bytes - together.back().offset;
        else
            together.push_back(range);
    return together;
}

} // namespace

std::vector<LiftedRange> findChangedRanges(std::string_view before, std::string_view after)
{
    std::vector<LiftedRange> ranges;
    for (std::size_t at = 0; at < before.size(); at += kPiece) {
        const std::size_t bytes = std::min(kPiece, before.size() - at);
        if (std::memcmp(before.data() + at, after.data() + at, bytes) == 0)
            continue;
        if (!ranges.empty() && at - (ranges.back().offset + ranges.back().bytes) < kNear)
            ranges.back().bytes = at + bytes - ranges.back().offset;
        else
            ranges.push_back({at, bytes});
    }
    for (std::uint64_t gap = 4 * kNear; ranges.size() > kMostRanges; gap *= 4)
        ranges = joinNeighbors(ranges, gap);
    return ranges;
}

std::vector<std::uint64_t> possibleAddresses(std::string_view bytes, std::size_t most)
{
    std::set<std::uint64_t> pages;
    std::vector<std::uint64_t> addresses;
    std::uint64_t last = 0;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size() && pages.size() < most; at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (word < kLowest || word >= kEnd || word >> kPageBits == last)
            continue;
        last = word >> kPageBits;
        if (pages.insert(last).second)
            addresses.push_back(word);
    }
    std::ranges::sort(addresses);
    return addresses;
}

} // namespace kl::inject
