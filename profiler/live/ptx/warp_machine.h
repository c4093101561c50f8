// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/ptx_code.h"
#include "profiler/live/ptx/warp_counts.h"

#include <array>
#include <functional>
#include <map>
#include <optional>

namespace kl::inline live {

/// A register of all lanes: its values, and the lanes in which they are known.
struct LaneValues {
    std::array<std::uint64_t, 32> lane{};
    std::uint32_t known = 0;
};

/// The position of a warp in its grid.
struct WarpPlace {
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::array<std::uint32_t, 3> blockIndex{};
    int warp = 0;
    std::int64_t dynamicSmem = 0;
};

/// Reads `bytes` (1, 2, 4, 8) at an address of global memory; unset if unknown.
using MemoryReader = std::function<std::optional<std::uint64_t>(std::uint64_t address, int bytes)>;

/// Runs one warp of a kernel and counts its instructions and accesses.
class WarpMachine {
public:
    WarpMachine(const PtxCode& code, const std::map<std::string, std::uint64_t>& params, const MemoryReader& memory)
        : code_(code), params_(params), memory_(memory)
    {
    }

    /// At most `budget` instructions; false when that is not enough.
    bool run(const WarpPlace& place, std::int64_t budget, WarpCounts& counts);

private:
    void step(const PtxInstruction& instruction, std::uint32_t active, WarpCounts& counts);
    void branch(const PtxInstruction& instruction, int at, std::uint32_t active, WarpCounts& counts);
    std::uint32_t findGuardedLanes(const PtxInstruction& instruction, std::uint32_t active, bool& allKnown) const;
    LaneValues read(const PtxOperand& operand) const;
    LaneValues special(const std::string& name) const;
    LaneValues addresses(const PtxOperand& operand) const;
    LaneValues loadValues(const PtxInstruction& instruction, const LaneValues& at, std::uint32_t active, int element) const;
    void access(const PtxInstruction& instruction, std::uint32_t active, WarpCounts& counts);
    LaneValues computeValues(const PtxInstruction& instruction, std::uint32_t active) const;
    void write(int reg, const LaneValues& value, std::uint32_t active, bool guardKnown);
    void writeResult(const PtxOperand& operand, const LaneValues& value, std::uint32_t active, bool guardKnown);

    const PtxCode& code_;
    const std::map<std::string, std::uint64_t>& params_;
    const MemoryReader& memory_;
    WarpPlace place_;
    std::vector<LaneValues> registers_;
    std::array<int, 32> pc_{};
    std::map<int, int> guesses_; ///< loops with an unknown end: iterations so far
};

} // namespace kl::inline live
