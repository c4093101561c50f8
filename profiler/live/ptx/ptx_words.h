// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/ptx_code.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kl::inline live {

/// 42, -3, 0x1F, 0f3F800000, 0dBFF0000000000000, 5U; the bits of a floating-point number.
std::optional<std::int64_t> ptxNumber(std::string_view text);

/// Of a suffix without its dot: "u32", "f16x2", "pred".
std::optional<PtxType> parsePtxType(std::string_view part);

/// Of an opcode's first part: "add".
PtxOperation parsePtxOperation(std::string_view base);

/// Of a suffix of setp. Ordered, unordered and unsigned forms of one comparison are equivalent here: known values are numbers.
std::optional<PtxComparison> parsePtxComparison(std::string_view part);

} // namespace kl::inline live
