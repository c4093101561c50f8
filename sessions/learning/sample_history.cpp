// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"

#include "core/base/resource.h"
#include "core/codec/fields.h"

namespace kl {

constexpr auto enumWords(FigureKind)
{
    using F = FigureKind;
    return std::array<std::pair<F, const char*>, 4>{
        {{F::measured, "measured"}, {F::quoted, "quoted"}, {F::derived, "derived"}, {F::planned, "planned"}}};
}
constexpr auto enumWords(SessionStatus)
{
    using S = SessionStatus;
    return std::array<std::pair<S, const char*>, 3>{{{S::open, "open"}, {S::complete, "complete"}, {S::endedEarly, "ended-early"}}};
}

template <class V> void fields(V& v, Figure& f)
{
    v("value", f.value);
    v("how", f.kind);
    v("source", f.source);
}

template <class V> void fields(V& v, GateOutcome& g)
{
    v("gate", g.gate);
    v("result", g.result);
    v("how", g.kind);
    v("source", g.source);
}

template <class V> void fields(V& v, HistoryRow& r)
{
    v("name", r.name);
    v("date", r.date);
    v("until", r.until);
    v("date_source", r.dateSource);
    v("objective", r.objective);
    v("minutes", r.minutes);
    v("budget_minutes", r.budgetMinutes);
    v("speedup", r.speedup);
    v("gates", r.gates);
    v("patterns_applied", r.patternsApplied);
    v("patterns_known", r.patternsKnown);
    v("patterns_planned", r.patternsPlanned);
    v("status", r.status);
    v("status_text", r.statusText);
    v("gpu_cost", r.gpuCost);
    v("assistant_cost", r.assistantCost);
    v("learned", r.learned);
    v("saved_minutes", r.savedMinutes);
}

template <class V> void fields(V& v, PlannedSession& p)
{
    v("name", p.name);
    v("objective", p.objective);
    v("minutes_low", p.minutesLow);
    v("minutes_high", p.minutesHigh);
}

namespace {

struct FileMistake {
    std::string text;
};
template <class V> void fields(V& v, FileMistake& m)
{
    v("text", m.text);
}

struct FilePoint {
    std::string session;
    int position = 0;
    double hours = 0;
    double speedup = 0;
};
template <class V> void fields(V& v, FilePoint& p)
{
    v("session", p.session);
    v("position", p.position);
    v("hours", p.hours);
    v("speedup", p.speedup);
}

struct File {
    std::string origin;
    std::string kernel;
    std::vector<HistoryRow> sessions;
    std::vector<PlannedSession> planned;
    std::vector<FileMistake> mistakes;
    std::vector<FilePoint> trajectory;
};
template <class V> void fields(V& v, File& f)
{
    v("origin", f.origin);
    v("kernel", f.kernel);
    v("sessions", f.sessions);
    v("planned", f.planned);
    v("mistakes", f.mistakes);
    v("trajectory", f.trajectory);
}

} // namespace

const char* toString(FigureKind kind) noexcept
{
    for (const auto& [value, word] : enumWords(FigureKind{}))
        if (value == kind)
            return word;
    return "";
}

Result<SampleHistory> parseSampleHistory(std::string_view text, std::string_view where)
{
    const Result<Json> json = parseJson(text, where);
    if (!json)
        return json.error();
    Result<File> file = fromJson<File>(*json, where);
    if (!file)
        return file.error();
    SampleHistory history;
    history.origin = file->origin;
    history.rows = std::move(file->sessions);
    history.planned = std::move(file->planned);
    for (HistoryRow& row : history.rows) {
        row.id = "sample:" + row.name;
        row.kernel = file->kernel;
        row.origin = file->origin;
        row.sample = true;
        row.objectiveDerived = true;
        if (row.statusText.empty())
            row.statusText = row.status == SessionStatus::complete ? "complete" : "ended early";
    }
    for (FileMistake& mistake : file->mistakes)
        history.mistakes.push_back(std::move(mistake.text));
    for (FilePoint& point : file->trajectory)
        history.trajectory.push_back({std::move(point.session), point.position, point.hours * 60, point.speedup});
    return history;
}

Result<SampleHistory> embeddedSampleHistory()
{
    constexpr const char* kPath = "resources/sample-history.json";
    const Result<std::string_view> text = resource(kPath);
    if (!text)
        return text.error();
    return parseSampleHistory(*text, kPath);
}

Result<std::vector<HistoryRow>> sampleHistory()
{
    Result<SampleHistory> history = embeddedSampleHistory();
    if (!history)
        return history.error();
    return std::move(history->rows);
}

} // namespace kl
