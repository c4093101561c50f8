// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace kl::support {

// Fields of protocol buffers as they are written, by their numbers: for messages of which no definition is at hand.

inline std::string wireVarint(std::uint64_t value)
{
    std::string raw;
    for (; value >= 0x80; value >>= 7U)
        raw += static_cast<char>(value | 0x80U);
    return raw + static_cast<char>(value);
}

inline std::string wireNumber(std::uint32_t field, std::uint64_t value)
{
    return wireVarint(field << 3U) + wireVarint(value);
}

inline std::string wireBytes(std::uint32_t field, const std::string& content)
{
    return wireVarint(field << 3U | 2U) + wireVarint(content.size()) + content;
}

/// Of 32 or 64 bits.
template <class T> std::string wireFixed(std::uint32_t field, T value)
{
    std::string raw(sizeof value, '\0');
    std::memcpy(raw.data(), &value, sizeof value);
    return wireVarint(field << 3U | (sizeof value == 4 ? 5U : 1U)) + raw;
}

} // namespace kl::support
