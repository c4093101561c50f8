// SPDX-License-Identifier: MIT
#include "sessions/learning/build_alerts.h"

#include "core/base/try.h"
#include "sessions/session/checklist.h"
#include "sessions/session/events.h"
#include "sessions/session/session_action.h"
#include "sessions/session/suggestions.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kl::inline learning {
namespace {

/// The outcome of a build or of a check of the kernel; unset for any other event, and for a build that a recording does not have.
std::optional<bool> judgeSuccess(const TracedEvent& item)
{
    if (item.type == event::kBuildValidated)
        return item.word("unavailable").empty() ? std::optional(item.word("status") == "ok") : std::nullopt;
    const bool check = item.type == event::kSmallestVerified || item.type == event::kStartVerified ||
                       item.type == event::kMinimalVerified || item.type == event::kCandidateVerified;
    if (!check || !item.run)
        return {};
    return item.run->status == ResultStatus::ok && !isRefuted(item.run->correctness);
}

bool looksAtHistory(const TracedEvent& item)
{
    return item.type == event::kHistoryLooked ||
           (item.type == event::kTicked && item.word("item") == kHistoryItem && !item.word("note").empty());
}

double minutesBetween(TimePoint from, TimePoint to)
{
    return std::chrono::duration<double, std::ratio<60>>(to - from).count();
}

} // namespace

std::optional<FailingAttempts> findFailingAttempts(const SessionTrace& trace, TimePoint lastEvent, TimePoint now, double idleMinutes)
{
    std::optional<FailingAttempts> failing;
    bool edited = false; // a variant of the catalog has no history to look at
    double since = 0;
    for (const TracedEvent& item : trace.events) {
        edited = edited || item.type == event::kEditBegun;
        const std::optional<bool> good = judgeSuccess(item);
        const bool build = item.type == event::kBuildValidated || (item.run && item.run->status == ResultStatus::compilationFailed);
        if (good && !*good && (edited || build)) {
            if (!failing)
                since = item.minutes;
            failing = failing.value_or(FailingAttempts{});
            ++failing->attempts;
        } else if (good.value_or(false) || item.type == event::kReverted || item.type == event::kKept) {
            failing.reset();
        } else if (failing && looksAtHistory(item)) {
            failing->historyLooked = true;
        }
    }
    if (!failing)
        return {};
    const double open = minutesBetween(lastEvent, now);
    failing->minutes = trace.minutes - since + (open > 0 && open <= idleMinutes ? open : 0);
    return failing;
}

Result<std::vector<Alert>> buildAlerts(const Store& store, const SessionTrace& trace, TimePoint now)
{
    std::vector<Alert> alerts;
    if (trace.finished() || trace.events.empty())
        return alerts;
    KL_ASSIGN(const std::vector<SessionEvent> events, store.events(trace.header.id));
    const std::optional<TimePoint> last = parseIsoTime(events.back().at);
    const std::optional<FailingAttempts> failing = findFailingAttempts(trace, last.value_or(now), now, trace.idleMinutes);
    if (!failing)
        return alerts;
    const auto add = [&](const char* code, const std::string& text, SessionAction action) {
        std::vector<NextStep> step{makeActionStep(action)};
        nameSession(step, trace.header, store.location());
        alerts.push_back({code, text, "session:" + trace.header.id.text, std::move(step.front())});
    };
    const std::string tried = failing->attempts == 1 ? "1 attempt has" : fmt::format("{} attempts have", failing->attempts);
    if (failing->minutes >= kStopAfterMinutes)
        add("build-time-out",
            fmt::format(
                "Session {}: {} failed for {}. After {} the method stops: document what failed, and start again from a version that "
                "worked.",
                trace.header.name, tried, formatMinutes(failing->minutes), formatMinutes(kStopAfterMinutes)),
            SessionAction::document);
    if (failing->minutes >= kHistoryAfterMinutes && !failing->historyLooked)
        add("build-history",
            fmt::format("Session {}: {} failed for {} without a look at the history. Find the last commit that worked.", trace.header.name,
                        tried, formatMinutes(failing->minutes)),
            SessionAction::bisect);
    return alerts;
}

} // namespace kl::inline learning
