// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kl {

/// A text of a foreign file as UTF-8: bytes that are none become U+FFFD, control characters but line feeds and tabs are left out.
std::string cleanText(std::string_view bytes);

/// ncu's markup in words, as its own CSV has it: "@section:ID:Title@" is "Title", "@url:Title:URL@" is "Title (URL)".
std::string withoutMarkup(const std::string& text);

} // namespace kl
