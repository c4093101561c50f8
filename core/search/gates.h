// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/occupancy.h"
#include "core/device/warp_memory.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Judges one combination of tunables before anything is compiled: six gates in a fixed order, each with its figures.
namespace kl::inline spaces {

enum class SpaceGate { sharedMemory, threads, occupancy, registers, coalescing, bankConflicts };
inline constexpr std::array kSpaceGates{SpaceGate::sharedMemory, SpaceGate::threads,    SpaceGate::occupancy,
                                        SpaceGate::registers,    SpaceGate::coalescing, SpaceGate::bankConflicts};

/// "shared-memory", "threads", "occupancy", "registers", "coalescing", "bank-conflicts": as in JSON.
const char* toWord(SpaceGate gate) noexcept;
/// "Bank conflicts": for people.
const char* titleFor(SpaceGate gate) noexcept;

/// A launch at one point. A size that is not a whole number ≥ 1 makes no block: nothing.
struct PlannedLaunch {
    std::string entry;
    std::optional<std::int64_t> threads; ///< a block
    std::int64_t smem = 0;               ///< bytes per block, static and dynamic
};

/// A count with what it is of.
struct NamedCount {
    std::string name;
    double count = 0;
};

/// What is known of a point before it is compiled. Empty parts are not judged.
struct PlannedPoint {
    std::vector<PlannedLaunch> launches;
    std::vector<std::string> violated; ///< constraints that do not hold, with the values they see
    std::vector<NamedCount> fragments; ///< registers per thread of the first launch that stay taken, by what they hold
    double mostFragments = 192;
    std::optional<double> otherRegisters; ///< a thread's registers beside the fragments, as estimated
    int minBlocks = 1;                    ///< of the first launch's __launch_bounds__
    struct Access {
        std::string name;
        WarpAccess access;
    };
    std::vector<Access> global;
    struct Tile {
        std::string name;
        SharedTile tile;
    };
    std::vector<Tile> shared;
};

/// What a point is judged for.
struct GateLimits {
    SmLimits sm;
    std::string arch;               ///< "sm_90", for messages
    double minOccupancy = 0;        ///< percent of an SM's warps
    double minSectorEfficiency = 0; ///< percent
};

struct GateVerdict {
    SpaceGate gate = SpaceGate::sharedMemory;
    bool judged = false; ///< false: nothing is known that this gate judges by
    bool pass = true;
    std::optional<double> value; ///< the worst figure; unit by the gate: bytes, threads, percent, registers, percent, ways
    std::optional<double> limit;
    std::string reason; ///< a sentence with the figures
};

/// All gates in order, each judged whether or not an earlier one rejects. Rules:
/// shared memory: each launch's bytes ≤ the block's opt-in limit. Threads: 1 to 1024, every constraint holds. Occupancy, exact, by threads
/// and shared memory alone: ≥ minOccupancy and ≥ minBlocks blocks. Registers: fragments ≤ mostFragments; fragments and others ≤ what
/// minBlocks blocks leave a thread (registers of the SM / (blocks × threads), in steps of 8, at most 255). Coalescing: aligned,
/// sector efficiency ≥ minSectorEfficiency. Bank conflicts: none in any phase of eight rows.
std::array<GateVerdict, kSpaceGates.size()> judgePoint(const PlannedPoint& point, const GateLimits& limits);

/// Registers per thread that `blocks` blocks of `threads` threads leave, in the compiler's steps of 8; at most 255.
int computeRegistersLeft(const SmLimits& sm, int blocks, std::int64_t threads);

} // namespace kl::inline spaces
