// SPDX-License-Identifier: MIT
#include "app/kloop/table.h"

#include "core/base/format.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace kl {

bool mayColour()
{
    static const bool may = [] {
        const char* no = std::getenv("NO_COLOR");
        return ::isatty(STDOUT_FILENO) != 0 && !(no && *no);
    }();
    return may;
}

std::string toned(const std::string& text, Tone tone)
{
    if (tone == Tone::plain || !mayColour())
        return text;
    const char* start = tone == Tone::strong ? "\033[1m" : tone == Tone::good ? "\033[32m" : tone == Tone::bad ? "\033[31m" : "\033[2m";
    return start + text + "\033[0m";
}

std::size_t displayWidth(const std::string& text)
{
    std::size_t width = 0;
    bool escape = false;
    for (const char c : text) {
        if (c == '\033')
            escape = true;
        else if (escape)
            escape = c != 'm';
        else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
            ++width;
    }
    return width;
}

std::string Table::text(const std::string& indent) const
{
    std::vector<std::vector<std::string>> lines = rows_;
    std::vector<std::string> names = headings_;
    std::vector<bool> right;
    for (std::string& name : names) {
        right.push_back(!name.empty() && name.back() == '>');
        if (right.back())
            name.pop_back();
    }
    if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); })) {
        for (std::string& name : names)
            name = toned(name, Tone::faint);
        lines.insert(lines.begin(), names);
    }
    std::vector<std::size_t> widths(names.size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < std::min(line.size(), widths.size()); ++i)
            widths[i] = std::max(widths[i], displayWidth(line[i]));
    std::string out;
    for (const auto& line : lines) {
        std::string row = indent;
        for (std::size_t i = 0; i < std::min(line.size(), widths.size()); ++i) {
            const std::string blanks(widths[i] - displayWidth(line[i]), ' ');
            row += (i > 0 ? "  " : "") + (right[i] ? blanks + line[i] : line[i] + blanks);
        }
        out += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

std::string minutesCell(const std::optional<double>& minutes)
{
    return minutes ? formatMinutes(*minutes) : std::string();
}

} // namespace kl
