// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"

namespace kl {

/// The shipped history as its file has it.
struct SampleHistory {
    std::string origin;
    std::vector<HistoryRow> rows;
    std::vector<TrajectoryPoint> trajectory;
    std::vector<PlannedSession> planned;
    std::vector<std::string> mistakes;
};

/// Error badInput names the field that is wrong.
Result<SampleHistory> parseSampleHistory(std::string_view json, std::string_view where);
Result<SampleHistory> embeddedSampleHistory();

/// One row a session of the store that is not of kind "sample", from its header, events and applications.
/// `gpuPrice`: dollars an hour, for live sessions.
Result<std::vector<HistoryRow>> ownHistory(const Store& store, const std::vector<PatternApplication>& applications,
                                           std::optional<double> gpuPrice);

/// Minutes between the first and the last event, without pauses longer than idleMinutes. 0 for fewer than two events.
double workingMinutes(const std::vector<SessionEvent>& events, double idleMinutes);

/// Sums of rows.
HistoryTotals totalsOf(const std::vector<HistoryRow>& rows);

/// Learning steps between successive finished rows that are neither shipped nor replayed.
std::vector<LearningStep> learningSteps(const std::vector<HistoryRow>& rows);

/// Open sessions that have used up their budget.
std::vector<Alert> budgetAlerts(const std::vector<HistoryRow>& rows);

} // namespace kl
