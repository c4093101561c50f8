// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A command line as a shell takes it: a word that a shell would change stands in single quotes.
std::string shellLine(const std::vector<std::string>& words);

/// A text with every character that a terminal would obey or hide as \xNN: control characters, those that turn the direction of writing
/// or have no width, and bytes that are no UTF-8.
std::string visibleText(std::string_view text);

} // namespace kl
