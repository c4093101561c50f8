// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"

#include "core/base/try.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline learning {
namespace {

void addOnce(std::vector<std::string>& list, const std::string& text)
{
    if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end())
        list.push_back(text);
}

/// The outcome event that closes a session.
void readFinished(const TracedEvent& finished, const std::map<std::string, std::string>& titles, HistoryRow& row)
{
    const std::string outcome = finished.word("outcome");
    row.status = outcome == "ended-early" || outcome == "abandoned" ? SessionStatus::endedEarly : SessionStatus::complete;
    row.statusText = outcome.empty() ? "complete" : outcome;
    if (const auto speedup = finished.number("speedup"))
        row.speedup = {{*speedup, FigureKind::measured, {}}};
    if (outcome == "kept")
        row.gain = finished.number("ratio");
    if (const auto minutes = finished.number("minutes"))
        row.minutes = {{*minutes, FigureKind::measured, {}}};
    for (const auto& [name, text] : finished.words) {
        if (name.starts_with("gates."))
            row.gates.push_back(
                {name.substr(6), text, FigureKind::measured, {}, titles.contains(name.substr(6)) ? titles.at(name.substr(6)) : ""});
        if (name.starts_with("patterns."))
            addOnce(row.patterns, text);
    }
}

void addSavings(const std::vector<PatternApplication>& applications, HistoryRow& row)
{
    std::optional<double> measured;
    std::optional<double> quoted;
    for (const PatternApplication& application : applications) {
        if (application.session != row.id)
            continue;
        addOnce(row.patterns, application.pattern);
        if (application.measuredMinutes && !row.replayed)
            measured = measured.value_or(0) + *application.measuredMinutes;
        if (application.quotedMinutes)
            quoted = quoted.value_or(0) + *application.quotedMinutes;
        if (application.quotedDollars)
            row.savedDollarsQuoted = row.savedDollarsQuoted.value_or(0) + *application.quotedDollars;
    }
    if (measured)
        row.savedMinutes.push_back({*measured, FigureKind::measured, "stage times, compared with sessions without the pattern"});
    if (quoted)
        row.savedMinutes.push_back({*quoted, FigureKind::quoted, "what the October 2025 documents claim for the applied patterns"});
}

void addMilestones(const SessionTrace& trace, HistoryRow& row)
{
    const TracedEvent* choice = nullptr;
    const TracedEvent* belief = nullptr; // the hypothesis of the current iteration
    for (const TracedEvent& event : trace.events) {
        if (!row.minutesToBuild && event.run && event.run->status == ResultStatus::ok &&
            event.run->correctness == CorrectnessResult::correct)
            row.minutesToBuild = event.minutes;
        if (!row.minutesToBottleneck && event.type == event::kProfiled && event.run && !event.run->classId.empty())
            row.minutesToBottleneck = event.minutes;
        if (event.type == event::kPatternApplied)
            addOnce(row.patterns, event.word("slug"));
        if (event.type == event::kFixChosen)
            choice = &event;
        if (event.type == event::kHypothesis && !belief)
            belief = &event;
        if (event.type == event::kIterationClosed && belief) { // given up
            row.wrongPaths.push_back({belief->word("text"), event.minutes - belief->minutes});
            belief = nullptr;
            choice = nullptr;
        }
        if (event.type == event::kReverted && choice) {
            const std::string title = choice->word("title");
            const std::string candidate = choice->word("candidate");
            row.wrongPaths.push_back(
                {title.empty() ? candidate : fmt::format("{} ({})", title, candidate), event.minutes - choice->minutes});
            choice = nullptr;
        }
    }
}

} // namespace

HistoryRow historyRow(const SessionTrace& trace, const HistoryInput& input)
{
    HistoryRow row;
    row.id = trace.header.id.text;
    row.name = trace.header.name;
    row.kind = trace.header.kind;
    row.device = trace.device();
    row.date = trace.header.createdAt;
    row.objective = trace.header.objective;
    row.kernel = trace.header.kernel;
    row.replayed = trace.header.source == Source::sample;
    const bool scripted = isScriptedKind(row.kind);
    row.origin = row.replayed ? "this database, replayed from a recording"
                 : scripted   ? "this database, driven by a script"
                              : "this database";
    row.statusText = "open";
    row.budgetMinutes = trace.budgetMinutes;
    if (const TracedEvent* finished = trace.last(event::kFinished))
        readFinished(*finished, trace.gateTitles, row);
    if (row.status == SessionStatus::open)
        row.minutes = {{trace.minutes, FigureKind::measured, "so far"}};
    addMilestones(trace, row);
    addSavings(input.applications, row);
    row.patternsApplied = static_cast<int>(row.patterns.size());
    row.mistakes = findMistakes(trace);
    row.blind = blindOptimizations(trace);
    for (const Pattern& pattern : input.patterns)
        if (pattern.learnedIn == row.id)
            row.learned.push_back(pattern.slug);
    // A replayed session took no GPU time of anyone; what was entered for it counts.
    const std::optional<Figure> minutes = findShownFigure(row.minutes);
    row.money = computeMoney(row.id, minutes && !row.replayed ? std::optional(minutes->value) : std::nullopt, row.device,
                             priceOn(trace.host(), row.device, input.hosts, input.prices), input.engineerRate, input.costs);
    if (scripted)
        row.money.engineer.reset(); // nobody was at work
    if (row.replayed && row.money.gpu.empty())
        row.money.why = "run on recorded data: no GPU was used, and its result is not counted";
    row.documented = trace.last(event::kDocumented) != nullptr;
    for (const TracedEvent& event : trace.events)
        if (event.type == event::kWritten)
            for (const auto& [question, list] : {std::pair{"worked", &row.worked}, std::pair{"failed", &row.failed},
                                                 std::pair{"root-cause", &row.insights}, std::pair{"next", &row.nextTime}})
                if (event.word("question") == question)
                    *list = {event.word("text")}; // the newest answer
    row.grade = gradeRow(row, input.sessionCostTarget);
    return row;
}

Result<OwnTraces> ownTraces(const Store& store, std::optional<int> newest)
{
    KL_ASSIGN(std::vector<SessionHeader> headers, newest ? store.sessions(SessionQuery{.limit = *newest + 1}) : store.sessions());
    OwnTraces found;
    if (newest) {
        found.more = headers.size() > static_cast<std::size_t>(*newest);
        if (found.more)
            headers.pop_back();
        std::ranges::reverse(headers); // oldest first
    }
    KL_ASSIGN(const std::set<std::string> scripted, listScriptedSessions(store));
    std::map<std::string, SessionPlan> plans; // by the template's text: most sessions share a few
    for (const SessionHeader& header : headers) {
        if (header.isShipped())
            continue;
        const auto known = plans.find(header.templateJson);
        const SessionPlan& plan =
            known != plans.end() ? known->second : plans.emplace(header.templateJson, parseSessionPlan(header.templateJson)).first->second;
        KL_ASSIGN(SessionTrace trace, traceSession(store, header, plan));
        trace.header.templateJson.clear(); // read, and as long as all the rest
        if (scripted.contains(header.id.text))
            trace.header.kind = nameScriptedKind(header.kind);
        found.traces.push_back(std::move(trace));
    }
    return found;
}

std::vector<PhaseTimes> phaseTimes(const std::vector<SessionTrace>& traces)
{
    std::vector<PhaseTimes> all;
    for (const SessionTrace& trace : traces) {
        const TracedEvent* finished = trace.last(event::kFinished);
        if (!finished || trace.header.source != Source::live)
            continue;
        PhaseTimes times{trace.header.id.text, trace.header.kind, {}, {}};
        const std::string prefix = "measured_minutes.";
        for (const auto& [name, minutes] : finished->numbers)
            if (name.starts_with(prefix))
                times.minutes[name.substr(prefix.size())] = minutes;
        for (const TracedEvent& event : trace.events)
            if (event.type == event::kPatternApplied)
                times.applied.emplace_back(event.word("slug"), event.word("phase"));
        all.push_back(std::move(times));
    }
    return all;
}

} // namespace kl::inline learning
