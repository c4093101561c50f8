// SPDX-License-Identifier: MIT
#include "sessions/report/report.h"

namespace kl::inline report {

std::string render(const Report& report, ReportFormat format)
{
    switch (format) {
    case ReportFormat::html: return toHtml(report.model);
    case ReportFormat::print: return toPrintHtml(report.model);
    case ReportFormat::markdown: return toMarkdown(report.model);
    case ReportFormat::csv: return toCsv(report.csv);
    case ReportFormat::json: break;
    }
    return report.json;
}

Result<std::string> renderReport(const Store& store, const Catalog& catalog, const SessionId& id, ReportFormat format)
{
    const Result<Report> report = sessionReport(store, catalog, id);
    return report ? Result<std::string>(render(*report, format)) : report.error();
}

} // namespace kl::inline report
