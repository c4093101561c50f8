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

namespace kl::inline learning {

struct GateOutcome {
    std::string gate;   ///< "G1", "build"
    std::string result; ///< "pass", "fail", "unknown", "waived"
    FigureKind kind = FigureKind::measured;
    std::string source;
    std::string title = {}; ///< "Environment": what the session's own kind calls it; empty where not known

    bool operator==(const GateOutcome&) const = default;
};

/// "G1 Environment"; the id alone where the title is not known.
std::string formatTitle(const GateOutcome& gate);

enum class SessionStatus { open, complete, endedEarly };

/// Time spent on a change that was reverted, or on a dropped debugging iteration.
struct WrongPath {
    std::string what; ///< the fix's title and the candidate, or the hypothesis
    double minutes = 0;

    bool operator==(const WrongPath&) const = default;
};

/// A to D with the reason; see gradeRow. Of shipped rows the October 2025 documents' own ("B+"), kind quoted.
struct Grade {
    std::string letter; ///< empty while it cannot be given
    std::string reason;
    FigureKind kind = FigureKind::measured;

    bool operator==(const Grade&) const = default;
};

/// One session in the history table. Several figures of one thing are alternatives (two documents disagree, or a plan beside a
/// result), the first is the one to show; none means not recorded.
struct HistoryRow {
    std::string id; ///< session id; of a shipped row "sample:N+1"
    std::string name;
    std::string kind;       ///< "optimize"; empty for shipped rows
    std::string device;     ///< name; empty where not known
    std::string date;       ///< ISO 8601 day or time
    std::string until;      ///< last day, where the October 2025 documents have a range
    std::string dateSource; ///< where the date comes from when it is not the session's own record
    std::string objective;
    std::string kernel; ///< family
    std::vector<Figure> minutes;
    std::optional<double> budgetMinutes;
    std::vector<Figure> speedup;
    std::optional<double> gain; ///< old time / new time of the change that the session kept; unset without one
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
    std::optional<int> blind;                  ///< optimizations without a profile, target 0; unset where not recorded
    std::optional<double> minutesToBuild;      ///< until the first run that built, ran and was correct (target: under kBuildTarget)
    std::optional<double> minutesToBottleneck; ///< until a profile named what limits the kernel (target: under kBottleneckTarget)
    std::string noBottleneck;                  ///< why there is no time to the bottleneck, where that is recorded
    std::vector<WrongPath> wrongPaths;
    Grade grade;
    std::vector<std::string> worked;   ///< what the session's own retrospective lists
    std::vector<std::string> failed;   ///< likewise
    std::vector<std::string> insights; ///< likewise
    std::vector<std::string> nextTime; ///< what the next session should do, by the same
    bool documented = false;           ///< its document was written
    std::string origin;                ///< name of the source, or "this database"
    bool sample = false;               ///< shipped row: read-only
    bool replayed = false;             ///< run on recorded data: left out of learning and totals
    bool objectiveDerived = false;     ///< summarized from the October 2025 documents, not verbatim

    bool operator==(const HistoryRow&) const = default;
};

/// How the session ended: "kept", "reverted"; of a shipped row "complete" or "ended early"; "open" while it goes on.
std::string nameOutcome(const HistoryRow& row);

/// Targets of the October 2025 documents, minutes.
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
    std::optional<double> savedQuoted;   ///< minutes, from the October 2025 documents
    std::optional<double> savedDerived;
    std::optional<double> savedDollarsQuoted; ///< dollars, from the October 2025 documents
    std::optional<double> minutesLow;         ///< working time, low and high where notes disagree
    std::optional<double> minutesHigh;
    std::optional<double> costLow; ///< dollars, GPU, assistant and other; low and high where notes disagree
    std::optional<double> costHigh;
    bool costDerived = false;            ///< a part of the cost is derived, so that the sum is
    std::optional<double> engineer;      ///< dollars, working time at the engineer's rate, with the shown times
    std::optional<double> engineerHigh;  ///< likewise with the longest times, where notes disagree
    std::optional<double> valueEntered;  ///< dollars, entered value of the results
    std::optional<double> valueMeasured; ///< dollars, measured minutes saved at the engineer's rate
    std::optional<double> valueQuoted;   ///< dollars, quoted minutes saved at the engineer's rate
    std::optional<double> successRate;   ///< complete / (complete + ended early)
    int mistakes = 0;
    int repeated = 0;        ///< of these, of a kind that was made before
    int blind = 0;           ///< optimizations without a profile
    double wrongMinutes = 0; ///< spent on changes that were reverted

    /// What was spent: money and working time, the higher figures. Unset when neither is known.
    std::optional<double> sumSpent() const;
    /// Likewise with the lower figures.
    std::optional<double> sumSpentLow() const;
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
    std::optional<double> speedup; ///< planned
    std::string patterns;          ///< "10 of 10"; empty where the plan has none
    std::string source;            ///< which document plans it
    std::string became;            ///< what came of it; empty while it is to come
};

/// The documents' trend over their sessions, as quoted.
struct QuotedTrend {
    double low = 0; ///< fraction of time saved per session
    double high = 0;
    std::string text;
    std::string source;
};

/// The documents' goal: a session as short as `minutes`, where `before` took `beforeMinutes`.
struct QuotedGoal {
    std::string session;
    double minutes = 0;
    std::string before;
    double beforeMinutes = 0;
    double reduction = 0; ///< quoted; 1 − minutes / beforeMinutes
    std::string source;
};

/// One figure of the documents' dashboard.
struct DashboardRow {
    std::string id; ///< "time-saved", "cost-saved", "library", "sessions", "average-gain", "return"
    std::string title;
    std::string quoted; ///< as the documents have it; empty in a database without the shipped history
    std::string source;
    std::string own; ///< the same of this database; "none yet" where there is nothing to compute it from
};

/// One amount with what it is for.
struct Amount {
    std::string what;
    double dollars = 0;
};

/// How the documents arrive at a return on investment.
struct QuotedEconomics {
    std::string session;
    std::string source;
    std::vector<Amount> value;
    std::vector<Amount> investment;
    double quotedReturn = 0;

    double valueSum() const;
    double investmentSum() const;
};

/// Everything that Home and History show.
struct History {
    std::vector<HistoryRow> rows; ///< shipped ones first, then the user's, oldest first
    bool more = false;            ///< there are older ones, which were not read; no figure counts them
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
    std::vector<std::string> notes;    ///< what in the October 2025 documents cannot be reproduced, or is disputed
    std::string sampleOrigin;
    std::optional<QuotedTrend> trend; ///< of the shipped history, as are goal and economics
    std::optional<QuotedGoal> goal;
    std::optional<QuotedEconomics> economics;
    std::vector<DashboardRow> dashboard;           ///< in the documents' order
    double engineerRate = kEngineerRate;           ///< dollars per hour
    double sessionCostTarget = kSessionCostTarget; ///< dollars
};

/// The store's sessions. In the sample database, which has sessions of kind "sample", the shipped history (resources/sample-history.json)
/// comes before them, with all that belongs to it; a database of one's own has only what happened in it. Prices and rates: see money.h.
/// `newest`: at most so many of the latest sessions are read, so that the work does not grow with the database; unset: all.
Result<History> loadHistory(const Store& store, std::optional<int> newest = {});

/// How many sessions the window's pages read.
inline constexpr int kShownSessions = 1000;

/// Alerts of an open session: "over-budget", "near-cost", "over-cost", and those of build_alerts.h. Empty for a finished or a shipped one.
Result<std::vector<Alert>> sessionAlerts(const Store& store, const SessionId& session);

/// The gates of all rows as formatTitle words them, each once: ordered by id, then as they first appear.
std::vector<std::string> gateTitles(const std::vector<HistoryRow>& rows);

/// The shipped rows alone.
Result<std::vector<HistoryRow>> sampleHistory();

} // namespace kl::inline learning
