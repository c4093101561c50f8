// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl::inline nsight {

/// ncu's markup as plain text, as in its own CSV: "@section:ID:Title@" is "Title", "@url:Title:URL@" is "Title (URL)".
std::string withoutMarkup(const std::string& text);

} // namespace kl::inline nsight
