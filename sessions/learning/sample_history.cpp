// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "sessions/learning/figure_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline learning {

constexpr auto enumWords(SessionStatus)
{
    using S = SessionStatus;
    return std::array<std::pair<S, const char*>, 3>{{{S::open, "open"}, {S::complete, "complete"}, {S::endedEarly, "ended-early"}}};
}

template <class V> void fields(V& v, Grade& g)
{
    v("letter", g.letter);
    v("reason", g.reason);
}

template <class V> void fields(V& v, GateOutcome& g)
{
    v("gate", g.gate);
    v("result", g.result);
    v("how", g.kind);
    v("source", g.source);
    v("title", g.title);
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
    v("gpu_cost", r.money.gpu);
    v("assistant_cost", r.money.assistant);
    v("learned", r.learned);
    v("saved_minutes", r.savedMinutes);
    v("patterns", r.patterns);
    v("blind", r.blind);
    v("minutes_to_build", r.minutesToBuild);
    v("no_bottleneck", r.noBottleneck);
    v("worked", r.worked);
    v("failed", r.failed);
    v("insights", r.insights);
    v("next", r.nextTime);
    v("graded", r.grade);
}

template <class V> void fields(V& v, MistakeKind& m)
{
    v("id", m.id);
    v("text", m.text);
    v("cost", m.cost);
    v("prevention", m.prevention);
}

template <class V> void fields(V& v, PlannedSession& p)
{
    v("name", p.name);
    v("objective", p.objective);
    v("minutes_low", p.minutesLow);
    v("minutes_high", p.minutesHigh);
    v("speedup", p.speedup);
    v("patterns", p.patterns);
    v("source", p.source);
    v("became", p.became);
}

template <class V> void fields(V& v, QuotedTrend& t)
{
    v("low", t.low);
    v("high", t.high);
    v("text", t.text);
    v("source", t.source);
}

template <class V> void fields(V& v, QuotedGoal& g)
{
    v("session", g.session);
    v("minutes", g.minutes);
    v("before", g.before);
    v("before_minutes", g.beforeMinutes);
    v("reduction", g.reduction);
    v("source", g.source);
}

template <class V> void fields(V& v, DashboardRow& r)
{
    v("id", r.id);
    v("title", r.title);
    v("text", r.quoted);
    v("source", r.source);
}

template <class V> void fields(V& v, Amount& a)
{
    v("what", a.what);
    v("dollars", a.dollars);
}

template <class V> void fields(V& v, QuotedEconomics& e)
{
    v("session", e.session);
    v("source", e.source);
    v("value", e.value);
    v("investment", e.investment);
    v("quoted_return", e.quotedReturn);
}

namespace {

/// A session, its mistakes by the ids of the list.
struct FileRow {
    HistoryRow row;
    std::vector<std::string> mistakes;
};
template <class V> void fields(V& v, FileRow& r)
{
    v.inlineFields(r.row);
    v("mistakes", r.mistakes);
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
    std::string device;
    std::vector<FileRow> sessions;
    std::vector<PlannedSession> planned;
    std::vector<MistakeKind> mistakes;
    std::vector<FilePoint> trajectory;
    std::vector<std::string> notes;
    QuotedTrend trend;
    QuotedGoal goal;
    QuotedEconomics economics;
    std::vector<DashboardRow> dashboard;
};
template <class V> void fields(V& v, File& f)
{
    v("origin", f.origin);
    v("kernel", f.kernel);
    v("device", f.device);
    v("sessions", f.sessions);
    v("planned", f.planned);
    v("mistakes", f.mistakes);
    v("trajectory", f.trajectory);
    v("notes", f.notes);
    v("trend", f.trend);
    v("goal", f.goal);
    v("economics", f.economics);
    v("dashboard", f.dashboard);
}

double sumAmounts(const std::vector<Amount>& amounts)
{
    double sum = 0;
    for (const Amount& amount : amounts)
        sum += amount.dollars;
    return sum;
}

} // namespace

double QuotedEconomics::valueSum() const
{
    return sumAmounts(value);
}

double QuotedEconomics::investmentSum() const
{
    return sumAmounts(investment);
}

Result<SampleHistory> parseSampleHistory(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(File file, fromJson<File>(json, where));
    SampleHistory history;
    history.origin = file.origin;
    history.planned = std::move(file.planned);
    history.mistakes = std::move(file.mistakes);
    history.notes = std::move(file.notes);
    history.trend = std::move(file.trend);
    history.goal = std::move(file.goal);
    history.economics = std::move(file.economics);
    history.dashboard = std::move(file.dashboard);
    for (FileRow& item : file.sessions) {
        HistoryRow& row = history.rows.emplace_back(std::move(item.row));
        for (const std::string& id : item.mistakes) {
            const auto known =
                std::find_if(history.mistakes.begin(), history.mistakes.end(), [&](const MistakeKind& kind) { return kind.id == id; });
            if (known == history.mistakes.end())
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("{}: session {} names mistake \"{}\", which is not in the list.", where, row.name, id),
                             .where = std::string(where)};
            row.mistakes.push_back({id, 1, 0, 0, known->text});
        }
        row.id = "sample:" + row.name;
        row.kernel = file.kernel;
        row.origin = file.origin;
        row.sample = true;
        row.objectiveDerived = true;
        if (row.statusText.empty())
            row.statusText = row.status == SessionStatus::complete ? "complete" : "ended early";
        row.device = file.device;
        row.grade = gradeRow(row, kSessionCostTarget);
        row.documented = !row.worked.empty();
        if (const std::optional<Figure> minutes = findShownFigure(row.minutes))
            row.money.engineer = minutes->value / 60 * kEngineerRate;
    }
    for (FilePoint& point : file.trajectory)
        history.trajectory.push_back({std::move(point.session), point.position, point.hours * 60, point.speedup});
    return history;
}

Result<SampleHistory> loadEmbeddedSampleHistory()
{
    constexpr const char* kPath = "resources/sample-history.json";
    KL_ASSIGN(const std::string_view text, resource(kPath));
    return parseSampleHistory(text, kPath);
}

Result<std::vector<HistoryRow>> sampleHistory()
{
    KL_ASSIGN(SampleHistory history, loadEmbeddedSampleHistory());
    return std::move(history.rows);
}

} // namespace kl::inline learning
