// SPDX-License-Identifier: MIT
#include "core/base/shell_line.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kl {
namespace {

/// Length of the sequence of UTF-8 that begins here and may be shown; 0 where none does.
std::size_t countVisible(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return first >= 0x20 && first != 0x7F ? 1 : 0;
    const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    unsigned point = length == 2 ? first & 0x1FU : length == 3 ? first & 0x0FU : first & 0x07U;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return 0;
        point = point << 6U | (byte(i) & 0x3FU);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool control = point < 0xA0;
    const bool hidden = point == 0xAD || point == 0x61C || point == 0x180E || (point >= 0x200B && point <= 0x200F) ||
                        (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
                        (point >= 0xD800 && point <= 0xDFFF) || point >= 0xE0000;
    return overlong || control || hidden ? 0 : length;
}

} // namespace

std::string shellLine(const std::vector<std::string>& words)
{
    const auto plain = [](char c) {
        const auto byte = static_cast<unsigned char>(c); // from 0x80 on a part of a letter
        return byte >= 0x80 || std::isalnum(byte) != 0 || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
    };
    std::string line;
    for (const std::string& word : words) {
        const bool quote = word.empty() || !std::ranges::all_of(word, plain);
        std::string safe;
        for (const char c : word)
            safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += (line.empty() ? "" : " ") + (quote ? '\'' + safe + '\'' : word);
    }
    return line;
}

std::string visibleText(std::string_view text)
{
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = countVisible(text, at);
        shown += length == 0 ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at])) : std::string(text.substr(at, length));
        at += length == 0 ? 1 : length;
    }
    return shown;
}

} // namespace kl
