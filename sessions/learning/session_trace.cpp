// SPDX-License-Identifier: MIT
#include "sessions/learning/session_trace.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ratio>

namespace kl::inline learning {
namespace {

void flatten(const Json& data, const std::string& name, TracedEvent& event)
{
    if (data.is_string())
        event.words[name] = data.get<std::string>();
    else if (data.is_boolean())
        event.words[name] = data.get<bool>() ? "true" : "false";
    else if (data.is_number())
        event.numbers[name] = data.get<double>();
    else if (data.is_structured())
        for (const auto& [key, value] : data.items())
            flatten(value, name.empty() ? key : name + '.' + key, event);
}

Status addEvidence(const Store& store, TracedEvent& event)
{
    if (const std::string id = event.word("run"); !id.empty()) {
        const Result<RunOutcome> run = store.outcome({id});
        if (run)
            event.run = *run;
        else if (run.error().code != ErrorCode::notFound) // nothing is counted of what is not there
            return run.error();
    }
    if (const std::string id = event.word("comparison"); !id.empty()) {
        KL_ASSIGN(event.ratio, store.ratio({id}));
    }
    return {};
}

} // namespace

std::string TracedEvent::word(const std::string& name) const
{
    const auto found = words.find(name);
    return found == words.end() ? std::string() : found->second;
}

std::optional<double> TracedEvent::number(const std::string& name) const
{
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

bool SessionTrace::finished() const
{
    return last(event::kFinished) != nullptr;
}

const TracedEvent* SessionTrace::last(const std::string& type) const
{
    const auto found = std::find_if(events.rbegin(), events.rend(), [&](const TracedEvent& event) { return event.type == type; });
    return found == events.rend() ? nullptr : &*found;
}

std::string SessionTrace::device() const
{
    for (const TracedEvent& event : events) {
        if (event.type == event::kOpened && !event.word("device").empty())
            return event.word("device");
        if (event.run && !event.run->device.empty())
            return event.run->device;
    }
    return {};
}

std::string SessionTrace::host() const
{
    const TracedEvent* opened = events.empty() || events.front().type != event::kOpened ? nullptr : &events.front();
    return opened ? opened->word("host") : std::string();
}

std::vector<double> computeWorkingMinutes(const std::vector<SessionEvent>& events, double idleMinutes)
{
    std::vector<double> at;
    double minutes = 0;
    std::optional<TimePoint> before;
    for (const SessionEvent& event : events) {
        const std::optional<TimePoint> time = parseIsoTime(event.at);
        const double gap = time && before ? std::chrono::duration<double, std::ratio<60>>(*time - *before).count() : 0;
        if (gap > 0 && gap <= idleMinutes && event.type != event::kResumed)
            minutes += gap;
        before = time ? time : before;
        at.push_back(minutes);
    }
    return at;
}

SessionPlan parseSessionPlan(const std::string& templateJson)
{
    SessionPlan plan;
    const Result<Json> json = parseJson(templateJson, "session template");
    if (!json || !json->is_object())
        return plan;
    TracedEvent numbers;
    for (const char* name : {"budget_minutes", "idle_after_minutes"})
        if (json->contains(name))
            flatten((*json)[name], name, numbers);
    plan.budgetMinutes = numbers.number("budget_minutes");
    plan.idleMinutes = numbers.number("idle_after_minutes");
    for (const Json& gate : json->value("gates", Json::array()))
        if (gate.is_object())
            plan.gateTitles[gate.value("id", std::string())] = gate.value("title", std::string());
    return plan;
}

Result<SessionTrace> traceSession(const Store& store, const SessionHeader& header)
{
    return traceSession(store, header, parseSessionPlan(header.templateJson));
}

Result<SessionTrace> traceSession(const Store& store, const SessionHeader& header, const SessionPlan& plan)
{
    KL_ASSIGN(const std::vector<SessionEvent> events, store.events(header.id));
    SessionTrace trace;
    trace.header = header;
    trace.budgetMinutes = plan.budgetMinutes;
    trace.gateTitles = plan.gateTitles;
    trace.idleMinutes = plan.idleMinutes.value_or(trace.idleMinutes);
    const std::vector<double> minutes = computeWorkingMinutes(events, trace.idleMinutes);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const SessionEvent& item = events[i];
        TracedEvent event;
        event.seq = item.seq;
        event.type = item.type;
        event.minutes = minutes[i];
        KL_ASSIGN(const Json data, parseJson(item.dataJson.empty() ? "{}" : item.dataJson,
                                             fmt::format("event {} ({}) of session {}", item.seq, item.type, header.name)));
        flatten(data, {}, event);
        KL_TRY(addEvidence(store, event));
        trace.events.push_back(std::move(event));
    }
    trace.minutes = minutes.empty() ? 0 : minutes.back();
    return trace;
}

} // namespace kl::inline learning
