// SPDX-License-Identifier: MIT
#include "sessions/report/session_pair.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/or_null.h"
#include "sessions/report/report.h"
#include "sessions/report/session_material.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

Result<PairedSession> loadPairedSession(const Store& store, const Catalog& catalog, const History& history, const SessionId& id)
{
    KL_ASSIGN(const SessionHeader header, store.session(id));
    const bool shipped = header.isShipped();
    for (const HistoryRow& row : history.rows)
        if (shipped ? row.sample && row.name == header.name : row.id == id.text) {
            PairedSession side{row, {}};
            if (!shipped) {
                KL_ASSIGN(SessionModel model, loadSession(store, catalog, id));
                side.view = std::move(model.view);
            }
            return side;
        }
    return Error{.code = ErrorCode::notFound, .message = fmt::format("The history has no session {}.", header.name), .where = id.text};
}

using Value = std::function<std::string(const PairedSession&)>;

/// What only a session with events has.
Value ofView(std::string (*value)(const SessionView&))
{
    return [value](const PairedSession& side) { return side.view ? value(*side.view) : std::string(); };
}

std::string describeFix(const SessionView& view)
{
    if (!view.candidate)
        return {};
    return view.fixTitle.empty() ? toText(*view.candidate) : fmt::format("{} ({})", view.fixTitle, toText(*view.candidate));
}

std::string formatFindingTitle(const SessionView& view)
{
    return view.profileRun && view.profileRun->diagnosis ? view.profileRun->diagnosis->finding.title : std::string();
}

std::string formatGateResult(const HistoryRow& row, const std::string& title)
{
    for (const GateOutcome& gate : row.gates)
        if (formatTitle(gate) == title)
            return gate.result;
    return {};
}

std::string composeAnswer(const PairedSession& side, std::string_view question, const std::vector<std::string>& reported)
{
    if (!side.view)
        return fmt::format("{}", fmt::join(reported, "; "));
    for (const DocumentAnswer& answer : composeDocument(*side.view))
        if (answer.question->id == question)
            return answer.text;
    return {};
}

std::string listKeptLessons(const HistoryRow& row)
{
    return fmt::format("{}", fmt::join(row.learned, ", "));
}

std::string formatFirstFigure(const std::vector<Figure>& figures, std::string (*format)(double))
{
    const std::optional<Figure> figure = findShownFigure(figures);
    return figure ? format(figure->value) : std::string();
}

std::string formatSpentMinutes(const HistoryRow& row)
{
    const std::string spent = formatFirstFigure(row.minutes, &formatMinutes);
    return spent.empty() || !row.budgetMinutes ? spent : fmt::format("{} of {}", spent, formatMinutes(*row.budgetMinutes));
}

/// The figures of one side as JSON.
Json sideToJson(const PairedSession& side)
{
    const auto value = [](const std::vector<Figure>& figures) {
        const std::optional<Figure> figure = findShownFigure(figures);
        return figure ? Json(figure->value) : Json(nullptr);
    };
    return {{"session", side.row.id},
            {"name", side.row.name},
            {"gain", orNull(side.row.gain)},
            {"speedup", value(side.row.speedup)},
            {"minutes", value(side.row.minutes)},
            {"dollars", orNull(computeCash(side.row.money))}};
}

} // namespace

Result<SessionPair> compareSessions(const Store& store, const Catalog& catalog, const SessionId& a, const SessionId& b)
{
    if (a.text == b.text)
        return Error{.code = ErrorCode::badInput,
                     .message = "A session is not compared with itself.",
                     .hint = "Choose two sessions.",
                     .where = a.text};
    KL_ASSIGN(const History history, loadHistory(store));
    KL_ASSIGN(PairedSession first, loadPairedSession(store, catalog, history, a));
    KL_ASSIGN(PairedSession second, loadPairedSession(store, catalog, history, b));
    SessionPair pair{std::move(first), std::move(second), {}};
    const auto add = [&](const std::string& id, const std::string& title, const Value& value) {
        PairRow row{id, title, value(pair.a), value(pair.b)};
        if (!row.a.empty() || !row.b.empty())
            pair.rows.push_back({id, title, orDash(row.a), orDash(row.b)});
    };
    using S = PairedSession;
    add("objective", "Objective", [](const S& s) { return s.row.objective; });
    add("kernel", "Kernel", [](const S& s) { return s.view ? toText(s.view->start) : s.row.kernel; });
    add("problem", "Problem", ofView([](const SessionView& view) { return toText(view.problem); }));
    add("kind", "Kind", [](const S& s) { return s.row.kind; });
    add("device", "Device", [](const S& s) { return s.row.device + (s.row.replayed ? " (recorded)" : ""); });
    add("finding", "Finding", ofView(&formatFindingTitle));
    add("fix", "Fix", ofView(&describeFix));
    add("outcome", "Outcome", [](const S& s) { return s.row.statusText; });
    add("gain", "Improvement (old / new)", [](const S& s) { return s.row.gain ? formatRatio(*s.row.gain) : std::string(); });
    add("speedup", "Speedup over the baseline", [](const S& s) { return formatFirstFigure(s.row.speedup, &formatRatio); });
    add("minutes", "Working time", [](const S& s) { return formatSpentMinutes(s.row); });
    add("fix-parts", "Time spent on the fix", ofView(&fixPartsText));
    add("cost", "Cost", [](const S& s) {
        const std::optional<double> cash = computeCash(s.row.money);
        return cash ? formatMoney(*cash) : std::string();
    });
    for (const std::string& gate : gateTitles({pair.a.row, pair.b.row}))
        add("gate:" + gate, gate, [&](const S& s) { return formatGateResult(s.row, gate); });
    add("refusals", "Actions refused by a rule", ofView([](const SessionView& view) { return fmt::format("{}", view.refusals); }));
    add("patterns", "Patterns applied", [](const S& s) { return fmt::format("{}", fmt::join(s.row.patterns, ", ")); });
    for (const DocumentQuestion& question : kDocumentQuestions)
        add("document:" + std::string(question.id), std::string(question.title), [&](const S& s) {
            return composeAnswer(s, question.id,
                                 question.id == "worked"       ? s.row.worked
                                 : question.id == "failed"     ? s.row.failed
                                 : question.id == "root-cause" ? s.row.insights
                                 : question.id == "next"       ? s.row.nextTime
                                                               : std::vector<std::string>{});
        });
    add("lessons", "Lessons kept as patterns", [](const S& s) { return listKeptLessons(s.row); });
    add("grade", "Grade", [](const S& s) { return s.row.grade.letter; });
    return pair;
}

Report pairReport(const SessionPair& pair)
{
    Report report;
    report.model.title = fmt::format("Sessions {} and {}", pair.a.row.name, pair.b.row.name);
    report.model.subtitle = "Two sessions side by side";
    report.model.tone = "neutral";
    ReportModel::Section section{"Side by side"};
    ReportModel::Table table{{"", pair.a.row.name, pair.b.row.name}, {}, ReportModel::Table::kAllText};
    Json rows = Json::array();
    report.csv = {{"what", pair.a.row.name, pair.b.row.name}, {}, ReportModel::Table::kAllText};
    for (const PairRow& row : pair.rows) {
        table.rows.push_back({row.title, row.a, row.b});
        report.csv.rows.push_back({row.id, row.a, row.b});
        rows.push_back({{"id", row.id}, {"title", row.title}, {"a", row.a}, {"b", row.b}});
    }
    section.tables.push_back(std::move(table));
    report.model.sections.push_back(std::move(section));
    report.json =
        encodePretty(Json{
            {"schema", "kernelloop.session-compare/1"}, {"a", sideToJson(pair.a)}, {"b", sideToJson(pair.b)}, {"rows", std::move(rows)}}) +
        '\n';
    return report;
}

} // namespace kl::inline report
