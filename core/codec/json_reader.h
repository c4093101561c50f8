// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kl {

/// Deepest nesting that is read: what walks a value calls itself once per level, and a file of brackets must not end the program.
inline constexpr std::size_t kMaxJsonDepth = 256;

/// Why a text is not JSON, and at which byte.
struct JsonFault {
    std::size_t offset = 0;
    std::string message; ///< no full stop
};

/// Reads a text, in UTF-8 with or without a byte order mark, into `value`; of two members of one name the latter counts. Faults: what is
/// not JSON, a number that no double holds, more than kMaxJsonDepth levels.
std::optional<JsonFault> readJson(std::string_view text, Json& value);

} // namespace kl
