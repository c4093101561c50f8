// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace kl {

/// FNV-1a of a text, 64 bits: detects damage and makes reproducible choices; not a security measure.
constexpr std::uint64_t computeChecksum(std::string_view text)
{
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    for (const char byte : text)
        sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return sum;
}

} // namespace kl
