// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/warp_machine.h"

#include <span>

namespace kl {

/// A value as a register of this type holds it: narrower bits are cut or, for signed types, extended within 64.
std::uint64_t extended(std::uint64_t value, PtxType type);

/// Result of one lane's instruction from its operands' bits; nothing for what is not evaluated.
std::optional<std::uint64_t> evaluate(const PtxInstruction& instruction, const std::array<std::uint64_t, 4>& in);

/// Results of instructions that look at other lanes: vote, match, activemask, shfl, elect. Nothing for others.
std::optional<LaneValues> acrossLanes(const PtxInstruction& instruction, std::span<const LaneValues> in, std::uint32_t active);

} // namespace kl
