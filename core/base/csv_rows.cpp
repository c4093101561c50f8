// SPDX-License-Identifier: MIT
#include "core/base/csv_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

/// Reads one field behind the cursor; stops at a comma, a line's end or the text's. False where a quote is never closed.
bool takeField(std::string_view text, std::size_t& at, std::size_t& line, std::string& field)
{
    if (at >= text.size() || text[at] != '"') {
        const std::size_t end = std::min(text.find_first_of(",\r\n", at), text.size());
        field = text.substr(at, end - at);
        at = end;
        return true;
    }
    ++at;
    while (at < text.size()) {
        const std::size_t quote = text.find('"', at);
        if (quote == std::string_view::npos)
            return false;
        const std::string_view part = text.substr(at, quote - at);
        line += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
        field += part;
        at = quote + 1;
        if (at >= text.size() || text[at] == ',' || text[at] == '\n' || text[at] == '\r')
            return true;
        field += '"';
        at += text[at] == '"' ? 1 : 0;
    }
    return false;
}

} // namespace

Result<std::vector<CsvRow>> csvRows(std::string_view text, std::size_t firstLine, const std::string& where)
{
    std::vector<CsvRow> rows;
    std::size_t line = firstLine;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '\n' || text[at] == '\r') {
            line += text[at++] == '\n' ? 1 : 0;
            continue;
        }
        CsvRow row{line, {}};
        for (bool more = true; more;) {
            if (!takeField(text, at, line, row.fields.emplace_back()))
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("{} is damaged or truncated: a quote in line {} is never closed.", where, row.line),
                             .where = fmt::format("{}, line {}", where, row.line)};
            more = at < text.size() && text[at] == ',';
            at += more ? 1 : 0;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace kl
