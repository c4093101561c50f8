// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/work/memory_snapshot.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace kl::inline live {

/// The spans, each widened to whole pages of `page` bytes, those that touch or overlap joined; ascending.
std::vector<MemorySpan> widenToPages(std::vector<MemorySpan> spans, std::size_t page);

/// Addresses that a lifted launch needs are reserved in whole blocks of so many bytes: the driver grants an address that is asked for only
/// where one begins, and moves every other (H200, driver 580.159).
inline constexpr std::size_t kReservedBlock = 32U << 20;

/// Physical memories that a lifted launch's addresses have in turn, at most.
inline constexpr std::size_t kPlaces = 5;

/// Device memory at the addresses where a lifted launch found it. Works on the same addresses share it, so they must not run at the same
/// time.
class PlacedMemory {
public:
    /// Maps the pages of the spans on the current context's device, or shares them with a work that has them already; zeros at first.
    /// Errors: device limits when there is not enough memory; kAddressTaken when this process has something else there.
    static Result<std::shared_ptr<PlacedMemory>> map(const std::vector<MemorySpan>& spans);
    PlacedMemory(const PlacedMemory&) = delete;
    PlacedMemory& operator=(const PlacedMemory&) = delete;
    ~PlacedMemory();

    /// Gives the addresses other physical memory with the same content; the last is followed by the first. The driver chooses the same
    /// memory in every process that allocates alike, and a launch from an emptied L2 takes up to 4 % longer in one than in another (H200:
    /// CUB's reduction of 16 MiB 7.20 to 7.52 µs), so no repetition in one place shows it. Synchronizes. Devices with little memory left
    /// have fewer; with one, nothing is done.
    Status move();

    /// Physical memories so far.
    std::size_t places() const noexcept { return places_.size(); }

private:
    using Place = std::vector<PhysicalMemory>; ///< one for each of pages_

    PlacedMemory() = default;
    Status reserve(const MemorySpan& block);
    Result<Place> create() const;
    Result<bool> hasRoom() const;
    Status mapPages(const MemorySpan& span, const PhysicalMemory& memory);
    Status unmap(const MemorySpan& span);
    Status copyTo(const PhysicalMemory& memory, const MemorySpan& span);

    CUmemAllocationProp kind_{};
    std::vector<MemorySpan> pages_; ///< wanted
    std::vector<MemorySpan> reserved_;
    std::vector<MemorySpan> mapped_;
    std::vector<Place> places_;
    std::size_t current_ = 0; ///< of places_
};

} // namespace kl::inline live
