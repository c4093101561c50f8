// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/work/memory_snapshot.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace kl::inline live {

/// The spans, each widened to whole pages of `page` bytes, those that touch or overlap joined; ascending.
std::vector<MemorySpan> pagesOf(std::vector<MemorySpan> spans, std::size_t page);

/// Addresses that a lifted launch needs are reserved in whole blocks of so many bytes: the driver grants an address that is asked for only
/// where one begins, and moves every other (H200, driver 580.159).
inline constexpr std::size_t kReservedBlock = 32U << 20;

/// Device memory at the addresses where a lifted launch found it. Works on the same addresses share it, so they must not run at the same
/// time.
class PlacedMemory {
public:
    /// Maps the pages of the spans on the current context's device, or shares them with a work that has them already; zeros at first.
    /// Errors: device limits when there is not enough memory; kAddressTaken when this process has something else there.
    static Result<std::shared_ptr<const PlacedMemory>> map(const std::vector<MemorySpan>& spans);
    PlacedMemory(const PlacedMemory&) = delete;
    PlacedMemory& operator=(const PlacedMemory&) = delete;
    ~PlacedMemory();

private:
    PlacedMemory() = default;
    Status reserve(const MemorySpan& block);
    Status mapPages(const MemorySpan& span, const CUmemAllocationProp& kind);

    std::vector<MemorySpan> pages_; ///< wanted
    std::vector<MemorySpan> reserved_;
    std::vector<MemorySpan> mapped_;
};

} // namespace kl::inline live
