// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/hosts/host_list.h"
#include "sessions/learning/history.h"
#include "sessions/learning/session_trace.h"

namespace kl::inline learning {

/// The shipped history as in its file.
struct SampleHistory {
    std::string origin;
    std::vector<HistoryRow> rows;
    std::vector<TrajectoryPoint> trajectory;
    std::vector<PlannedSession> planned;
    std::vector<MistakeKind> mistakes;
    std::vector<std::string> notes;
    QuotedTrend trend;
    QuotedGoal goal;
    QuotedEconomics economics;
    std::vector<DashboardRow> dashboard;
};

/// Error badInput names the field that is wrong.
Result<SampleHistory> parseSampleHistory(std::string_view json, std::string_view where);
Result<SampleHistory> loadEmbeddedSampleHistory();

/// The inputs for the rows of this database.
struct HistoryInput {
    std::vector<Pattern> patterns;
    std::vector<PatternApplication> applications; ///< measured minutes filled in
    std::vector<GpuPrice> prices;
    std::vector<KnownHost> hosts; ///< whose price comes before that of their GPU
    std::vector<CostEntry> costs;
    double engineerRate = kEngineerRate;
    double sessionCostTarget = kSessionCostTarget;
};

/// One row of a session that is not of kind "sample".
HistoryRow historyRow(const SessionTrace& trace, const HistoryInput& input);

/// Sessions of the store that are not of kind "sample", oldest first.
struct OwnTraces {
    std::vector<SessionTrace> traces;
    bool more = false; ///< there are older ones than the `newest` that were asked for
};

/// All of them, or the newest ones.
Result<OwnTraces> ownTraces(const Store& store, std::optional<int> newest = {});

/// Phase times of finished live sessions, for computeMeasuredSavings; open and replayed ones are left out.
std::vector<PhaseTimes> phaseTimes(const std::vector<SessionTrace>& traces);

/// Fills in Mistake::before, row after row; replayed rows are listed but do not count for later ones.
void markRepeated(std::vector<HistoryRow>& rows);

/// The dashboard's figures of this database, in the rows of the shipped file; without the shipped history those have no quoted text.
void fillDashboard(History& history, const std::vector<Pattern>& patterns);

/// The grade of a finished session. D: ended early or abandoned, or kept although gate G4 or G5 did not pass. Otherwise one thing missing
/// after the other: over its time budget, over the cost target, a gate waived, mistakes of the list (blind optimizations among them), the
/// first working build after kBuildTarget, the bottleneck after kBottleneckTarget. A: none missing, B: one or two, C: more. For replayed
/// sessions times and money are left out. Unset for open rows; the reason says so. A shipped row keeps the grade that its document gives.
Grade gradeRow(const HistoryRow& row, double sessionCostTarget);

/// Sums of rows.
HistoryTotals computeTotals(const std::vector<HistoryRow>& rows, double engineerRate = kEngineerRate);

/// Learning steps between successive finished rows of one kind that are neither shipped nor replayed.
std::vector<LearningStep> listLearningSteps(const std::vector<HistoryRow>& rows);

/// The newest finished row that has a time and is neither shipped nor replayed, against the expert.
std::optional<ExpertGap> expertGap(const std::vector<HistoryRow>& rows);

/// Convergence over the kind with the most finished live sessions; `kind` is set to it.
Convergence computeConvergence(const std::vector<HistoryRow>& rows, std::string& kind);

/// Open sessions that have used up their time, or most of the money that a session may cost.
std::vector<Alert> budgetAlerts(const std::vector<HistoryRow>& rows, double sessionCostTarget = kSessionCostTarget);

} // namespace kl::inline learning
