// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"

#include "core/codec/json.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr double kIdleMinutes = 120; ///< a longer pause is no work; a template may say otherwise

/// Seconds since 1970 of "2026-03-01T09:30:00.125Z"; nothing for another form.
std::optional<double> secondsOf(const std::string& at)
{
    std::tm utc{};
    double seconds = 0;
    if (std::sscanf(at.c_str(), "%d-%d-%dT%d:%d:%lf", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour, &utc.tm_min, &seconds) != 6)
        return std::nullopt;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    return static_cast<double>(timegm(&utc)) + seconds;
}

std::optional<double> numberIn(const Json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string textIn(const Json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void addOnce(std::vector<std::string>& list, const std::string& text)
{
    if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end())
        list.push_back(text);
}

Json dataOf(const SessionEvent& event)
{
    const Result<Json> json = parseJson(event.dataJson, "session event");
    return json && json->is_object() ? *json : Json::object();
}

/// The outcome event that closes a session.
void readFinished(const Json& data, HistoryRow& row)
{
    const std::string outcome = textIn(data, "outcome");
    row.status = outcome == "ended-early" || outcome == "abandoned" ? SessionStatus::endedEarly : SessionStatus::complete;
    row.statusText = outcome.empty() ? "complete" : outcome;
    if (const auto speedup = numberIn(data, "speedup"))
        row.speedup = {{*speedup, FigureKind::measured, {}}};
    if (const auto minutes = numberIn(data, "minutes"))
        row.minutes = {{*minutes, FigureKind::measured, {}}};
    if (const auto gates = data.find("gates"); gates != data.end() && gates->is_object())
        for (const auto& [gate, result] : gates->items())
            if (result.is_string())
                row.gates.push_back({gate, result.get<std::string>(), FigureKind::measured, {}});
    if (const auto patterns = data.find("patterns"); patterns != data.end() && patterns->is_array())
        for (const Json& slug : *patterns)
            if (slug.is_string())
                addOnce(row.patterns, slug.get<std::string>());
}

void addSavings(const std::vector<PatternApplication>& applications, HistoryRow& row)
{
    std::optional<double> measured;
    std::optional<double> quoted;
    for (const PatternApplication& application : applications) {
        if (application.session != row.id)
            continue;
        addOnce(row.patterns, application.pattern);
        if (application.measuredMinutes)
            measured = measured.value_or(0) + *application.measuredMinutes;
        if (application.quotedMinutes)
            quoted = quoted.value_or(0) + *application.quotedMinutes;
    }
    if (measured)
        row.savedMinutes.push_back({*measured, FigureKind::measured, {}});
    if (quoted)
        row.savedMinutes.push_back({*quoted, FigureKind::quoted, "what the notes say the applied patterns save"});
}

HistoryRow rowOf(const SessionHeader& header, const std::vector<SessionEvent>& events)
{
    HistoryRow row;
    row.id = header.id.text;
    row.name = header.name;
    row.date = header.createdAt;
    row.objective = header.objective;
    row.kernel = header.kernel;
    row.replayed = header.source == Source::sample;
    row.origin = row.replayed ? "this database, replayed from a recording" : "this database";
    row.statusText = "open";
    double idle = kIdleMinutes;
    if (const Result<Json> json = parseJson(header.templateJson, "session template"); json) {
        row.budgetMinutes = numberIn(*json, "budget_minutes");
        idle = numberIn(*json, "idle_after_minutes").value_or(idle);
    }
    for (const SessionEvent& event : events) {
        if (event.type == "pattern-applied")
            addOnce(row.patterns, textIn(dataOf(event), "slug"));
        if (event.type == "finished")
            readFinished(dataOf(event), row);
    }
    if (row.status == SessionStatus::open)
        row.minutes = {{workingMinutes(events, idle), FigureKind::measured, "so far"}};
    return row;
}

} // namespace

double workingMinutes(const std::vector<SessionEvent>& events, double idleMinutes)
{
    double minutes = 0;
    std::optional<double> before;
    for (const SessionEvent& event : events) {
        const std::optional<double> at = secondsOf(event.at);
        if (at && before && *at > *before && *at - *before <= idleMinutes * 60)
            minutes += (*at - *before) / 60;
        before = at ? at : before;
    }
    return minutes;
}

Result<std::vector<HistoryRow>> ownHistory(const Store& store, const std::vector<PatternApplication>& applications,
                                           std::optional<double> gpuPrice)
{
    const Result<std::vector<SessionHeader>> headers = store.sessions();
    if (!headers)
        return headers.error();
    std::vector<HistoryRow> rows;
    for (const SessionHeader& header : *headers) {
        if (header.kind == "sample")
            continue;
        const Result<std::vector<SessionEvent>> events = store.events(header.id);
        if (!events)
            return events.error();
        HistoryRow row = rowOf(header, *events);
        addSavings(applications, row);
        row.patternsApplied = static_cast<int>(row.patterns.size());
        if (gpuPrice && !row.replayed && !row.minutes.empty())
            row.gpuCost.push_back(
                {row.minutes.front().value / 60 * *gpuPrice, FigureKind::measured, "minutes × the price set for this GPU"});
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace kl
