// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <QString>
#include <string>

namespace kl::inline kernels {
class Catalog;
}

namespace kl::inline report {
struct Report;
}

namespace kl::inline store {
class Store;
}

namespace kl::ui {

/// Prints a page in the rich text that reports are written in (ReportFormat::print) on A4. The file carries the time at which it was
/// printed. Error badInput when the file cannot be written.
Status writePdf(const QString& file, const std::string& html);

/// Writes any report to a file; the suffix chooses: .html, .pdf, .md, .json, .csv. Errors: badInput when the file cannot be written or the
/// suffix is another.
Status exportReport(const Report& report, const QString& file);

/// Writes a session's report to a file; see above. Error notFound for the session.
Status exportReport(const Store& store, const Catalog& catalog, const SessionId& session, const QString& file);

} // namespace kl::ui
