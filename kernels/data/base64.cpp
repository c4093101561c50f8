// SPDX-License-Identifier: MIT
#include "kernels/data/base64.h"

#include <array>
#include <cstdint>

namespace kl::inline kernels {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    return values;
}();

} // namespace

std::string toBase64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i <= bytes.size() ? kAlphabet[group >> (18 - 6 * i) & 63U] : '=';
    }
    return text;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return {};
    std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool padded = at >= text.size() - padding;
        const int value = padded ? 0 : kValues[static_cast<unsigned char>(text[at])];
        if (value < 0)
            return {};
        group = group << 6 | static_cast<std::uint32_t>(value);
        if (at % 4 == 3)
            for (int shift = 16; shift >= 0; shift -= 8)
                bytes += static_cast<char>(group >> shift & 0xffU);
    }
    while (padding-- > 0)
        bytes.pop_back();
    return bytes;
}

} // namespace kl::inline kernels
