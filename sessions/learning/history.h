// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/learning/alerts.h"
#include "sessions/patterns/totals.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Where a figure comes from. Figures of different kinds are never added up.
enum class FigureKind {
    measured, ///< from this database
    quoted,   ///< stated in a source note
    derived,  ///< worked out from other quoted figures
    planned,  ///< what somebody meant to reach
};

/// "measured", "quoted", "derived", "planned".
const char* toString(FigureKind kind) noexcept;

/// One figure with its origin.
struct Figure {
    double value = 0;
    FigureKind kind = FigureKind::measured;
    std::string source; ///< note, formula or condition; empty when there is nothing to add

    bool operator==(const Figure&) const = default;
};

struct GateOutcome {
    std::string gate;   ///< "G1", "build"
    std::string result; ///< "pass", "fail", "unknown", "waived"
    FigureKind kind = FigureKind::measured;
    std::string source;

    bool operator==(const GateOutcome&) const = default;
};

enum class SessionStatus { open, complete, endedEarly };

/// One session in the history table. Several figures of one thing are alternatives (two notes disagree, or a plan beside a
/// result), the first is the one to show; none means not recorded.
struct HistoryRow {
    std::string id; ///< session id; of a shipped row "sample:N+1"
    std::string name;
    std::string date;       ///< ISO 8601 day or time
    std::string until;      ///< last day, where the notes give a range
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
    std::string statusText;            ///< a sentence or two; "kept", "reverted" of the user's own
    std::vector<Figure> gpuCost;       ///< dollars
    std::vector<Figure> assistantCost; ///< dollars
    std::vector<std::string> learned;  ///< slugs
    std::vector<Figure> savedMinutes;
    std::string origin;            ///< who says so: the notes' name, or "this database"
    bool sample = false;           ///< shipped row: read-only
    bool replayed = false;         ///< walked on recorded data: left out of learning and totals
    bool objectiveDerived = false; ///< worded from the notes rather than found there

    bool operator==(const HistoryRow&) const = default;
};

/// The first figure of a kind, or nothing.
std::optional<double> firstOf(const std::vector<Figure>& figures, FigureKind kind);
/// The first figure that is not planned, or nothing.
std::optional<Figure> shown(const std::vector<Figure>& figures);

/// The expected way of learning, drawn behind the measured one (spec: N 8.5 h 0.09× … N+10 1.5 h 2.0×).
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

/// Sums over one group of rows. Replayed sessions are counted, but none of their figures is summed or compared.
struct HistoryTotals {
    int sessions = 0;
    int replayed = 0;
    int open = 0;
    int complete = 0;
    std::optional<double> bestSpeedup;
    std::optional<double> savedMeasured; ///< minutes, from applications in this database
    std::optional<double> savedQuoted;   ///< minutes, from the notes
    std::optional<double> savedDerived;
    std::optional<double> minutesLow; ///< working time, low and high where notes disagree
    std::optional<double> minutesHigh;
    std::optional<double> costLow; ///< dollars, GPU and assistant; low and high where notes disagree
    std::optional<double> costHigh;
    std::optional<double> successRate; ///< complete / (complete + ended early)
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
    std::vector<Alert> alerts;
    std::vector<PatternReturn> patterns; ///< one row a pattern, applications of this database; replayed ones count, without minutes
    std::vector<PlannedSession> planned;
    std::vector<std::string> mistakes; ///< what went wrong in the shipped session N, as sentences
    std::string sampleOrigin;
};

/// Merges the shipped history (resources/sample-history.json) with the store's sessions. Sessions of kind "sample" in the
/// store are the shipped ones again and are not listed twice. Costs use setting "gpu-price" ($/h); without it they stay
/// unknown. Pattern values use setting "engineer-rate" ($/h; 30 by default, as in the notes).
Result<History> loadHistory(const Store& store);

/// The shipped rows alone.
Result<std::vector<HistoryRow>> sampleHistory();

} // namespace kl
