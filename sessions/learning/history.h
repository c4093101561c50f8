// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/learning/alerts.h"
#include "sessions/learning/convergence.h"
#include "sessions/learning/figure.h"
#include "sessions/learning/mistakes.h"
#include "sessions/learning/money.h"
#include "sessions/patterns/savings.h"
#include "sessions/patterns/totals.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

struct GateOutcome {
    std::string gate;   ///< "G1", "build"
    std::string result; ///< "pass", "fail", "unknown", "waived"
    FigureKind kind = FigureKind::measured;
    std::string source;

    bool operator==(const GateOutcome&) const = default;
};

enum class SessionStatus { open, complete, endedEarly };

/// Time spent on a change that was reverted, or on a dropped debugging iteration.
struct WrongPath {
    std::string what; ///< the fix's title and the candidate, or the hypothesis
    double minutes = 0;

    bool operator==(const WrongPath&) const = default;
};

/// A to D with the reason; see gradeOf.
struct Grade {
    std::string letter; ///< empty while it cannot be given
    std::string reason;

    bool operator==(const Grade&) const = default;
};

/// One session in the history table. Several figures of one thing are alternatives (two notes disagree, or a plan beside a
/// result), the first is the one to show; none means not recorded.
struct HistoryRow {
    std::string id; ///< session id; of a shipped row "sample:N+1"
    std::string name;
    std::string kind;       ///< "optimize"; empty for shipped rows
    std::string device;     ///< name; empty where not known
    std::string date;       ///< ISO 8601 day or time
    std::string until;      ///< last day, where the October 2025 notes have a range
    std::string dateSource; ///< where the date comes from when it is not the session's own record
    std::string objective;
    std::string kernel; ///< family
    std::vector<Figure> minutes;
    std::optional<double> budgetMinutes;
    std::vector<Figure> speedup;
    std::vector<GateOutcome> gates;
    std::optional<int> patternsApplied;
    std::optional<int> patternsKnown;  ///< "3 of 10"
    bool patternsPlanned = false;      ///< the count is what was planned
    std::vector<std::string> patterns; ///< slugs applied, where known
    SessionStatus status = SessionStatus::open;
    std::string statusText;           ///< a sentence or two; "kept", "reverted" of the user's own
    SessionMoney money;               ///< dollars
    std::vector<std::string> learned; ///< slugs of the patterns that it taught
    std::vector<Figure> savedMinutes;
    std::optional<double> savedDollarsQuoted; ///< money that applied patterns save, as quoted
    std::vector<Mistake> mistakes;
    std::optional<int> blind;                  ///< optimizations without a profile, target 0; unset for shipped rows
    std::optional<double> minutesToBuild;      ///< until the first run that built, ran and was correct (target: under kBuildTarget)
    std::optional<double> minutesToBottleneck; ///< until a profile named what limits the kernel (target: under kBottleneckTarget)
    std::vector<WrongPath> wrongPaths;
    Grade grade;
    std::string origin;            ///< name of the source, or "this database"
    bool sample = false;           ///< shipped row: read-only
    bool replayed = false;         ///< run on recorded data: left out of learning and totals
    bool objectiveDerived = false; ///< summarized from the October 2025 notes, not verbatim

    bool operator==(const HistoryRow&) const = default;
};

/// Targets of the October 2025 notes, minutes.
inline constexpr double kBuildTarget = 30;
inline constexpr double kBottleneckTarget = 15;

/// The expected learning curve, drawn behind the measured one (N 8.5 h 0.09× … N+10 1.5 h 2.0×).
struct TrajectoryPoint {
    std::string session;
    int position = 0; ///< sessions after N
    double minutes = 0;
    double speedup = 0;

    bool operator==(const TrajectoryPoint&) const = default;
};

/// Time saved against the session before: 1 − minutes / minutes before. The aim is 0.30 to 0.50.
struct LearningStep {
    std::string session;
    std::string before;
    double rate = 0;

    bool operator==(const LearningStep&) const = default;
};

/// Sums over one group of rows. Replayed sessions are counted, but none of their figures is summed or compared, save
/// for money that was entered.
struct HistoryTotals {
    int sessions = 0;
    int replayed = 0;
    int open = 0;
    int complete = 0;
    std::optional<double> bestSpeedup;
    std::optional<double> savedMeasured; ///< minutes, from applications in this database
    std::optional<double> savedQuoted;   ///< minutes, from the October 2025 notes
    std::optional<double> savedDerived;
    std::optional<double> savedDollarsQuoted; ///< dollars, from the October 2025 notes
    std::optional<double> minutesLow;         ///< working time, low and high where notes disagree
    std::optional<double> minutesHigh;
    std::optional<double> costLow; ///< dollars, GPU, assistant and other; low and high where notes disagree
    std::optional<double> costHigh;
    std::optional<double> engineer;      ///< dollars, working time at the engineer's rate
    std::optional<double> valueEntered;  ///< dollars, entered value of the results
    std::optional<double> valueMeasured; ///< dollars, measured minutes saved at the engineer's rate
    std::optional<double> valueQuoted;   ///< dollars, quoted minutes saved at the engineer's rate
    std::optional<double> successRate;   ///< complete / (complete + ended early)
    int mistakes = 0;
    int repeated = 0;        ///< of these, of a kind that was made before
    int blind = 0;           ///< optimizations without a profile
    double wrongMinutes = 0; ///< spent on changes that were reverted

    /// What was spent: money and working time. Unset when neither is known.
    std::optional<double> spent() const;
};

/// How far the newest finished session is from an expert's 90 to 120 min at 2×. Below 0: the expert is behind.
struct ExpertGap {
    std::string session;
    double minutesLow = 0;         ///< to the expert's 120 min
    double minutesHigh = 0;        ///< to the expert's 90 min
    std::optional<double> speedup; ///< 2 minus its speedup

    bool operator==(const ExpertGap&) const = default;
};

struct PlannedSession {
    std::string name;
    std::string objective;
    double minutesLow = 0;
    double minutesHigh = 0;
};

/// Everything that Home and History show.
struct History {
    std::vector<HistoryRow> rows; ///< shipped ones first, then the user's, oldest first
    HistoryTotals own;            ///< sessions of this database
    HistoryTotals sample;         ///< shipped rows
    std::vector<TrajectoryPoint> expected;
    std::vector<LearningStep> learning; ///< between successive finished live sessions
    std::optional<double> learningRate; ///< mean of them
    Convergence convergence;            ///< over finished live sessions of one kind, the one with the most
    std::string convergenceKind;        ///< that kind; empty without any
    std::optional<ExpertGap> gap;
    std::vector<Alert> alerts;
    std::vector<PatternReturn> patterns; ///< one row per pattern, applications of this database; replayed ones count, without figures
    std::vector<PatternApplication> applications; ///< as counted: measured minutes filled in, no figures for replayed sessions
    std::vector<MeasuredSaving> savings;          ///< how each was measured, or why it was not
    std::vector<PlannedSession> planned;
    std::vector<MistakeKind> mistakes; ///< mistakes of the shipped session N: the list that is counted
    std::vector<std::string> notes;    ///< what in the October 2025 notes cannot be reproduced, or is disputed
    std::string sampleOrigin;
    double engineerRate = kEngineerRate;           ///< dollars per hour
    double sessionCostTarget = kSessionCostTarget; ///< dollars
};

/// Merges the shipped history (resources/sample-history.json) with the store's sessions. Sessions of kind "sample" in the
/// store are the shipped ones again and are not listed twice. Prices and rates: see money.h.
Result<History> loadHistory(const Store& store);

/// Budget alerts of an open session: "over-budget", "near-cost", "over-cost". Empty for a finished or a shipped one.
Result<std::vector<Alert>> sessionAlerts(const Store& store, const SessionId& session);

/// The shipped rows alone.
Result<std::vector<HistoryRow>> sampleHistory();

} // namespace kl
