// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/models/pattern_table_model.h"

#ifndef Q_MOC_RUN
#include "sessions/learning/history.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_flow.h"
#include "sessions/patterns/suggest.h"
#endif

#include <map>
#include <set>

namespace kl::ui {

/// What the page of the patterns shows, read together.
struct PatternsData {
    std::vector<PatternRow> rows;
    std::map<std::string, PatternBody> bodies; ///< by slug
    std::set<std::string> retired;
    History history;
    std::vector<Suggestion> suggestions;
    PatternFlow flow;
    std::string flowOf;      ///< what the flow is about: "session N+6", "run of transpose/naive"; empty: nothing yet
    std::string lastSession; ///< the current one, else the newest in this database; empty without any
    std::string lastName;
};

/// `session`: the current one; empty without one. The flow is about it, else about the newest run.
Result<PatternsData> readPatterns(Engine& engine, const SessionId& session);

/// Every use of a pattern, the newest first, one per line.
QString describeUses(const History& history, const std::string& slug);

} // namespace kl::ui
