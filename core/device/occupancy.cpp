// SPDX-License-Identifier: MIT
#include "core/device/occupancy.h"

#include "core/device/device_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline device {
namespace {

constexpr int kRegisterUnit = 256; ///< registers are given to a warp in units of this
constexpr int kPartitions = 4;     ///< schedulers of an SM, each with a quarter of the registers

std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

OccupancyTerms occupancyTerms(const SmLimits& limits, const BlockNeeds& needs)
{
    if (needs.threads <= 0 || needs.threads > kMaxBlockThreads)
        return {};
    const int warps = (needs.threads + kWarpSize - 1) / kWarpSize;
    OccupancyTerms terms{limits.maxBlocks, limits.maxBlocks, limits.maxWarps / warps, limits.maxBlocks};
    if (needs.registersPerThread > 0) {
        const std::int64_t perWarp = roundUp(std::int64_t{kWarpSize} * needs.registersPerThread, kRegisterUnit);
        const std::int64_t warpsThatFit = limits.registers / kPartitions / perWarp * kPartitions;
        terms.byRegisters = static_cast<int>(warpsThatFit / warps);
        if (needs.registersPerThread > kMaxThreadRegisters || perWarp * roundUp(warps, kPartitions) > limits.registers)
            terms.byRegisters = 0;
    }
    if (needs.smem > limits.smemOptin)
        terms.bySharedMemory = 0;
    else if (const std::int64_t each = roundUp(needs.smem + limits.smemReserved, limits.smemGranularity); each > 0)
        terms.bySharedMemory = static_cast<int>(std::min<std::int64_t>(limits.smemPerSm / each, limits.maxBlocks));
    return terms;
}

Occupancy computeOccupancy(const SmLimits& limits, const BlockNeeds& needs)
{
    if (needs.threads <= 0 || needs.threads > kMaxBlockThreads)
        return {0, 0, "block size"};
    const OccupancyTerms terms = occupancyTerms(limits, needs);
    const int warps = (needs.threads + kWarpSize - 1) / kWarpSize;
    Occupancy result;
    result.blocksPerSm = std::min({terms.byRegisters, terms.bySharedMemory, terms.byWarps, terms.byBlocks});
    result.percent = 100.0 * result.blocksPerSm * warps / limits.maxWarps;
    if (result.blocksPerSm * warps == limits.maxWarps)
        result.limiter = "warps"; // full: nothing else to gain
    else if (result.blocksPerSm == terms.byRegisters && terms.byRegisters < terms.byWarps && terms.byRegisters < limits.maxBlocks)
        result.limiter = "registers";
    else if (result.blocksPerSm == terms.bySharedMemory && terms.bySharedMemory < terms.byWarps && terms.bySharedMemory < limits.maxBlocks)
        result.limiter = "shared memory";
    else if (result.blocksPerSm == limits.maxBlocks && limits.maxBlocks <= terms.byWarps)
        result.limiter = "blocks";
    else
        result.limiter = "block size";
    return result;
}

Result<BlockNeeds> checkNeeds(const BlockNeeds& needs)
{
    const auto wrong = [](const char* field, std::int64_t value, const char* rule) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is {}; it must be {}.", field, value, rule),
                     .hint = "A run shows its launch.",
                     .where = field};
    };
    if (needs.threads < 1 || needs.threads > kMaxBlockThreads)
        return wrong("threads", needs.threads, "1 to 1024");
    if (needs.registersPerThread < 0 || needs.registersPerThread > kMaxThreadRegisters)
        return wrong("registers", needs.registersPerThread, "0 to 255");
    if (needs.smem < 0)
        return wrong("smem", needs.smem, "0 or more bytes");
    return needs;
}

std::optional<SmLimits> smLimits(int ccMajor, int ccMinor)
{
    for (const CapabilityRow& row : deviceTable().capabilities)
        if (row.limits.ccMajor == ccMajor && row.limits.ccMinor == ccMinor)
            return row.limits;
    return {};
}

std::optional<SmLimits> smLimits(const DeviceInfo& device)
{
    auto limits = smLimits(device.ccMajor, device.ccMinor);
    if (!limits)
        return {};
    if (device.smemPerSm > 0)
        limits->smemPerSm = device.smemPerSm;
    if (device.smemPerBlockOptin > 0)
        limits->smemOptin = device.smemPerBlockOptin;
    if (device.maxBlocksPerSm > 0)
        limits->maxBlocks = device.maxBlocksPerSm;
    if (device.maxThreadsPerSm > 0)
        limits->maxWarps = device.maxThreadsPerSm / kWarpSize;
    if (device.regsPerSm > 0)
        limits->registers = device.regsPerSm;
    return limits;
}

double computeWaves(std::int64_t gridBlocks, int blocksPerSm, int smCount)
{
    return blocksPerSm > 0 && smCount > 0 ? static_cast<double>(gridBlocks) / (static_cast<double>(blocksPerSm) * smCount) : 0;
}

} // namespace kl::inline device
