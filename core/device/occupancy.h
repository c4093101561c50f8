// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kl::inline device {

// The same on every compute capability so far (CUDA C++ Programming Guide, technical specifications).
inline constexpr int kWarpSize = 32;
inline constexpr int kMaxBlockThreads = 1024;
inline constexpr int kMaxThreadRegisters = 255;

/// What one multiprocessor offers, by compute capability (resources/devices.json) or as a driver reports it. Sizes in bytes.
struct SmLimits {
    int ccMajor = 0;
    int ccMinor = 0;
    std::int64_t smemPerSm = 0;
    std::int64_t smemOptin = 0;    ///< most a block may have, reserved bytes not counted
    std::int64_t smemReserved = 0; ///< taken by the system from every block
    std::int64_t smemGranularity = 128;
    int maxWarps = 0;
    int maxBlocks = 0;
    int registers = 65536;

    bool operator==(const SmLimits&) const = default;
};

/// What a launch asks for.
struct BlockNeeds {
    int threads = 0;
    int registersPerThread = 0;
    std::int64_t smem = 0; ///< static + dynamic, bytes
};

struct Occupancy {
    int blocksPerSm = 0;
    double percent = 0;  ///< resident warps over the most an SM holds
    std::string limiter; ///< "registers", "shared memory", "block size", "blocks", "warps"
};

/// Exact for every input: equals the driver's calculator. w = ceil(threads / 32), a = roundup(32 × registers, 256); blocks =
/// min(floor(floor(16384 / a) × 4 / w), floor(maxWarps / w), floor(smemSM / roundup(smem + reserved, granularity)), maxBlocks),
/// 0 where a block's own registers or shared memory exceed the limits. Limiter: the smallest term, in that order of preference;
/// "block size" when the block itself does not fit or leaves warps unused by its shape.
Occupancy computeOccupancy(const SmLimits& limits, const BlockNeeds& needs);

/// Blocks per SM that each limit alone allows; the smallest is Occupancy::blocksPerSm. A limit that does not bind (no registers, no shared
/// memory asked for) is at maxBlocks.
struct OccupancyTerms {
    int byRegisters = 0;
    int bySharedMemory = 0;
    int byWarps = 0;
    int byBlocks = 0;
};
/// All 0 for a block of no or of more than 1024 threads.
OccupancyTerms occupancyTerms(const SmLimits& limits, const BlockNeeds& needs);

/// The needs of a launch as a person gave them. Error badInput, naming the field: 1 to 1024 threads, 0 to 255 registers, no negative
/// shared memory.
Result<BlockNeeds> checkNeeds(const BlockNeeds& needs);

/// Limits of a compute capability from the table; unset when it is not there.
std::optional<SmLimits> smLimits(int ccMajor, int ccMinor);

/// The table's limits, overridden by what the driver reported for this device.
std::optional<SmLimits> smLimits(const DeviceInfo& device);

/// grid / (blocks per SM × SMs); 0 when nothing fits.
double computeWaves(std::int64_t gridBlocks, int blocksPerSm, int smCount);

} // namespace kl::inline device
