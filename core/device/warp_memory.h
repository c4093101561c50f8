// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

/// How a warp's access falls on sectors of global memory and banks of shared memory, by counting them.
namespace kl::inline device {

/// One access of the 32 lanes of a warp: lane l takes `bytes` at (l / lanes) × pitch + (l mod lanes) × laneStride. All in bytes.
struct WarpAccess {
    std::int64_t bytes = 0;
    std::int64_t lanes = 32; ///< that share a row
    std::int64_t pitch = 0;
    std::int64_t laneStride = 0;
};

struct SectorUse {
    int sectors = 0;       ///< of 32 bytes that the warp touches
    double efficiency = 0; ///< percent of their bytes that are used; an address taken twice counts once
    bool aligned = true;   ///< every lane's address is a multiple of its bytes, as wide accesses need
};

/// Rows begin at a multiple of 32 bytes. Precondition: bytes, lanes ≥ 1; pitch, laneStride ≥ 0.
SectorUse sectorUse(const WarpAccess& access);

/// A tile in shared memory whose 16-byte chunk c of row r lies at chunk c ^ (r & rowMask) of that row.
struct SharedTile {
    std::int64_t pitch = 0; ///< bytes from row to row, padding included; a multiple of 16
    std::int64_t rowMask = 0;
};

/// Ways of the worst bank conflict when eight successive rows are read 16 bytes each, as in a phase of ldmatrix or of a 16-byte load: 1 is
/// free, 8 the worst. All chunks are tried. Unset when the pitch is not a multiple of 16, which such reads need, when the mask is
/// above 63 or moves a chunk out of its row.
std::optional<int> phaseConflictWays(const SharedTile& tile);

} // namespace kl::inline device
