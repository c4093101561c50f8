// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/session/report_files.h"

namespace kl::cli {

/// Makes a report of a session from its database.
using SessionReportMaker = Result<Report> (*)(const Store& store, const Catalog& catalog, const SessionId& id);

/// Answers with a report of the session of that name or id; empty: the latest one. Errors: pickSession's, answerReport's.
Result<int> answerForSession(Program& program, const std::string& session, const ReportOutput& output, SessionReportMaker make);

} // namespace kl::cli
