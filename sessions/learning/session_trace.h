// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"
#include "sessions/store/store.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// One event of a session, read for counting: texts, numbers and truth values of its data by name, nested ones as "answers.tools" and
/// "checks.0.result", and the run or comparison that it names.
struct TracedEvent {
    int seq = 0;
    std::string type;
    double minutes = 0; ///< working minutes since the session was opened
    std::map<std::string, std::string> words;
    std::map<std::string, double> numbers;
    std::optional<RunOutcome> run;
    std::optional<Ratio> ratio; ///< of the comparison: old / new

    /// Empty where there is none.
    std::string word(const std::string& name) const;
    std::optional<double> number(const std::string& name) const;
};

/// A session with everything that its metrics are computed from. They are pure functions of this value.
struct SessionTrace {
    SessionHeader header;
    std::vector<TracedEvent> events;
    std::optional<double> budgetMinutes;           ///< of the template
    std::map<std::string, std::string> gateTitles; ///< of the template, by id
    double minutes = 0;                            ///< working time up to the last event
    double idleMinutes = 120;                      ///< a longer pause is not counted; a template may override it

    bool finished() const;
    const TracedEvent* last(const std::string& type) const;
    /// The device that the session was opened on, or that its first run names; empty when neither is known.
    std::string device() const;
    /// The other host that the session was opened on, as the list of hosts names it; empty for this machine.
    std::string host() const;
};

/// Working minutes: between the first and each event, without pauses longer than `idleMinutes` and those
/// that end with "resumed". One value per event.
std::vector<double> computeWorkingMinutes(const std::vector<SessionEvent>& events, double idleMinutes);

/// What a session's template says of it.
struct SessionPlan {
    std::optional<double> budgetMinutes;
    std::optional<double> idleMinutes;
    std::map<std::string, std::string> gateTitles; ///< by id
};

/// Of a template that cannot be read: nothing.
SessionPlan parseSessionPlan(const std::string& templateJson);

/// Reads a session; a run that is not in the database leaves its event without one. Errors: notFound for the session; badInput for a
/// damaged event.
Result<SessionTrace> traceSession(const Store& store, const SessionHeader& header);
/// The same, with the plan of its template.
Result<SessionTrace> traceSession(const Store& store, const SessionHeader& header, const SessionPlan& plan);

} // namespace kl::inline learning
