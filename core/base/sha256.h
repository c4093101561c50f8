// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kl {

/// SHA-256 (FIPS 180-4) of a text, its 32 bytes in order. For short texts: pages name their own style and script by it.
std::array<std::uint8_t, 32> sha256Of(std::string_view text);

} // namespace kl
