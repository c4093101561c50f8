// SPDX-License-Identifier: MIT
#include "core/base/csv_line.h"

#include "core/base/clean_text.h"

#include <cstdlib>

namespace kl {
namespace {

bool isNumber(const std::string& text)
{
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size();
}

std::string field(const std::string& raw)
{
    std::string text = cleanText(raw); // first: what is left out must not hide how it begins
    if (!text.empty() && std::string("=+-@\t\r").find(text.front()) != std::string::npos && !isNumber(text))
        text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

std::string csvLine(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i > 0 ? "," : "") + field(cells[i]);
    return line + "\r\n";
}

} // namespace kl
