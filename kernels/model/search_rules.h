// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl::inline kernels {

/// Information about a variant's code for checking combinations of its tunables before compiling. All
/// formulas can use sizes, tunables and the variant's constants. Missing parts are not checked.
struct SearchRules {
    /// Registers per thread that hold one operand or result throughout the main loop.
    struct Fragment {
        std::string name;  ///< "output"
        std::string count; ///< formula
    };
    /// One access of a warp to global memory: lane l reads or writes `bytes` at (l / lanes) × pitch + mod(l, lanes) × laneStride.
    struct WarpAccess {
        std::string name;       ///< "stores of the output"
        std::string bytes;      ///< of one lane
        std::string lanes;      ///< lanes that share a row
        std::string pitch;      ///< bytes from row to row
        std::string laneStride; ///< bytes from lane to lane within a row; empty: the bytes of one lane
    };
    /// A tile in shared memory that is read by ldmatrix, or by eight lanes of 16 bytes, a row each.
    struct TileRead {
        std::string name;
        std::string pitch;         ///< bytes from row to row, padding included
        std::string rowMask = "0"; ///< the 16-byte chunk c of row r lies at chunk c ^ (r & rowMask)
    };

    std::string staticSmem = "0"; ///< bytes that a block declares in addition to its launches' dynamic shared memory
    std::vector<Fragment> fragments;
    double mostFragments = 192;      ///< registers of all fragments together beyond which code spills
    std::string otherRegisters;      ///< formula: registers per thread in addition to the fragments; empty: not estimated
    std::string minBlocks = "1";     ///< formula: __launch_bounds__'s second argument
    double minOccupancy = 0;         ///< percent of an SM's warps
    double minSectorEfficiency = 50; ///< percent of the bytes of each global access that are used
    std::vector<WarpAccess> global;
    std::vector<TileRead> shared;
};

} // namespace kl::inline kernels
