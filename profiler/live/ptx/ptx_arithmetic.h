// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/warp_machine.h"

#include <span>

namespace kl::inline live {

/// A value as stored in a register of this type: narrower bits are cut or, for signed types, extended within 64.
std::uint64_t extendValue(std::uint64_t value, PtxType type);

/// Result of one lane's instruction from its operands' bits; unset if not evaluated.
std::optional<std::uint64_t> evaluate(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in);

/// Results of instructions that use other lanes: vote, match, activemask, shfl, elect. Unset for others.
std::optional<LaneValues> acrossLanes(const PtxInstruction& instruction, std::span<const LaneValues> in, std::uint32_t active);

} // namespace kl::inline live
