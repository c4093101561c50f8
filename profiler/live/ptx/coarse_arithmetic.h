// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"

#include <optional>
#include <string>
#include <string_view>

namespace kl::inline live {

/// Relative L2 error from which lower precision shows. FP32: rounding the inputs to TF32 or FP16 alone gives about 2^-11 / sqrt(3) =
/// 3e-4, sums of 65536 terms in FP32 below 1e-5. FP64: FP32 arithmetic gives at least 2^-24 = 6e-8.
inline constexpr double kCoarseErrorF32 = 2e-5;
inline constexpr double kCoarseErrorF64 = 1e-9;

/// An opcode which shows that a work computes in a lower precision than that of its buffers and its descriptor ("cvt.rn.f16.f32",
/// "mma.sync…tf32…"), if its error is as large as that type's; else unset, also without PTX. `relL2`: of its output
/// against the reference.
std::optional<std::string> coarseArithmetic(const WorkSpec& work, std::string_view ptx, double relL2);

} // namespace kl::inline live
