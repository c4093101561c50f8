// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/format.h"

#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace kl::test {

/// The lines of a text for people without tones and blanks around them, each "cell | cell | cell": columns are two or more blanks apart.
inline std::vector<std::string> rowsOf(const std::string& text)
{
    static const std::regex tone("\xFF."), unit(kThinSpace), around("^ +| +$"), apart("  +");
    std::vector<std::string> rows;
    std::istringstream lines(std::regex_replace(std::regex_replace(text, tone, ""), unit, " "));
    for (std::string line; std::getline(lines, line);)
        rows.push_back(std::regex_replace(std::regex_replace(line, around, ""), apart, " | "));
    return rows;
}

/// The first of them that begins so; empty where none does.
inline std::string rowOf(const std::string& text, const std::string& begin)
{
    for (const std::string& row : rowsOf(text))
        if (row.starts_with(begin))
            return row;
    return {};
}

} // namespace kl::test
