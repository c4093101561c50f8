// SPDX-License-Identifier: MIT
#include "core/search/gates.h"

#include "core/base/format.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline spaces {
namespace {

constexpr int kRegisterStep = 8;

std::string smemText(std::int64_t bytes)
{
    return formatCount(static_cast<double>(bytes));
}

GateVerdict begin(SpaceGate gate, bool judged, const char* unjudged)
{
    GateVerdict verdict;
    verdict.gate = gate;
    verdict.judged = judged;
    if (!judged)
        verdict.reason = unjudged;
    return verdict;
}

GateVerdict judgeSharedMemory(const PlannedPoint& point, const GateLimits& limits)
{
    GateVerdict verdict = begin(SpaceGate::sharedMemory, !point.launches.empty(), "The variant launches nothing.");
    if (!verdict.judged)
        return verdict;
    const PlannedLaunch& most = *std::ranges::max_element(point.launches, {}, &PlannedLaunch::smem);
    verdict.value = static_cast<double>(most.smem);
    verdict.limit = static_cast<double>(limits.sm.smemOptin);
    verdict.pass = most.smem <= limits.sm.smemOptin;
    verdict.reason = verdict.pass
                         ? fmt::format("{} bytes per block of {} on {}.", smemText(most.smem), smemText(limits.sm.smemOptin), limits.arch)
                         : fmt::format("{} bytes per block, {} more than the {} of {}.", smemText(most.smem),
                                       smemText(most.smem - limits.sm.smemOptin), smemText(limits.sm.smemOptin), limits.arch);
    return verdict;
}

GateVerdict judgeThreads(const PlannedPoint& point)
{
    GateVerdict verdict = begin(SpaceGate::threads, true, "");
    verdict.limit = static_cast<double>(kMaxBlockThreads);
    for (const PlannedLaunch& launch : point.launches) {
        if (!launch.threads) {
            verdict.value.reset();
            verdict.pass = false;
            verdict.reason = fmt::format("The block of {} has no whole number of threads.", launch.entry);
            return verdict;
        }
        verdict.value = std::max(verdict.value.value_or(0), static_cast<double>(*launch.threads));
    }
    if (verdict.value.value_or(0) > static_cast<double>(kMaxBlockThreads)) {
        verdict.pass = false;
        verdict.reason = fmt::format("{:.0f} threads per block; the limit is {}.", *verdict.value, kMaxBlockThreads);
    } else if (!point.violated.empty()) {
        verdict.pass = false;
        verdict.reason = fmt::format("{} does not hold.", fmt::join(point.violated, "; "));
    } else {
        verdict.reason = fmt::format("{:.0f} threads per block, every constraint holds.", verdict.value.value_or(0));
    }
    return verdict;
}

GateVerdict judgeOccupancy(const PlannedPoint& point, const GateLimits& limits)
{
    GateVerdict verdict = begin(SpaceGate::occupancy, !point.launches.empty(), "The variant launches nothing.");
    verdict.limit = limits.minOccupancy;
    bool first = true;
    for (const PlannedLaunch& launch : point.launches) {
        const Occupancy occupancy = computeOccupancy(limits.sm, {static_cast<int>(launch.threads.value_or(0)), 0, launch.smem});
        const int blocks = first ? point.minBlocks : 1;
        first = false;
        if (verdict.value && occupancy.percent >= *verdict.value && occupancy.blocksPerSm >= blocks)
            continue;
        verdict.value = occupancy.percent;
        verdict.reason =
            fmt::format("{} block{} of {} threads per SM, {}, limited by {}", occupancy.blocksPerSm, occupancy.blocksPerSm == 1 ? "" : "s",
                        launch.threads.value_or(0), formatPercent(occupancy.percent), occupancy.limiter);
        if (occupancy.blocksPerSm < blocks) {
            verdict.pass = false;
            verdict.reason += fmt::format("; {} {} required.", blocks, blocks == 1 ? "is" : "are");
            return verdict;
        }
        verdict.pass = occupancy.percent >= limits.minOccupancy;
        verdict.reason += verdict.pass ? "." : fmt::format("; {} is required.", formatPercent(limits.minOccupancy));
    }
    return verdict;
}

GateVerdict judgeRegisters(const PlannedPoint& point, const GateLimits& limits)
{
    GateVerdict verdict =
        begin(SpaceGate::registers, !point.fragments.empty(), "The descriptor does not say which registers the main loop holds.");
    if (!verdict.judged)
        return verdict;
    double sum = 0;
    std::string parts;
    for (const NamedCount& fragment : point.fragments) {
        sum += fragment.count;
        parts += fmt::format("{}{} {:.4g}", parts.empty() ? "" : " + ", fragment.name, fragment.count);
    }
    verdict.value = sum;
    verdict.limit = point.mostFragments;
    verdict.pass = sum <= point.mostFragments;
    verdict.reason = fmt::format("{} = {:.4g} registers per thread; {} {:.4g} stay without spills.", parts, sum,
                                 verdict.pass ? "up to" : "only", point.mostFragments);
    if (!verdict.pass || !point.otherRegisters || point.launches.empty() || !point.launches.front().threads)
        return verdict;
    const std::int64_t threads = *point.launches.front().threads;
    verdict.value = sum + *point.otherRegisters;
    verdict.limit = computeRegistersLeft(limits.sm, point.minBlocks, threads);
    verdict.pass = *verdict.value <= *verdict.limit;
    verdict.reason = fmt::format("{} + others {:.4g} = {:.4g} registers per thread; {} block{} of {} threads leave{} {:.0f}.", parts,
                                 *point.otherRegisters, *verdict.value, point.minBlocks, point.minBlocks == 1 ? "" : "s", threads,
                                 point.minBlocks == 1 ? "s" : "", *verdict.limit);
    return verdict;
}

GateVerdict judgeCoalescing(const PlannedPoint& point, const GateLimits& limits)
{
    GateVerdict verdict =
        begin(SpaceGate::coalescing, !point.global.empty(), "The descriptor does not say how a warp accesses global memory.");
    verdict.limit = limits.minSectorEfficiency;
    for (const PlannedPoint::Access& each : point.global) {
        const SectorUse use = sectorUse(each.access);
        if (!use.aligned) {
            verdict.value = use.efficiency;
            verdict.pass = false;
            verdict.reason =
                fmt::format("{}: lanes' addresses are not multiples of the access size, {} bytes.", each.name, each.access.bytes);
            return verdict;
        }
        if (verdict.value && use.efficiency >= *verdict.value)
            continue;
        verdict.value = use.efficiency;
        verdict.pass = use.efficiency >= limits.minSectorEfficiency;
        verdict.reason = fmt::format("{}: {} bytes per lane, {} sectors per warp, {} of their bytes used{}", each.name, each.access.bytes,
                                     use.sectors, formatPercent(use.efficiency),
                                     verdict.pass ? "." : fmt::format("; {} is required.", formatPercent(limits.minSectorEfficiency)));
    }
    return verdict;
}

GateVerdict judgeBanks(const PlannedPoint& point)
{
    GateVerdict verdict =
        begin(SpaceGate::bankConflicts, !point.shared.empty(), "The descriptor does not say how tiles lie in shared memory.");
    verdict.limit = 1;
    for (const PlannedPoint::Tile& each : point.shared) {
        const std::optional<int> ways = phaseConflictWays(each.tile);
        if (!ways) {
            verdict.value.reset();
            verdict.pass = false;
            verdict.reason = fmt::format("{}: rows of {} bytes with row mask {} cannot be read 16 bytes at a time.", each.name,
                                         each.tile.pitch, each.tile.rowMask);
            return verdict;
        }
        if (verdict.value && *ways <= *verdict.value)
            continue;
        verdict.value = *ways;
        verdict.pass = *ways == 1;
        verdict.reason = *ways == 1 ? fmt::format("{}: eight rows of {} bytes fall on eight bank groups.", each.name, each.tile.pitch)
                                    : fmt::format("{}: {}-way conflicts, since {} of eight rows {} bytes apart fall on one bank group.",
                                                  each.name, *ways, *ways == 8 ? "all" : std::to_string(*ways), each.tile.pitch);
    }
    return verdict;
}

} // namespace

const char* toWord(SpaceGate gate) noexcept
{
    switch (gate) {
    case SpaceGate::sharedMemory: return "shared-memory";
    case SpaceGate::threads: return "threads";
    case SpaceGate::occupancy: return "occupancy";
    case SpaceGate::registers: return "registers";
    case SpaceGate::coalescing: return "coalescing";
    case SpaceGate::bankConflicts: break;
    }
    return "bank-conflicts";
}

const char* titleFor(SpaceGate gate) noexcept
{
    switch (gate) {
    case SpaceGate::sharedMemory: return "Shared memory";
    case SpaceGate::threads: return "Threads and shape";
    case SpaceGate::occupancy: return "Occupancy";
    case SpaceGate::registers: return "Registers";
    case SpaceGate::coalescing: return "Coalescing";
    case SpaceGate::bankConflicts: break;
    }
    return "Bank conflicts";
}

int computeRegistersLeft(const SmLimits& sm, int blocks, std::int64_t threads)
{
    const std::int64_t warps = (threads + kWarpSize - 1) / kWarpSize * blocks;
    const std::int64_t each = warps > 0 ? sm.registers / (warps * kWarpSize) / kRegisterStep * kRegisterStep : 0;
    return static_cast<int>(std::min<std::int64_t>(each, kMaxThreadRegisters));
}

std::array<GateVerdict, kSpaceGates.size()> judgePoint(const PlannedPoint& point, const GateLimits& limits)
{
    return {judgeSharedMemory(point, limits), judgeThreads(point), judgeOccupancy(point, limits), judgeRegisters(point, limits),
            judgeCoalescing(point, limits),   judgeBanks(point)};
}

} // namespace kl::inline spaces
