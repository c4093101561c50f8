// SPDX-License-Identifier: MIT
#include "core/base/xml.h"
#include "kernels/data/base64.h"
#include "sessions/report/report_model.h"

#include <fmt/format.h>

/// HTML as Qt's rich text engine draws it: no grid, no custom properties, no inline SVG; attributes of tables instead.
namespace kl::inline report {
namespace {

constexpr const char* kPrintStyle =
    "body{font-family:sans-serif;font-size:9pt;color:#17202B}h1{font-size:16pt}h2{font-size:12pt}"
    "th{background-color:#EEF2F7;color:#556273}.code{font-family:monospace;font-size:8pt;white-space:pre-wrap}."
    "sub{color:#556273}.good,.pass{color:#00669E}.bad,.fail{color:#B84300}";

std::string printedTable(const ReportModel::Table& table)
{
    std::string html = "<table width=\"100%\" border=\"1\" cellspacing=\"0\" cellpadding=\"4\" style=\"border-color:#D5DCE6\"><tr>";
    const auto align = [&](std::size_t column) { return column >= table.numericFrom ? "right" : "left"; };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        html += fmt::format("<th align=\"{}\">{}</th>", align(i), escapeXml(table.columns[i]));
    html += "</tr>\n";
    for (const std::vector<std::string>& row : table.rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            const char* cssClass = row[i].starts_with("✓") ? "pass" : row[i].starts_with("✕") ? "fail" : "plain";
            html += fmt::format("<td align=\"{}\" class=\"{}\">{}</td>", align(i), cssClass, escapeXml(row[i]));
        }
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

} // namespace

std::string toPrintHtml(const ReportModel& report)
{
    std::string html = fmt::format("<html><head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n",
                                   escapeXml(report.title), kPrintStyle);
    html += fmt::format("<p class=\"sub\">{}</p>\n<p class=\"{}\"><b>{}</b></p>\n", escapeXml(report.subtitle), report.tone,
                        escapeXml(report.verdict));
    html += "<table width=\"100%\" cellpadding=\"4\"><tr>";
    for (const ReportModel::KeyFigure& figure : report.figures)
        html += fmt::format(
            "<td><span class=\"sub\">{}</span><br><span style=\"font-size:18pt\">{}</span><br><span class=\"sub\">{}</span></td>",
            escapeXml(figure.label), escapeXml(figure.value), escapeXml(figure.note));
    html += "</tr></table>\n";
    for (const ReportModel::Section& section : report.sections) {
        html += fmt::format("<h2>{}</h2>\n", escapeXml(section.title));
        for (const std::string& paragraph : section.paragraphs)
            html += fmt::format("<p>{}</p>\n", escapeXml(paragraph));
        for (const ReportModel::Chart& chart : section.charts) {
            if (!chart.svg.empty())
                html += fmt::format("<p><img width=\"600\" src=\"data:image/svg+xml;base64,{}\"></p>\n", toBase64(chart.svg));
            html += fmt::format("<p class=\"sub\">{}</p>\n", escapeXml(chart.sentence));
        }
        for (const ReportModel::Table& table : section.tables)
            html += printedTable(table);
        if (!section.code.empty())
            html += fmt::format("<pre class=\"code\">{}</pre>\n", escapeXml(section.code));
    }
    return html + "</body></html>\n";
}

} // namespace kl::inline report
