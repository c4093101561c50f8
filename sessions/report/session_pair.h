// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/catalog.h"
#include "sessions/learning/history.h"
#include "sessions/report/report_model.h"
#include "sessions/session/session_view.h"

#include <string>
#include <vector>

namespace kl::inline report {

struct Report;

/// One side of a comparison of two sessions. A session of the shipped history has a row and no view.
struct PairedSession {
    HistoryRow row;
    std::optional<SessionView> view;
};

/// What two sessions are compared by, as texts; a dash where one has nothing.
struct PairRow {
    std::string id; ///< "kernel", "gate:G1 Environment", "minutes", "cost", "fix", "gain", "lessons" …
    std::string title;
    std::string a;
    std::string b;

    bool operator==(const PairRow&) const = default;
};

struct SessionPair {
    PairedSession a;
    PairedSession b;
    std::vector<PairRow> rows;
};

/// Errors: notFound for either session; badInput for one session given twice.
Result<SessionPair> compareSessions(const Store& store, const Catalog& catalog, const SessionId& a, const SessionId& b);

/// The same as a report, with JSON {schema, a, b: {session, name, gain, speedup, minutes, dollars}, rows[{id, title, a, b}]}.
Report pairReport(const SessionPair& pair);

} // namespace kl::inline report
