// SPDX-License-Identifier: MIT
#include "sessions/report/stored_reports.h"

#include "core/base/try.h"
#include "kernels/catalog.h"
#include "sessions/report/report.h"
#include "sessions/store/store.h"

#include <fmt/format.h>

namespace kl::inline report {

Result<std::string> StoredReports::document(const SessionId& id)
{
    KL_ASSIGN(std::string page, save(id, ReportFormat::html, "html"));
    KL_ASSIGN([[maybe_unused]] const std::string text, save(id, ReportFormat::markdown, "md"));
    return page;
}

Status StoredReports::finish(const SessionId& id)
{
    const Result<std::string> page = document(id);
    return page ? Status{} : page.error();
}

Result<std::string> StoredReports::save(const SessionId& id, ReportFormat format, const char* extension)
{
    KL_ASSIGN(const std::string text, renderReport(store_, catalog_, id, format));
    std::string name = fmt::format("session/{}/report.{}", id.text, extension);
    KL_TRY(store_.saveArtifact(name, text));
    return name;
}

} // namespace kl::inline report
