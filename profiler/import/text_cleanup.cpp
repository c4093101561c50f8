// SPDX-License-Identifier: MIT
#include "profiler/import/text_cleanup.h"

#include <algorithm>
#include <cstddef>

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

} // namespace

std::string cleanText(std::string_view bytes)
{
    const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
    if (std::ranges::all_of(bytes, plain)) // nearly every text: names of metrics
        return std::string(bytes);
    std::string clean;
    clean.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = sequenceAt(bytes, at);
        const auto first = static_cast<unsigned char>(bytes[at]);
        if (length == 0)
            clean += kReplacement;
        else if (first >= 0x20 ? first != 0x7F : first == '\n' || first == '\t')
            clean += bytes.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return clean;
}

std::string withoutMarkup(const std::string& text)
{
    std::string plain;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('@', at);
        const std::size_t close = open == std::string::npos ? open : text.find('@', open + 1);
        if (close == std::string::npos)
            break;
        const std::string inner = text.substr(open + 1, close - open - 1);
        const std::size_t colon = inner.find(':', inner.find(':') == std::string::npos ? inner.size() : inner.find(':') + 1);
        const bool url = inner.starts_with("url:");
        if (colon == std::string::npos || (!url && !inner.starts_with("section:"))) {
            plain += text.substr(at, close - at); // an @ of the text itself; the second may open a mark
            at = close;
            continue;
        }
        plain += text.substr(at, open - at);
        plain += url ? inner.substr(4, colon - 4) + " (" + inner.substr(colon + 1) + ')' : inner.substr(colon + 1);
        at = close + 1;
    }
    return plain + text.substr(at);
}

} // namespace kl
