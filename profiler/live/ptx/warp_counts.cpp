// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/warp_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace kl::inline live {
namespace {

constexpr int kSectorBytes = 32;
constexpr int kBanks = 32;
constexpr int kWordBytes = 4;

/// Distinct numbers of a short list.
std::vector<std::uint64_t> distinct(std::vector<std::uint64_t> list)
{
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

/// Passes that the lanes from `first` to `last` take together.
int passes(const LaneAddresses& at, std::uint32_t active, int bytes, int first, int last)
{
    std::vector<std::uint64_t> words;
    for (int lane = first; lane < last; ++lane)
        if (active >> lane & 1)
            for (int byte = 0; byte < std::max(bytes, kWordBytes); byte += kWordBytes)
                words.push_back((at[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(byte)) / kWordBytes);
    std::array<int, kBanks> perBank{};
    int most = 0;
    for (const std::uint64_t word : distinct(std::move(words)))
        most = std::max(most, ++perBank[word % kBanks]);
    return most;
}

} // namespace

void countGlobal(const LaneAddresses& at, std::uint32_t active, int bytes, bool store, WarpCounts& counts)
{
    std::vector<std::uint64_t> sectors, starts;
    for (int lane = 0; lane < 32; ++lane)
        if (active >> lane & 1) {
            const std::uint64_t address = at[static_cast<std::size_t>(lane)];
            starts.push_back(address);
            for (std::uint64_t sector = address / kSectorBytes; sector <= (address + static_cast<std::uint64_t>(bytes) - 1) / kSectorBytes;
                 ++sector)
                sectors.push_back(sector);
        }
    sectors = distinct(std::move(sectors));
    const double requested = static_cast<double>(distinct(std::move(starts)).size()) * bytes;
    WarpAccesses& side = store ? counts.sum.stores : counts.sum.loads;
    side.requests += 1;
    side.sectors += static_cast<double>(sectors.size());
    side.ideal += std::min(static_cast<double>(sectors.size()), std::max(1.0, std::ceil(requested / kSectorBytes)));
    if (!store)
        counts.sectors.insert(sectors.begin(), sectors.end());
}

void countShared(const LaneAddresses& at, std::uint32_t active, int bytes, WarpCounts& counts)
{
    const int together = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
    counts.sum.sharedRequests += 1;
    for (int first = 0; first < 32; first += together) {
        const int needed = passes(at, active, bytes, first, first + together);
        counts.sum.sharedWavefronts += needed;
        counts.sum.sharedIdeal += std::min(needed, 1);
    }
}

void countSharedAtomic(const LaneAddresses& at, std::uint32_t active, WarpCounts& counts)
{
    std::array<int, kBanks> perBank{};
    int most = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (active >> lane & 1)
            most = std::max(most, ++perBank[at[static_cast<std::size_t>(lane)] / kWordBytes % kBanks]);
    counts.sum.sharedRequests += 1;
    counts.sum.sharedWavefronts += most;
    counts.sum.sharedIdeal += 1;
}

void countGlobalAtomic(const LaneAddresses& at, std::uint32_t active, std::uint32_t known, WarpCounts& counts)
{
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < 32; ++lane)
        if (active & known & 1U << lane)
            addresses.push_back(at[static_cast<std::size_t>(lane)]);
    counts.sum.atomicRequests += 1;
    counts.sum.atomicThreads += std::popcount(active);
    counts.sum.atomicAddresses += static_cast<double>(distinct(std::move(addresses)).size()) + std::popcount(active & ~known);
}

WarpModel WarpCounts::average() const
{
    WarpModel model = sum;
    const double warps = std::max(sum.warps, 1);
    model.activeThreads = sum.instructions > 0 ? threads / sum.instructions : 0;
    for (double* figure : {&model.instructions, &model.unknownBranches, &model.loads.requests, &model.loads.sectors, &model.loads.ideal,
                           &model.loads.unknown, &model.stores.requests, &model.stores.sectors, &model.stores.ideal, &model.stores.unknown,
                           &model.sharedRequests, &model.sharedWavefronts, &model.sharedIdeal, &model.atomicRequests, &model.atomicThreads,
                           &model.atomicAddresses})
        *figure /= warps;
    for (auto& [opcodeClass, count] : model.executed)
        count /= warps;
    model.blockSectors = static_cast<double>(sectors.size()) / warps;
    return model;
}

} // namespace kl::inline live
