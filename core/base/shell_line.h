// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A command line for a shell: words that a shell would change are in single quotes.
std::string shellLine(const std::vector<std::string>& words);

/// A text with every character that a terminal would obey or hide as \xNN: control characters, those that turn the direction of writing
/// or have no width, and bytes that are not UTF-8.
std::string visibleText(std::string_view text);

} // namespace kl
