// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/report/report_model.h"
#include "sessions/report/review.h"
#include "sessions/session/session_template.h"
#include "sessions/session/session_view.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline report {

/// The input of a session's report.
struct SessionMaterial {
    SessionView view;
    SessionTemplate plan;
    History history;
    std::optional<HistoryRow> row; ///< this session's
    std::vector<Pattern> patterns;
    HotLines hot; ///< of the profile
    std::vector<ReviewComment> comments;
};

/// "✓ pass", "✕ fail", "– not evaluated", "⊘ waived", "↻ stale".
std::string markFor(GateResult result, GateProgress progress = GateProgress::done);
/// A stored time for display: date and minute.
std::string formatMinute(const std::string& iso);
/// The text, or a dash.
std::string orDash(const std::string& text);

// The sections, in the report's order. Those that have nothing to show have an empty title.
ReportModel::Section aboutSection(const SessionMaterial& material);
ReportModel::Section gatesSection(const SessionMaterial& material);
ReportModel::Section checksSection(const SessionMaterial& material);
ReportModel::Section timesSection(const SessionMaterial& material);
ReportModel::Section findingSection(const SessionMaterial& material);
ReportModel::Section hotLinesSection(const SessionMaterial& material);
ReportModel::Section changeSection(const SessionMaterial& material);
ReportModel::Section debugSection(const SessionMaterial& material);
ReportModel::Section timeSection(const SessionMaterial& material);
ReportModel::Section mistakesSection(const SessionMaterial& material);
ReportModel::Section documentSection(const SessionMaterial& material);
ReportModel::Section makeLearnedSection(const SessionMaterial& material);
ReportModel::Section reviewSection(const SessionMaterial& material);
ReportModel::Section environmentSection(const SessionMaterial& material);
ReportModel::Section logSection(const SessionMaterial& material);

} // namespace kl::inline report
