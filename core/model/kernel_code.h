// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// One machine instruction with what was counted at it. A counter is unset where it was not collected, and for instructions that it does
/// not apply to.
struct CodeInstruction {
    int function = 0;        ///< index into KernelCode::functions
    std::int64_t offset = 0; ///< bytes from the function's start
    int file = -1;           ///< index into KernelCode::files; −1: not in the line table
    int line = 0;            ///< 1-based; 0 when unknown
    std::string text;        ///< see KernelCode::language; empty where it is not known
    std::optional<int> liveRegisters;
    std::int64_t samples = 0;                    ///< of warps whose program counter was here
    std::vector<std::int64_t> stalls;            ///< samples by reason, as KernelCode::stalls lists them, the last ones left out if 0
    std::optional<std::int64_t> executed;        ///< warp-level executions
    std::optional<std::int64_t> threads;         ///< thread-level executions
    std::optional<std::int64_t> sectors;         ///< L2 sectors that its global accesses request (memory_l2_theoretical_sectors_global)
    std::optional<std::int64_t> idealSectors;    ///< if the same threads accessed consecutive addresses
    std::optional<std::int64_t> wavefronts;      ///< in shared memory
    std::optional<std::int64_t> idealWavefronts; ///< without bank conflicts

    /// Wavefronts that bank conflicts add.
    std::optional<std::int64_t> bankConflicts() const
    {
        return wavefronts && idealWavefronts ? std::optional(*wavefronts - *idealWavefronts) : std::nullopt;
    }
    bool operator==(const CodeInstruction&) const = default;
};

/// What `CodeInstruction::text` is in.
enum class CodeLanguage {
    none, ///< no texts
    ptx,  ///< the PTX that the instruction was assembled from
    sass,
};

/// The machine code of a sampled launch, with its counters. Immutable once it is part of a run.
struct KernelCode {
    CodeLanguage language = CodeLanguage::none;
    int computeCapability = 0;                 ///< of the code: 90 for 9.0; 0 when not known
    std::vector<std::string> functions;        ///< mangled; first the kernel, then functions that it calls
    std::vector<std::string> files;            ///< as in SourceLine::file
    std::vector<std::string> stalls;           ///< reasons ("long_scoreboard"), as in SampledInstruction::stalls
    std::vector<CodeInstruction> instructions; ///< by function and offset
    std::string image;                         ///< the cubin or, of a large one, the kernel's own instructions, until they are disassembled
    std::string notDisassembled;               ///< why `language` is not sass; empty when it is

    std::int64_t samples() const;
    bool operator==(const KernelCode&) const = default;
};

} // namespace kl
