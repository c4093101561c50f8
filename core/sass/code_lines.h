// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/kernel_code.h"

#include <cstddef>
#include <vector>

namespace kl::inline sass {

/// Instructions of one source line together. A counter is unset where it is for all of them.
struct LineSum {
    CodeInstruction sum;                   ///< file, line and the sums; `liveRegisters`: the most; `offset`: of the first
    std::vector<std::size_t> instructions; ///< indices into KernelCode::instructions

    bool operator==(const LineSum&) const = default;
};

/// The lines of the code in the order of their first instructions; those without a line come together, as line 0.
std::vector<LineSum> sumLines(const KernelCode& code);

/// The stall that most samples of an instruction or line wait for, or "selected"; empty without samples.
std::string dominantStall(const KernelCode& code, const CodeInstruction& instruction);

/// "LDG.E" of "@!P0 LDG.E R7, desc[UR8][R6.64]"; empty without a text.
std::string_view extractOpcode(std::string_view text);

/// The indices of hot spots, ascending: those with at least a tenth of the samples of the hottest one, and more than their neighbors, so
/// that the slope of a peak is not a spot of its own. Empty without samples.
std::vector<std::size_t> hotSpots(const std::vector<std::int64_t>& samples);

} // namespace kl::inline sass
