// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/table.h"

#include "core/base/clean_text.h"
#include "core/base/format.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace kl::cli {
namespace {

constexpr char kToneEnd = '0';

/// A cell as it is shown: clean before it is measured, with its tones.
std::string renderCell(const std::string& text)
{
    std::string line;
    std::size_t at = 0;
    for (std::size_t mark = text.find(kToneMark); mayColor() && mark != std::string::npos && mark + 1 < text.size();
         mark = text.find(kToneMark, at)) {
        line += cleanLine(std::string_view(text).substr(at, mark - at)) + text.substr(mark, 2);
        at = mark + 2;
    }
    return line + cleanLine(std::string_view(text).substr(at));
}

} // namespace

bool mayColor()
{
    static const bool may = [] {
        const char* no = std::getenv("NO_COLOR");
        return ::isatty(STDOUT_FILENO) != 0 && !(no && *no);
    }();
    return may;
}

std::string applyTone(const std::string& text, Tone tone)
{
    if (tone == Tone::plain || !mayColor())
        return text;
    const char kind = tone == Tone::strong ? 's' : tone == Tone::good ? 'g' : tone == Tone::bad ? 'b' : 'f';
    return std::string{kToneMark, kind} + text + kToneMark + kToneEnd;
}

const char* toneSequence(char tone)
{
    if (!mayColor())
        return nullptr;
    switch (tone) {
    case 's': return "\033[1m";
    case 'g': return "\033[32m";
    case 'b': return "\033[31m";
    case 'f': return "\033[2m";
    case kToneEnd: return "\033[0m";
    default: return nullptr;
    }
}

std::size_t displayWidth(const std::string& text)
{
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == kToneMark)
            ++i; // and the character after it
        else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
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
            name = applyTone(name, Tone::faint);
        lines.insert(lines.begin(), names);
    }
    for (std::vector<std::string>& line : lines)
        std::ranges::transform(line, line.begin(), renderCell);
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

} // namespace kl::cli
