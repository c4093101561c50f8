// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/params.h"
#include "sessions/store/rows.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Everything that can happen in a session; the words of SessionEvent::type, with the fields of its data:
namespace event {
inline constexpr const char* kOpened = "opened";                          ///< {answers, start, problem, device, device_uuid}
inline constexpr const char* kEnvironmentChecked = "environment-checked"; ///< {checks}
inline constexpr const char* kSmallestVerified = "smallest-verified";     ///< {run}
inline constexpr const char* kBaselineMeasured = "baseline-measured";     ///< {run}
inline constexpr const char* kProfiled = "profiled";                      ///< {run}
inline constexpr const char* kFixChosen = "fix-chosen";                   ///< {fix, title, candidate}
inline constexpr const char* kCandidateVerified = "candidate-verified";   ///< {run}
inline constexpr const char* kEvaluated = "evaluated";                    ///< {comparison}
inline constexpr const char* kKept = "kept";                              ///< {variant, ratio}
inline constexpr const char* kReverted = "reverted";                      ///< {variant, candidate, reason}
inline constexpr const char* kDocumented = "documented";                  ///< {artifact, retrospective}
inline constexpr const char* kFinished =
    "finished"; ///< {speedup, minutes, outcome, start, candidate, ratio, gates, patterns, measured_minutes}
inline constexpr const char* kWaived = "waived";                  ///< {gate, reason}
inline constexpr const char* kNote = "note";                      ///< {text}
inline constexpr const char* kPatternApplied = "pattern-applied"; ///< {slug, phase}
inline constexpr const char* kRefusedAttempt = "refused-attempt"; ///< {action, rule, message}
} // namespace event

/// All of them, in the order of the method.
const std::vector<std::string>& eventTypes();

/// The phase in whose time an event falls, empty for those that belong to whichever phase is current.
std::string phaseOfEvent(const std::string& type);

struct Waiver {
    std::string reason;
    int seq = 0;
};

/// What the events of a session say, and nothing else: which runs they name and what was decided.
struct SessionFacts {
    std::map<std::string, std::string> answers;
    Address start;
    Params problem;
    std::string device;
    std::string deviceUuid;

    std::optional<EnvReport> environment;
    int failedEnvironments = 0; ///< in a row, up to now
    RunId smallestRun;
    RunId baselineRun;
    RunId profileRun;

    std::string fix; ///< id of the fix that is being tried, or was last
    std::string fixTitle;
    std::optional<Address> candidate;
    RunId candidateRun;
    ComparisonId evaluation;
    bool kept = false;
    bool reverted = false;
    std::vector<Address> tried; ///< candidates that were reverted

    bool documented = false;
    std::string artifact;
    std::string retrospective;
    bool finished = false;
    std::string outcome;           ///< of the finished event
    std::optional<double> speedup; ///< of the finished event
    std::optional<double> minutes; ///< of the finished event

    std::map<std::string, Waiver> waivers; ///< by gate; only those that newer evidence has not overtaken
    std::map<std::string, int> evidence;   ///< gate to the seq of its newest evidence
    std::vector<std::string> notes;
    std::vector<std::string> patterns; ///< slugs, each once
    int refusals = 0;
    int lastSeq = 0;
};

/// Pure. Error badInput names the event that cannot be read; an unknown type is skipped (a newer program may have written it).
Result<SessionFacts> foldEvents(const std::vector<SessionEvent>& events);

} // namespace kl
