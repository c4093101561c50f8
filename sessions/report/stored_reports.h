// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_reporter.h"

#include <string>

namespace kl::inline kernels {
class Catalog;
}

namespace kl::inline store {
class Store;
}

namespace kl::inline report {

enum class ReportFormat;

/// Keeps a session's report beside it, as artifacts of the store: HTML, "session/ID/report.html", which people open, and Markdown,
/// "session/ID/report.md". Borrows what it is given.
class StoredReports final : public SessionReporter {
public:
    StoredReports(Store& store, const Catalog& catalog) : store_(store), catalog_(catalog) {}

    Result<std::string> document(const SessionId& id) override;
    Status finish(const SessionId& id) override;

private:
    /// The artifact's name.
    Result<std::string> save(const SessionId& id, ReportFormat format, const char* extension);

    Store& store_;
    const Catalog& catalog_;
};

} // namespace kl::inline report
