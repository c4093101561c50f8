// SPDX-License-Identifier: MIT
// Quantities of the launch and its compiled code that say whether a fix can apply: no counters needed.
#include "core/diagnosis/quantities.h"

#include <array>

namespace kl::inline diagnosis {
namespace {

Value registers(const RunFacts& f)
{
    return f.launch() && f.launch()->registers > 0 ? Value(f.launch()->registers) : std::nullopt;
}

/// 1 where the occupancy calculator's limiter is that one; nothing where it named none.
Value computeLimitedBy(const RunFacts& f, std::string_view limiter)
{
    if (!f.launch() || f.launch()->occupancyLimiter.empty())
        return {};
    return f.launch()->occupancyLimiter == limiter ? 1 : 0;
}

Value byRegisters(const RunFacts& f)
{
    return computeLimitedBy(f, "registers");
}
Value bySharedMemory(const RunFacts& f)
{
    return computeLimitedBy(f, "shared memory");
}

/// Spills appear only when PTX becomes machine code: what the PTX has is an array of the program.
Value localOpcodes(const RunFacts& f)
{
    if (!f.launch() || f.launch()->opcodes.empty())
        return {};
    double count = 0;
    for (const auto& [name, opcodeCount] : f.launch()->opcodes)
        if (name == "ld.local" || name == "st.local")
            count += static_cast<double>(opcodeCount);
    return count;
}

/// Far below 100 where the time is spread over several launches.
Value longestLaunch(const RunFacts& f)
{
    Value longest;
    for (const LaunchFacts& launch : f.run().launches)
        longest = findLargest({longest, launch.gpuNs});
    return times(quotient(longest, f.sequenceNs()), 100);
}

Value clusterBlocks(const RunFacts& f)
{
    return f.launch() ? Value(static_cast<double>(f.launch()->clusterBlocks)) : std::nullopt;
}

constexpr std::array<Quantity, 6> kLaunch{{
    {"registers", "registers", "", "registers per thread of the compiled kernel", registers},
    {"limited_by_registers", "registers limit occupancy", "", "1 when the occupancy calculator names registers", byRegisters,
     "registers do not limit occupancy"},
    {"limited_by_shared_memory", "shared memory limits occupancy", "", "1 when the occupancy calculator names shared memory",
     bySharedMemory, "shared memory does not limit occupancy"},
    {"local_opcodes", "local accesses in the PTX", "count", "ld.local and st.local of the PTX: arrays indexed at run time", localOpcodes},
    {"longest_launch_percent", "longest launch of the sequence", "%", "time of the longest launch / the whole sequence's", longestLaunch},
    {"cluster_blocks", "blocks per cluster", "", "blocks of a thread block cluster; 1 without clusters", clusterBlocks},
}};

} // namespace

std::span<const Quantity> launchQuantities()
{
    return kLaunch;
}

} // namespace kl::inline diagnosis
