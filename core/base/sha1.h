// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kl {

/// SHA-1 (FIPS 180-4) of a text, its 20 bytes in order. An identity, not a security measure.
std::array<std::uint8_t, 20> computeSha1(std::string_view text);

} // namespace kl
