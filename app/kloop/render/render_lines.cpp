// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "profiler/protocol/program_trace.h"
#include "sessions/measure/hot_lines.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::cli {
namespace {

constexpr std::size_t kLinesShown = 5;
constexpr std::size_t kTextShown = 72;

std::string formatLocation(const std::string& file, int line)
{
    return file == kSourceFile && line > 0 ? std::to_string(line) : placeText(file, line);
}

std::string formatHotPlace(const HotLine& hot)
{
    return hot.offset ? fmt::format("{:#x}", *hot.offset) : formatLocation(hot.line.file, hot.line.line);
}

/// "long scoreboard 81 %, for line 12": of the line's own samples.
std::string stallText(const HotLine& hot)
{
    std::string text = stallTitle(hot.stall);
    if (const auto samples = hot.line.stalls.find(hot.stall); samples != hot.line.stalls.end() && hot.line.samples > 0)
        text += ' ' + formatPercent(100.0 * static_cast<double>(samples->second) / static_cast<double>(hot.line.samples));
    if (!hot.offset && hot.cause != LinePlace{hot.line.file, hot.line.line})
        text += ", for line " + formatLocation(hot.cause.file, hot.cause.line);
    return text;
}

std::string shortenText(const std::string& text)
{
    if (text.size() <= kTextShown)
        return text;
    std::size_t end = kTextShown - 3;
    while (end > 0 && (text[end] & 0xC0) == 0x80) // not inside a character
        --end;
    return text.substr(0, end) + "...";
}

} // namespace

std::string renderHotLines(const RunRecord& run, const Catalog& catalog)
{
    const HotLines hot = hotLines(run, catalog, kLinesShown);
    if (hot.lines.empty())
        return run.sourceProfile ? fmt::format("\n  No hot lines: {}\n", hot.unavailable) : std::string();
    std::int64_t counted = 0;
    for (const HotLine& one : hot.lines)
        counted += one.line.executed ? 1 : 0;
    std::vector<std::string> headings{hot.instructions ? "Offset>" : "Line>", "Time>", "Waits for"};
    if (counted > 0)
        headings.emplace_back("Executed>");
    headings.emplace_back(hot.instructions ? "Instruction" : "Source");
    Table table(headings);
    for (const HotLine& one : hot.lines) {
        std::vector<std::string> row{formatHotPlace(one), formatPercent(one.line.share * 100), stallText(one)};
        if (counted > 0)
            row.push_back(one.line.executed ? formatNumber(static_cast<double>(*one.line.executed)) : "");
        row.push_back(shortenText(one.offset ? demangle(one.text) : one.text));
        table.add(std::move(row));
    }
    std::string text =
        '\n' +
        applyTone(hot.instructions ? "Where the time goes, by machine instruction" : "Where the time goes, by source line", Tone::strong) +
        '\n' + table.text("  ");
    return hot.note.empty() ? text : text + "  " + hot.note + '\n';
}

} // namespace kl::cli
