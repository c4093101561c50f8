// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"
#include "sessions/report/report_model.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

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

std::string lineOf(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i > 0 ? "," : "") + field(cells[i]);
    return line + "\r\n";
}

} // namespace

std::string rawNumber(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string toCsv(const ReportModel::Table& table)
{
    std::string text = lineOf(table.columns);
    for (const std::vector<std::string>& row : table.rows)
        text += lineOf(row);
    return text;
}

} // namespace kl
