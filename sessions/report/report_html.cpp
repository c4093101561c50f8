// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"
#include "core/base/xml.h"
#include "kernels/data/base64.h"
#include "sessions/report/report_model.h"

#include <fmt/format.h>

namespace kl::inline report {
namespace {

/// The light theme's tokens; prints without backgrounds being lost that carry meaning.
constexpr const char* kStyle = R"css(
:root{--bg:#F5F7FA;--surface:#FFFFFF;--raised:#EEF2F7;--border:#D5DCE6;--text:#17202B;--muted:#556273;--accent:#0B5CAD;--good:#00669E;--bad:#B84300;--neutral:#5F6B7A}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:13px/1.5 system-ui,"Segoe UI","Noto Sans",sans-serif}
main{max-width:880px;margin:0 auto;padding:32px 24px 48px}
h1{font-size:20px;font-weight:600;margin:0}
h2{font-size:15px;font-weight:600;margin:0 0 8px}
p{margin:0 0 8px}
.sub{color:var(--muted);font-size:12px;margin:4px 0 16px}
.verdict{border:1px solid var(--border);border-left:4px solid var(--neutral);border-radius:6px;background:var(--surface);padding:12px 16px;font-size:15px;font-weight:600}
.verdict.good{border-left-color:var(--good)}.verdict.bad{border-left-color:var(--bad)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:16px;margin:16px 0}
.figure,section{background:var(--surface);border:1px solid var(--border);border-radius:6px;padding:16px}
.figure b{display:block;font-size:28px;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap}
.figure span{color:var(--muted);font-size:12px}
section{margin-top:16px}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;margin-top:8px;font-variant-numeric:tabular-nums}
table.wide{min-width:560px}
pre{background:var(--raised);border-radius:6px;padding:8px 12px;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
th{text-align:left;background:var(--raised);font-weight:600;color:var(--muted);font-size:12px}
th,td{padding:6px 8px;border-bottom:1px solid var(--border);vertical-align:top;overflow-wrap:break-word}
.r{text-align:right;white-space:nowrap}
.pass{color:var(--good);white-space:nowrap}.fail{color:var(--bad);white-space:nowrap}
figure{margin:8px 0}figcaption{color:var(--muted);font-size:12px}
svg{width:100%;height:auto;display:block}
svg text{font:12px system-ui,"Segoe UI","Noto Sans",sans-serif;fill:#17202B;font-variant-numeric:tabular-nums}
@media (max-width:560px){body{font-size:15px}main{padding:16px 12px}section,.figure{padding:12px}th,.sub,.figure span,figcaption,footer{font-size:13px}figure svg{min-width:600px}table{font-size:13px}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--bg:#12171E;--surface:#1A212B;--raised:#232C38;--border:#364252;--text:#E6ECF3;--muted:#A3B1C2;--accent:#6FB1F5;--good:#5BB8E8;--bad:#F59A6B;--neutral:#93A1B3}figure svg{background:#fff;border-radius:6px;padding:4px}}
footer{color:var(--muted);font-size:12px;margin-top:24px}
@media print{body{background:#fff}main{padding:0;max-width:none}h2{break-after:avoid}tr,figure,.figure{break-inside:avoid}@page{margin:16mm}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

std::string cellText(const std::string& text, const char* tag, bool numeric)
{
    const std::string safe = escapeXml(text);
    const char* cssClass = numeric ? "r" : text.starts_with("✓") ? "pass" : text.starts_with("✕") ? "fail" : "";
    return *cssClass ? fmt::format("<{0} class=\"{1}\">{2}</{0}>", tag, cssClass, safe) : fmt::format("<{0}>{1}</{0}>", tag, safe);
}

std::string tableHtml(const ReportModel::Table& table)
{
    // A table of many columns keeps its width and scrolls on a phone.
    std::string html = fmt::format("<div class=\"scroll\"><table{}><thead><tr>", table.columns.size() > 3 ? " class=\"wide\"" : "");
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        html += cellText(table.columns[i], "th", i >= table.numericFrom);
    html += "</tr></thead><tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            html += cellText(row[i], "td", i >= table.numericFrom);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string sectionHtml(const ReportModel::Section& section, const decltype(PageParts::remarks)& remarks)
{
    std::string html = fmt::format("<section><h2>{}</h2>\n", escapeXml(section.title));
    for (const std::string& paragraph : section.paragraphs)
        html += fmt::format("<p>{}</p>\n", escapeXml(paragraph));
    for (const ReportModel::Chart& chart : section.charts)
        html += fmt::format("<figure><div class=\"scroll\">{}</div><figcaption>{}</figcaption></figure>\n", chart.svg,
                            escapeXml(chart.sentence));
    for (const ReportModel::Table& table : section.tables)
        html += tableHtml(table);
    if (!section.code.empty())
        html += fmt::format("<pre>{}</pre>\n", escapeXml(section.code));
    for (const ReviewTarget& target : section.targets)
        html += remarks(target);
    return html + "</section>\n";
}

/// What the browser lets the page do: apply this style and run this script, show images that it holds, and nothing else. So a text
/// that should ever get past the escaping loads and runs nothing (Content Security Policy Level 3; hashes are of the elements' exact text).
std::string makeContentPolicy(const std::string& style, const std::string& script)
{
    const auto source = [](const std::string& text) {
        const auto digest = computeSha256(text);
        return text.empty() ? std::string("'none'")
                            : fmt::format("'sha256-{}'", toBase64({reinterpret_cast<const char*>(digest.data()), digest.size()}));
    };
    return fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; img-src data:; "
        "base-uri 'none'; form-action 'none'\">\n",
        source(style), source(script));
}

} // namespace

std::string toHtml(const ReportModel& report)
{
    return toHtml(report, {{}, [](const ReviewTarget&) { return std::string(); }, {}, {}});
}

std::string toHtml(const ReportModel& report, const PageParts& parts)
{
    const std::string style = kStyle + parts.style;
    std::string html =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{}<meta name=\"viewport\" "
                    "content=\"width=device-width,initial-scale=1\"><title>{}</title>\n<style>{}</style></head>\n<body><main>\n",
                    makeContentPolicy(style, parts.script), escapeXml(report.title), style);
    html += fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}</p>\n<p class=\"verdict {}\">{}</p>\n<div class=\"figures\">\n",
                        escapeXml(report.title), escapeXml(report.subtitle), report.tone, escapeXml(report.verdict));
    for (const ReportModel::KeyFigure& figure : report.figures)
        html += fmt::format("<div class=\"figure\"><span>{}</span><b>{}</b><span>{}</span></div>\n", escapeXml(figure.label),
                            escapeXml(figure.value), escapeXml(figure.note));
    html += "</div>\n";
    for (const ReportModel::Section& section : report.sections)
        html += sectionHtml(section, parts.remarks);
    html += "<footer>Made by KernelLoop from its local database.</footer>\n" + parts.end;
    if (!parts.script.empty())
        html += fmt::format("<script>{}</script>\n", parts.script);
    return html + "</main></body></html>\n";
}

} // namespace kl::inline report
