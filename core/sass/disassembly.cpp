// SPDX-License-Identifier: MIT
#include "core/sass/disassembly.h"

#include "core/base/clean_text.h"
#include "core/base/trimmed.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kl::inline sass {
namespace {

using Labels = std::map<std::string, std::int64_t, std::less<>>;

/// The first number of the table of live registers, e.g. 9 of "// |   9   |        |    2   |".
std::optional<int> readLive(std::string_view comment)
{
    const std::size_t bar = comment.find('|');
    const std::size_t digit = bar == std::string_view::npos ? bar : comment.find_first_not_of(' ', bar + 1);
    int live = 0;
    if (digit == std::string_view::npos || std::from_chars(comment.data() + digit, comment.data() + comment.size(), live).ec != std::errc())
        return {};
    return live;
}

/// "/*0060*/  @!P0 BRA `(.L_x_1) ;  // |  4  |"; unset for another line.
std::optional<DisassembledLine> readInstruction(std::string_view line)
{
    const std::size_t open = line.find_first_not_of(" \t");
    const std::size_t close = line.find("*/");
    if (open == std::string_view::npos || close == std::string_view::npos || line.substr(open, 2) != "/*")
        return {};
    DisassembledLine found;
    const auto [end, bad] = std::from_chars(line.data() + open + 2, line.data() + close, found.offset, 16);
    if (bad != std::errc() || end != line.data() + close)
        return {};
    const std::string_view rest = line.substr(close + 2);
    const std::size_t stop = rest.find(';');
    if (stop == std::string_view::npos)
        return {};
    found.text = cleanLine(trimText(rest.substr(0, stop)));
    if (const std::size_t comment = rest.find("//", stop); comment != std::string_view::npos)
        found.liveRegisters = readLive(rest.substr(comment));
    return found;
}

/// ".L_x_5" of ".L_x_5:   // |...": empty for another line.
std::string_view readLabel(std::string_view line)
{
    const std::size_t colon = line.find(':');
    return line.starts_with(".L") && colon != std::string_view::npos ? line.substr(0, colon) : std::string_view();
}

/// The name in ".section .text._Z4tinyPf,"ax",@progbits"; empty for another line.
std::string_view readSection(std::string_view line)
{
    const std::string_view words = trimText(line);
    constexpr std::string_view kSection = ".section";
    if (!words.starts_with(kSection))
        return {};
    const std::string_view rest = trimText(words.substr(kSection.size()));
    return rest.substr(0, rest.find(','));
}

void resolve(std::string& text, const Labels& labels)
{
    const std::size_t open = text.find("`(");
    const std::size_t close = text.find(')', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos)
        return;
    if (const auto label = labels.find(std::string_view(text).substr(open + 2, close - open - 2)); label != labels.end())
        text.replace(open, close + 1 - open, fmt::format("{:#x}", label->second));
}

} // namespace

std::map<std::string, std::vector<DisassembledLine>> readDisassembly(std::string_view text)
{
    std::map<std::string, std::vector<DisassembledLine>> sections;
    std::map<std::string, Labels> labels;
    std::string section;
    std::vector<std::string> waiting; ///< labels before the next instruction
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const std::string_view name = readSection(line); !name.empty()) {
            section = name;
            waiting.clear();
        } else if (const std::string_view label = readLabel(line); !label.empty()) {
            waiting.emplace_back(label);
        } else if (auto instruction = readInstruction(line)) {
            for (const std::string& before : waiting)
                labels[section][before] = instruction->offset;
            waiting.clear();
            sections[section].push_back(std::move(*instruction));
        }
    }
    for (auto& [name, lines] : sections)
        for (DisassembledLine& line : lines)
            resolve(line.text, labels[name]);
    return sections;
}

} // namespace kl::inline sass
