// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kl {

/// The text without blanks (space, tab, line ends) around it; a view into it.
constexpr std::string_view trimText(std::string_view text) noexcept
{
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

} // namespace kl
