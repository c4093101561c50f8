// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace kl::inline sass {

/// A machine instruction of a launch, and how often it was executed, over the whole GPU. What was not counted is unset.
struct ExecutedInstruction {
    std::uint64_t low = 0; ///< its two words
    std::uint64_t high = 0;
    std::int64_t warps = 0;                      ///< warp instructions
    std::int64_t threads = 0;                    ///< of them, with the lane active
    std::optional<std::int64_t> sectors;         ///< of 32 bytes that its accesses to global memory touch
    std::optional<std::int64_t> idealSectors;    ///< that the requested bytes would fill
    std::optional<std::int64_t> wavefronts;      ///< passes that its accesses to shared memory take
    std::optional<std::int64_t> idealWavefronts; ///< minimum for the requested bytes
};

/// What a warp of the launch executes and touches, from the counts of all of its instructions; `warps`: of the launch. The classes are
/// instructionClass()'s. Which sectors the warps of a block share is not counted: blockSectors is that of no sharing. An atomic's
/// different addresses are not counted either: atomicAddresses holds the sectors that it touches, at most as many.
WarpModel buildExecutedModel(std::span<const ExecutedInstruction> instructions, double warps);

/// The instructions by class, each counted once: the mix of the code, as LaunchFacts::opcodes has that of PTX.
std::map<std::string, std::int64_t> codeMix(std::span<const ExecutedInstruction> instructions);

} // namespace kl::inline sass
