// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/gates.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kl::inline spaces {

/// What one line of the source was compiled to. Inlined code counts for its own line, loop bodies once.
struct CodeLine {
    int line = 0; ///< 1-based
    std::map<std::string, std::int64_t> opcodes;

    std::int64_t instructions() const;
    bool operator==(const CodeLine&) const = default;
};

/// The compiler's report on the kernel of one launch; needs no GPU.
struct CompiledLaunch {
    std::string entry;
    int threads = 0; ///< a block
    int registers = 0;
    std::int64_t stackBytes = 0;  ///< a thread's frame in local memory: local arrays, and what is spilled
    std::int64_t spillStores = 0; ///< bytes per thread
    std::int64_t spillLoads = 0;  ///< bytes per thread
    std::int64_t staticSmem = 0;  ///< bytes per block
    std::int64_t dynamicSmem = 0;
    int barriers = 0;
    std::map<std::string, std::int64_t> opcodes; ///< instruction mix of the PTX by class, as LaunchFacts::opcodes
    std::vector<CodeLine> lines = {};            ///< the same by line, in their order, where it was requested

    bool operator==(const CompiledLaunch&) const = default;
};

/// The launch on an SM, by its real registers and shared memory.
Occupancy computeOccupancy(const SmLimits& sm, const CompiledLaunch& launch);

/// Bytes of local memory that a thread may use and still be worth measuring. Seen on an H200 over 472 points of the attention kernel on
/// nine problems, D = 64 and 128: some with up to 56 are the fastest of all, none with more than 64 comes within 15 % of the best.
inline constexpr std::int64_t kMostLocalBytes = 64;

/// What the compiled code of a point is judged by.
struct CompiledVerdict {
    bool pass = true;
    std::string gate;   ///< "spills", "occupancy"; empty when it passes
    std::string reason; ///< a sentence with the figures
};

/// The check after compiling: no launch keeps more than kMostLocalBytes in local memory, spilled or not; by real registers the first fits
/// `minBlocks` times per SM, and every launch has the least occupancy.
CompiledVerdict judgeCompiled(const std::vector<CompiledLaunch>& launches, const GateLimits& limits, int minBlocks);

} // namespace kl::inline spaces
