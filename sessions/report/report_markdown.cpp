// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"
#include "sessions/report/report_model.h"

#include <fmt/format.h>
#include <string_view>

namespace kl::inline report {
namespace {

/// A cell or a line of text that Markdown does not take for markup of its own: no table, emphasis, code, HTML, link, heading or quotation,
/// and no address that a reader's renderer would make a link of.
std::string escapeMarkdown(const std::string& text)
{
    constexpr std::string_view kMarkup = "\\|*_`<[]";
    const std::string line = cleanLine(text);
    std::string safe;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool address = (c == ':' && line.substr(i).starts_with("://")) || (c == '.' && i >= 3 && line.substr(i - 3, 3) == "www");
        if (address || kMarkup.find(c) != std::string_view::npos || (safe.empty() && text.size() > 1 && (c == '#' || c == '>')))
            safe += '\\';
        safe += c;
    }
    return safe;
}

/// Between fences that are longer than any run of backticks in it.
std::string codeText(const std::string& raw)
{
    const std::string code = cleanText(raw);
    std::string fence = "```";
    while (code.find(fence) != std::string::npos)
        fence += '`';
    return fmt::format("{0}sh\n{1}\n{0}\n\n", fence, code);
}

std::string tableText(const ReportModel::Table& table)
{
    std::string text = "|";
    for (const std::string& column : table.columns)
        text += fmt::format(" {} |", escapeMarkdown(column));
    text += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += i >= table.numericFrom ? " ---: |" : " --- |";
    text += '\n';
    for (const std::vector<std::string>& row : table.rows) {
        text += '|';
        for (const std::string& cell : row)
            text += fmt::format(" {} |", escapeMarkdown(cell));
        text += '\n';
    }
    return text + '\n';
}

} // namespace

std::string toMarkdown(const ReportModel& report)
{
    std::string text = fmt::format("# {}\n\n{}\n\n**{}**\n\n", escapeMarkdown(report.title), escapeMarkdown(report.subtitle),
                                   escapeMarkdown(report.verdict));
    ReportModel::Table figures{{"", "", ""}, {}, 99};
    for (const ReportModel::KeyFigure& figure : report.figures)
        figures.rows.push_back({figure.label, figure.value, figure.note});
    if (!figures.rows.empty())
        text += tableText(figures);
    for (const ReportModel::Section& section : report.sections) {
        text += fmt::format("## {}\n\n", escapeMarkdown(section.title));
        for (const std::string& paragraph : section.paragraphs)
            text += escapeMarkdown(paragraph) + "\n\n";
        for (const ReportModel::Chart& chart : section.charts)
            text += fmt::format("*{}*\n\n", escapeMarkdown(chart.sentence));
        for (const ReportModel::Table& table : section.tables)
            text += tableText(table);
        if (!section.code.empty())
            text += codeText(section.code);
    }
    text.pop_back(); // one line break at the end
    return text;
}

} // namespace kl::inline report
