// SPDX-License-Identifier: MIT
#include "core/device/warp_memory.h"

#include <algorithm>
#include <array>

namespace kl::inline device {
namespace {

constexpr int kLanes = 32;
constexpr std::int64_t kSector = 32;
constexpr std::int64_t kChunk = 16; ///< bytes that a lane reads in a phase
constexpr std::int64_t kGroups = 8; ///< of four banks, 16 bytes wide
constexpr std::int64_t kPhaseRows = 8;
constexpr std::int64_t kMasks = 64; ///< row masks end below: three bits are all that can help

/// Of the eight rows from `first`, so many fall on the busiest group when each reads chunk `chunk`.
int busiestGroup(const SharedTile& tile, std::int64_t first, std::int64_t chunk)
{
    std::array<int, kGroups> hits{};
    for (std::int64_t row = first; row < first + kPhaseRows; ++row) {
        const std::int64_t address = row * tile.pitch + (chunk ^ (row & tile.rowMask)) * kChunk;
        ++hits[static_cast<std::size_t>(address / kChunk % kGroups)];
    }
    return *std::ranges::max_element(hits);
}

} // namespace

SectorUse sectorUse(const WarpAccess& access)
{
    std::array<std::int64_t, kLanes> begins{};
    SectorUse use;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        const std::int64_t begin = lane / access.lanes * access.pitch + lane % access.lanes * access.laneStride;
        use.aligned = use.aligned && begin % access.bytes == 0;
        begins[static_cast<std::size_t>(lane)] = begin;
    }
    std::ranges::sort(begins);
    std::int64_t used = 0;
    std::int64_t byte = 0;   // counted up to here
    std::int64_t sector = 0; // counted up to here
    for (const std::int64_t begin : begins) {
        const std::int64_t end = begin + access.bytes;
        const std::int64_t endSector = (end + kSector - 1) / kSector;
        used += std::max<std::int64_t>(0, end - std::max(byte, begin));
        use.sectors += static_cast<int>(std::max<std::int64_t>(0, endSector - std::max(sector, begin / kSector)));
        byte = std::max(byte, end);
        sector = std::max(sector, endSector);
    }
    use.efficiency = 100.0 * static_cast<double>(used) / static_cast<double>(kSector * use.sectors);
    return use;
}

std::optional<int> phaseConflictWays(const SharedTile& tile)
{
    const std::int64_t chunks = tile.pitch / kChunk;
    if (chunks < 1 || tile.pitch % kChunk != 0 || tile.rowMask < 0 || tile.rowMask >= kMasks)
        return {};
    for (std::int64_t chunk = std::max<std::int64_t>(0, chunks - kMasks); chunk < chunks; ++chunk)
        for (std::int64_t row = 0; row < kMasks; ++row)
            if ((chunk ^ (row & tile.rowMask)) >= chunks)
                return {};
    int ways = 1;
    for (std::int64_t chunk = 0; chunk < std::min(chunks, kMasks); ++chunk) // from there on the pattern repeats
        for (std::int64_t first = 0; first < kMasks; first += kPhaseRows)
            ways = std::max(ways, busiestGroup(tile, first, chunk));
    return ways;
}

} // namespace kl::inline device
