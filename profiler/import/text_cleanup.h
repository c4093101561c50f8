// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// ncu's markup in words, as its own CSV has it: "@section:ID:Title@" is "Title", "@url:Title:URL@" is "Title (URL)".
std::string withoutMarkup(const std::string& text);

} // namespace kl
