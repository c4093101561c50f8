// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "core/model/params.h"
#include "sessions/session/evidence.h"
#include "sessions/session/session_parts.h"
#include "sessions/store/rows.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

/// Everything that can happen in a session: the values of SessionEvent::type, with the fields of its data:
namespace event {
inline constexpr const char* kOpened = "opened"; ///< {answers, start, problem, device, device_uuid, driver, claims[], options}
inline constexpr const char* kEnvironmentChecked = "environment-checked"; ///< {checks}
inline constexpr const char* kBuildValidated = "build-validated";         ///< {status, reason, log, arch, seconds, warnings, unavailable}
inline constexpr const char* kSmallestVerified = "smallest-verified";     ///< {run}
inline constexpr const char* kStartVerified = "start-verified";           ///< {run}
inline constexpr const char* kBaselineMeasured = "baseline-measured";     ///< {run}
inline constexpr const char* kProfiled = "profiled";                      ///< {run}
inline constexpr const char* kHypothesis = "hypothesis";                  ///< {text, proposed}; opens an iteration where none is open
inline constexpr const char* kInstrumented = "instrumented";              ///< {text, proposed}
inline constexpr const char* kFailingCaseFound = "failing-case-found";    ///< {run, problem: null when every size passes, seen}
inline constexpr const char* kSanitized = "sanitized";                    ///< {problem, variant, seen, checks[{tool, findings[]}]}
inline constexpr const char* kAnalyzed = "analysed";                      ///< {text, proposed}
inline constexpr const char* kIterationClosed = "iteration-closed";       ///< {learned, result, candidate}
inline constexpr const char* kEditBegun = "edit-begun";                   ///< {file, before, copy, git, fix, goal}
inline constexpr const char* kAttempted = "attempted";                  ///< {run, copy, source, summary, diff}: the edit, measured as it is
inline constexpr const char* kFixChosen = "fix-chosen";                 ///< {fix, title, candidate, changes[], source, search}
inline constexpr const char* kMinimalVerified = "minimal-verified";     ///< {run, build_seconds: of the candidate's build, null: not known}
inline constexpr const char* kCandidateVerified = "candidate-verified"; ///< {run, build_seconds}
inline constexpr const char* kMemoryChecked = "memory-checked";         ///< {problem, variant, source, seen, unavailable, found, complete,
                                                                        ///< checks[], of: seq of the event whose result is reused}
inline constexpr const char* kEvaluated = "evaluated";                  ///< {comparison}
inline constexpr const char* kParked = "parked";                        ///< {from, to, fix, title, comparison, ratio, low, high}
inline constexpr const char* kKept = "kept";                            ///< {variant, ratio, steps[], commit, branch}
inline constexpr const char* kReverted = "reverted";                    ///< {variant, candidate, reason, copy, restored}
inline constexpr const char* kUndone = "undone";                        ///< {of: seq of a kept or reverted, what}
inline constexpr const char* kDocumented = "documented";                ///< {artifact, retrospective}
inline constexpr const char* kFinished =
    "finished"; ///< {speedup, minutes, outcome, start, candidate, ratio, gates, patterns, measured_minutes}
inline constexpr const char* kWaived = "waived";                        ///< {gate, reason}
inline constexpr const char* kNote = "note";                            ///< {text}
inline constexpr const char* kWritten = "written";                      ///< {question, text}: an answer of the document
inline constexpr const char* kPatternApplied = "pattern-applied";       ///< {slug, phase}
inline constexpr const char* kClaimAdded = "claim-added";               ///< {source, figure, about}
inline constexpr const char* kOptionSet = "option-set";                 ///< {name, value}
inline constexpr const char* kResumed = "resumed";                      ///< {}: the pause before it is not counted
inline constexpr const char* kConditionsChanged = "conditions-changed"; ///< {device, device_uuid, driver, what}
inline constexpr const char* kStalled = "stalled";                      ///< {action, text}
inline constexpr const char* kRefusedAttempt = "refused-attempt";       ///< {action, rule, message}
inline constexpr const char* kProgress = "progress";                    ///< {action, text}: a long action, while it runs
inline constexpr const char* kTicked = "ticked";                        ///< {item, note}: of the checklist; an empty note unticks it
inline constexpr const char* kHistoryLooked = "history-looked";         ///< {how, found, first_bad[]}: of the kernel's git history
} // namespace event

struct Waiver {
    std::string reason;
    int seq = 0;
};

/// The content of a session's events: the runs that they name and the decisions.
struct SessionFacts {
    std::map<std::string, std::string> answers; ///< to the opening questions
    std::vector<Claim> claimsMade;
    bool cumulative = false; ///< gate 5's option: small steps are parked and kept together
    std::optional<bool> git; ///< option: a kept edit becomes a git commit; unset until chosen
    Address start;           ///< the kept variant when the session began
    Address current;         ///< what the next change starts from: the last parked step's variant, else the start
    Params problem;
    std::string device;
    std::string deviceUuid;
    std::string driver;
    int conditionsSeq = 0;         ///< of the last event with another device or driver; 0: never
    std::string conditionsChanged; ///< what changed then, in words

    std::optional<EnvReport> environment; ///< of the newest check
    int failedEnvironments = 0;           ///< in a row, up to now
    std::optional<BuildFacts> build;
    std::optional<MemoryCheck> memoryCheck; ///< of the candidate
    std::map<Evidence, RunId> runs;         ///< newest run of each kind of evidence that is one
    ComparisonId comparison;                ///< of the evaluation

    std::vector<DebugIteration> iterations; ///< the last is open while iterationOpen
    bool iterationOpen = false;
    std::optional<Params> failingProblem; ///< smallest size that fails; unset when none does, or before the search
    std::vector<std::string> foundBy;     ///< tools of compute-sanitizer that found an error, each once: a candidate has to pass these, too

    std::string fix; ///< id of the current or last fix
    std::string fixTitle;
    int fixSeq = 0;
    std::optional<Address> candidate;
    std::optional<SourceChange> sourceChange; ///< where the candidate is an edit of the kernel's source
    std::optional<BegunEdit> editing;         ///< an own edit in progress
    std::optional<LastDecision> decision;     ///< that can be undone
    std::string commit;                       ///< git commit that a keep made; empty: none
    std::vector<ParkedStep> parked;           ///< parked steps, oldest first
    RunId startProfile;                       ///< profile of the start, while a parked step's variant is the one profiled
    bool kept = false;
    bool reverted = false;
    std::vector<Address> tried; ///< candidates that were reverted

    bool documented = false;
    std::string artifact;      ///< name of the stored report, see Store::artifact
    std::string retrospective; ///< what the document step wrote
    bool finished = false;
    std::string outcome;                   ///< of the finished event: "kept", "reverted", "nothing to fix", "abandoned"; "" while open
    std::optional<double> finishedSpeedup; ///< of the finished event
    std::optional<double> finishedMinutes; ///< of the finished event

    std::map<std::string, Waiver> waivers; ///< by gate, the newest of each; see Gate evaluation for which still hold
    std::map<Evidence, int> evidence;      ///< seq of the newest that still counts
    std::vector<std::string> notes;
    std::map<std::string, std::string> written; ///< the engineer's own document, by question; see session_document.h
    std::vector<std::string> patternsApplied;   ///< slugs, each once
    std::vector<std::string> stalls;            ///< notices of work that went silent
    int refusals = 0;                           ///< actions that a rule blocked
    std::map<std::string, std::string> ticks;   ///< notes that tick items of the checklist, by item
    int historySeq = 0;                         ///< of the newest look at the kernel's git history; 0: none
    std::string historyFound;                   ///< what it found, in words
    int lastSeq = 0;

    bool has(Evidence kind) const { return evidence.contains(kind); }
};

/// Pure. Error badInput names the event that cannot be read; an unknown type is skipped (a newer program may have written it).
Result<SessionFacts> foldEvents(const std::vector<SessionEvent>& events);

} // namespace kl::inline session
