// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <array>
#include <cstdint>
#include <unordered_set>

namespace kl::inline live {

/// Counts summed over warps; averaged at the end.
struct WarpCounts {
    WarpModel sum;
    double threads = 0;                        ///< active, summed over instructions
    std::unordered_set<std::uint64_t> sectors; ///< distinct, that were loaded

    /// Average over the warps.
    WarpModel average() const;
};

using LaneAddresses = std::array<std::uint64_t, 32>;

/// One request of a warp to global memory: adds the 32-byte sectors that it touches.
void countGlobal(const LaneAddresses& at, std::uint32_t active, int bytes, bool store, WarpCounts& counts);

/// One request to shared memory, with 32 banks of 4 bytes: lanes of one quarter, half or whole warp (16, 8, up to 4 bytes per lane) go
/// together; different words of one bank take one pass each. `matrix`: ldmatrix, eight rows of 16 bytes per pass.
void countShared(const LaneAddresses& at, std::uint32_t active, int bytes, WarpCounts& counts);

/// Atomics: threads of one request with the same address are served one after another.
void countSharedAtomic(const LaneAddresses& at, std::uint32_t active, WarpCounts& counts);
void countGlobalAtomic(const LaneAddresses& at, std::uint32_t active, std::uint32_t known, WarpCounts& counts);

} // namespace kl::inline live
