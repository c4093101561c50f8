// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline store {

/// A run without its samples, for lists.
struct RunSummary {
    RunId id;
    std::string kernel; ///< canonical address
    std::string problem;
    std::string device;
    Source source = Source::live;
    std::string startedAt;
    ResultStatus status = ResultStatus::ok;
    CorrectnessResult correctness = CorrectnessResult::notChecked;
    std::optional<double> gpuNs;
    std::optional<double> speedup;
    std::string classId; ///< class of the finding, empty without a profile
    std::string priority;
    std::string refutation = {}; ///< what refutes it, one sentence; empty if nothing does or it was not recorded
    std::string name = {};       ///< that the user gave it
    std::string tags = {};       ///< separated by spaces
    std::string sourceHash = {}; ///< of the kernel's source
    std::string deviceUuid = {}; ///< which of several GPUs of one name

    bool operator==(const RunSummary&) const = default;
};

/// As of a run's record: it ran and nothing refutes it.
inline bool isUsable(const RunSummary& run)
{
    return run.status == ResultStatus::ok && !isRefuted(run.correctness);
}

/// One of the findings of a run.
struct StoredDiagnosis {
    std::string at; ///< UTC, ISO 8601 with milliseconds: when the run was measured, or diagnosed again
    Diagnosis diagnosis;

    bool operator==(const StoredDiagnosis&) const = default;
};

/// Runs without a GPU time are only in the first.
enum class RunOrder { newest, fastest, slowest };

/// Which runs to list, and in which order. Keyset paging: pass the id of the page's last row as `after`, or its startedAt and id, which
/// need not be in the database.
struct RunQuery {
    std::string kernel; ///< address prefix ("transpose" or "transpose/naive"); empty: all
    bool profilesOnly = false;
    std::string beforeStartedAt;
    std::string beforeId;
    int limit = 200;
    RunOrder order = RunOrder::newest;
    std::string classId;            ///< of the finding; empty: any
    std::string tag;                ///< empty: any
    std::vector<std::string> words; ///< each occurs in the address, problem, device, class, name or tags, in any case
    RunId after;                    ///< in this order; empty: from the start
};

/// A part of a list of runs.
struct RunPage {
    std::vector<RunSummary> rows;
    std::optional<RunId> next; ///< `after` of the rest; unset at the end of the list
};

/// Which sessions to list, newest first.
struct SessionQuery {
    std::string tag;                ///< empty: any
    std::string kind;               ///< empty: any
    bool unfinished = false;        ///< only those of a template whose end is not among their events
    bool brief = false;             ///< without the templates, which are longer than all the rest
    std::vector<std::string> words; ///< each occurs in the name, objective, kernel, kind or tags, in any case
    SessionId after;                ///< empty: from the newest
    int limit = 200;
};

/// What a session's history needs of a run that an event names. A refuted result is `incorrect`, by whatever it is refuted.
struct RunOutcome {
    ResultStatus status = ResultStatus::ok;
    CorrectnessResult correctness = CorrectnessResult::notChecked;
    std::string device;  ///< name
    std::string classId; ///< class of the newest finding; empty without one
};

/// What refers to a run or a session, to be named before it is deleted.
struct Dependents {
    std::vector<std::string> sessions; ///< whose events refer to the run, by name: it cannot be deleted before them
    std::int64_t comparisons = 0;      ///< of the run; deleted with it
    std::int64_t notes = 0;            ///< deleted with it
    std::int64_t events = 0;           ///< of the session; deleted with it, like the next two
    std::int64_t costs = 0;
    std::int64_t applications = 0; ///< uses of patterns

    bool operator==(const Dependents&) const = default;
};

/// The kind of the sessions that are rows of the shipped history.
inline constexpr const char* kShippedKind = "sample";

/// The constant part of a session.
struct SessionHeader {
    SessionId id;
    std::string name; ///< "N+6"
    std::string kind; ///< "optimize", kShippedKind
    std::string objective;
    std::string kernel; ///< family
    Source source = Source::live;
    std::string createdAt;    ///< UTC, ISO 8601
    std::string templateJson; ///< snapshot of the session template with its thresholds

    /// A row of the shipped history: figures without a plan and without runs.
    bool isShipped() const { return kind == kShippedKind; }

    bool operator==(const SessionHeader&) const = default;
};

/// One event of a session. State is a pure function of the list.
struct SessionEvent {
    int seq = 0;          ///< 1, 2, 3 …
    std::string at;       ///< UTC, ISO 8601 with milliseconds
    std::string type;     ///< closed list, see sessions/session/events.h
    std::string dataJson; ///< an object

    bool operator==(const SessionEvent&) const = default;
};

/// A lesson with what it saves each time it is applied.
struct Pattern {
    std::string slug;
    std::string label; ///< the number in the October 2025 notes, "10", "planned 11"; empty for the user's own
    std::string title;
    std::string kind; ///< "operational", "expert", "planned", "own"
    std::string problem;
    std::string advice;
    std::string when;                        ///< "session-start", "speedup-below-1", "finding", … ; empty: any
    std::optional<double> quotedMinutes;     ///< low end where the October 2025 notes have a range
    std::optional<double> quotedMinutesHigh; ///< high end of the range
    std::optional<double> quotedDollars;
    std::string origin;
    std::string learnedIn; ///< id of the session whose lesson it is; empty for the shipped ones

    bool operator==(const Pattern&) const = default;
};

/// One use of a pattern. Measured figures come from phase times in this database; quoted ones from the October 2025 notes. Never mixed.
struct PatternApplication {
    std::string id;
    std::string pattern; ///< slug
    std::string session; ///< session id; empty outside a session
    std::string at;
    std::optional<double> measuredMinutes;
    std::optional<double> quotedMinutes;
    std::optional<double> quotedDollars;
    bool derived = false; ///< derived from other figures of the October 2025 notes
    std::string note;

    bool operator==(const PatternApplication&) const = default;
};

/// An entered cost or value of a session: an invoice, an assistant's bill, or what the result was worth.
struct CostEntry {
    std::string id;
    std::string session; ///< session id
    std::string at;
    std::string kind; ///< "gpu", "assistant", "other", "value"
    double dollars = 0;
    std::string note;

    bool operator==(const CostEntry&) const = default;
};

struct Note {
    std::string id;
    std::string subject; ///< "run:ID" or "session:ID"
    std::string at;
    std::string text;

    bool operator==(const Note&) const = default;
};

} // namespace kl::inline store
