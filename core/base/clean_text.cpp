// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 sequence that begins here, 0 where none does (RFC 3629).
std::size_t sequenceAt(std::string_view bytes, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xBF)
            return 0;
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool outside = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

std::uint32_t codePoint(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence.front());
    std::uint32_t code = sequence.size() == 1 ? first : first & (0x7FU >> sequence.size());
    for (const char next : sequence.substr(1))
        code = code << 6U | (static_cast<unsigned char>(next) & 0x3FU);
    return code;
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

/// Control characters, and the invisible ones of Unicode's category Cf that lead a reader astray: soft hyphen, directional marks,
/// embeddings, overrides and isolates, zero-width space and word joiner, separators of lines and paragraphs, annotations, tags.
constexpr std::array kHidden = {Range{0x00, 0x08},      Range{0x0B, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},
                                Range{0x61C, 0x61C},    Range{0x180E, 0x180E}, Range{0x200B, 0x200B}, Range{0x200E, 0x200F},
                                Range{0x2028, 0x202E},  Range{0x2060, 0x206F}, Range{0xFEFF, 0xFEFF}, Range{0xFFF9, 0xFFFB},
                                Range{0xE0000, 0xE007F}};

bool isHidden(std::uint32_t code)
{
    return std::ranges::any_of(kHidden, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

bool isPlain(char c)
{
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

/// Every character through one of two functions: one for hidden characters and bytes that are not UTF-8, the other for the rest.
template <class Hidden, class Broken> std::string filterCharacters(std::string_view bytes, Hidden hidden, Broken broken)
{
    std::string out;
    out.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = isPlain(bytes[at]) ? 1 : sequenceAt(bytes, at);
        const std::string_view here = bytes.substr(at, std::max<std::size_t>(length, 1));
        if (length == 0)
            out += broken(here);
        else if (!isPlain(here.front()) && isHidden(codePoint(here)))
            out += hidden(codePoint(here));
        else
            out += here;
        at += here.size();
    }
    return out;
}

} // namespace

std::string cleanText(std::string_view bytes)
{
    if (std::ranges::all_of(bytes, isPlain)) // nearly every text: names of metrics
        return std::string(bytes);
    return filterCharacters(
        bytes, [](std::uint32_t) { return ""; }, [](std::string_view) { return kReplacement; });
}

std::string cleanLine(std::string_view bytes)
{
    std::string line = cleanText(bytes);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return line;
}

std::string escapeHidden(std::string_view json)
{
    if (std::ranges::all_of(json, isPlain))
        return std::string(json);
    const auto escape = [](std::uint32_t code) {
        if (code < 0x10000)
            return fmt::format("\\u{:04x}", code);
        return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10U), 0xDC00 + (code & 0x3FFU));
    };
    return filterCharacters(json, escape, [](std::string_view byte) { return std::string(byte); });
}

} // namespace kl
