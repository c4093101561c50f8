// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kl {

/// Whether this processor has SHA-1's rounds as instructions.
bool hasSha1Instructions() noexcept;

/// Adds `count` blocks of 64 bytes to the state, as FIPS 180-4 says, with these instructions. Precondition: hasSha1Instructions().
void addBlocksByInstructions(std::array<std::uint32_t, 5>& state, const unsigned char* blocks, std::size_t count) noexcept;

} // namespace kl
