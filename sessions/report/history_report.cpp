// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/model/model_words.h"
#include "sessions/learning/figure_fields.h"
#include "sessions/learning/history_json.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/report/report.h"
#include "sessions/report/report_charts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

using Format = std::string (*)(double);

/// A figure with its kind where it is not a measured one: figures of different kinds never look alike.
std::string figureText(const std::vector<Figure>& figures, Format format)
{
    const std::optional<Figure> figure = findShownFigure(figures);
    if (const std::optional<Figure> doubt = findDoubtedFigure(figures); doubt && !figure)
        return fmt::format("{} (doubtful)", format(doubt->value));
    if (!figure)
        return kNoValue;
    return format(figure->value) + (figure->kind == FigureKind::measured ? "" : fmt::format(" ({})", toString(figure->kind)));
}

std::string figureOrDash(const std::optional<double>& value, Format format)
{
    return value ? format(*value) : kNoValue;
}

std::string formatFactor(double value)
{
    return formatRatio(value);
}

std::string rangeText(const std::optional<double>& low, const std::optional<double>& high, Format format)
{
    return !low ? kNoValue : !high || *low == *high ? format(*low) : format(*low) + " to " + format(*high);
}

int countMistakes(const std::vector<Mistake>& mistakes)
{
    int count = 0;
    for (const Mistake& item : mistakes)
        count += item.count;
    return count;
}

std::string gatesText(const HistoryRow& row)
{
    std::string text;
    for (const GateOutcome& gate : row.gates)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", gate.gate, gate.result == "unknown" ? "not evaluated" : gate.result);
    return text.empty() ? kNoValue : text;
}

ReportModel::Section makeSessionsSection(const History& history)
{
    ReportModel::Section section{"Sessions"};
    ReportModel::Table table{
        {"Session", "Objective", "Time", "Speedup", "Cost", "Gates", "Mistakes", "Patterns", "Grade", "Origin"}, {}, 99};
    std::vector<ChartBar> bars;
    for (const HistoryRow& row : history.rows) {
        const std::optional<Figure> cash = cashFigure(row.money);
        table.rows.push_back(
            {row.name, row.objective, figureText(row.minutes, &formatMinutes), figureText(row.speedup, &formatFactor),
             cash ? formatMarked(*cash, &formatMoney) : kNoValue, gatesText(row), fmt::format("{}", countMistakes(row.mistakes)),
             row.patternsApplied ? fmt::format("{}", *row.patternsApplied) : kNoValue,
             row.grade.letter.empty() ? kNoValue : row.grade.letter, row.replayed ? row.origin + ", on recorded data" : row.origin});
        if (const std::optional<Figure> minutes = findShownFigure(row.minutes); minutes && !row.replayed)
            bars.push_back({fmt::format("{} ({})", row.name, toString(minutes->kind)), minutes->value, 0, 0,
                            row.sample ? "#888888" : "#0072B2", formatMinutes(minutes->value)});
    }
    if (!bars.empty()) {
        const std::string sentence = "Working time of each session; the shipped history in gray, this database in blue.";
        section.charts.push_back({barsSvg(bars, sentence), sentence});
    }
    for (const PlannedSession& plan : history.planned)
        table.rows.push_back({plan.name + ", planned", plan.objective, rangeText(plan.minutesLow, plan.minutesHigh, &formatMinutes),
                              figureOrDash(plan.speedup, &formatFactor), kNoValue, kNoValue, kNoValue,
                              plan.patterns.empty() ? kNoValue : plan.patterns, kNoValue,
                              plan.became.empty() ? plan.source : plan.source + "; became " + plan.became});
    section.tables.push_back(std::move(table));
    return section;
}

/// That of the shipped history, where the database does not hold it.
void dropLastColumn(ReportModel::Table& table)
{
    table.columns.pop_back();
    for (std::vector<std::string>& row : table.rows)
        row.pop_back();
}

/// The dashboard, and what the documents quote of their trend.
ReportModel::Section makeDashboardSection(const History& history)
{
    ReportModel::Section section{"Dashboard"};
    ReportModel::Table table{{"", "This database", "October 2025 documents"}, {}, ReportModel::Table::kAllText};
    for (const DashboardRow& row : history.dashboard)
        table.rows.push_back({row.title, row.own, row.quoted.empty() ? kNoValue : row.quoted});
    if (history.sampleOrigin.empty())
        dropLastColumn(table);
    section.tables.push_back(std::move(table));
    if (history.trend)
        section.paragraphs.push_back(fmt::format("Claimed trend: {}.", history.trend->text));
    if (const std::optional<QuotedGoal>& goal = history.goal)
        section.paragraphs.push_back(fmt::format("Stated goal: {} in {}, {} less than the {} of {}.", goal->session,
                                                 formatMinutes(goal->minutes), formatPercent(goal->reduction * 100),
                                                 formatMinutes(goal->beforeMinutes), goal->before));
    return section;
}

/// What each session's retrospective lists.
ReportModel::Section makeRetrospectivesSection(const std::vector<HistoryRow>& rows)
{
    ReportModel::Section section{"What worked, what failed, what follows"};
    ReportModel::Table table{{"Session", "", "What"}, {}, ReportModel::Table::kAllText};
    for (const HistoryRow& row : rows)
        for (const auto& [title, list] : {std::pair{"worked", &row.worked}, std::pair{"failed", &row.failed},
                                          std::pair{"insight", &row.insights}, std::pair{"next time", &row.nextTime}})
            for (const std::string& text : *list)
                table.rows.push_back({row.name, title, text});
    if (table.rows.empty())
        section.paragraphs.push_back("No session has written a retrospective yet.");
    else
        section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section makeTotalsSection(const History& history)
{
    ReportModel::Section section{"Totals"};
    section.paragraphs.push_back("Measured, entered, claimed and derived figures are kept apart and never added. Return: value / (cash and "
                                 "engineering time).");
    ReportModel::Table table{{"", "This database", "Shipped history"}, {}, 1};
    const auto add = [&](const char* name, auto text) { table.rows.push_back({name, text(history.own), text(history.sample)}); };
    using T = HistoryTotals;
    add("Sessions", [](const T& t) {
        return fmt::format("{} ({} complete, {} open, {} on recorded data)", t.sessions, t.complete, t.open, t.replayed);
    });
    add("Success rate", [](const T& t) { return t.successRate ? formatPercent(*t.successRate * 100) : std::string(kNoValue); });
    add("Best speedup", [](const T& t) { return figureOrDash(t.bestSpeedup, &formatFactor); });
    add("Working time", [](const T& t) { return rangeText(t.minutesLow, t.minutesHigh, &formatMinutes); });
    add("Cost", [](const T& t) { return (t.costDerived ? "~" : "") + rangeText(t.costLow, t.costHigh, &formatMoney); });
    add("Engineering time", [](const T& t) { return rangeText(t.engineer, t.engineerHigh, &formatMoney); });
    add("Saved, measured", [](const T& t) { return figureOrDash(t.savedMeasured, &formatMinutes); });
    add("Saved, claimed", [](const T& t) { return figureOrDash(t.savedQuoted, &formatMinutes); });
    add("Saved, derived", [](const T& t) { return figureOrDash(t.savedDerived, &formatMinutes); });
    add("Value, entered", [](const T& t) { return figureOrDash(t.valueEntered, &formatMoney); });
    add("Value, measured", [](const T& t) { return figureOrDash(t.valueMeasured, &formatMoney); });
    add("Value, claimed", [](const T& t) { return figureOrDash(t.valueQuoted, &formatMoney); });
    const auto gain = [](const T& t, const std::optional<double>& value) {
        return rangeText(returnOnInvestment(value, t.sumSpent()), returnOnInvestment(value, t.sumSpentLow()), &formatFactor);
    };
    add("Return, entered", [&](const T& t) { return gain(t, t.valueEntered); });
    add("Return, measured", [&](const T& t) { return gain(t, t.valueMeasured); });
    add("Return, claimed", [&](const T& t) { return gain(t, t.valueQuoted); });
    add("Mistakes", [](const T& t) { return fmt::format("{} ({} repeated)", t.mistakes, t.repeated); });
    add("Unprofiled changes", [](const T& t) { return fmt::format("{}", t.blind); });
    add("On dead ends", [](const T& t) { return formatMinutes(t.wrongMinutes); });
    if (history.sampleOrigin.empty())
        dropLastColumn(table);
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section makeLearningSection(const History& history)
{
    ReportModel::Section section{"Learning"};
    section.paragraphs.push_back(history.learningRate
                                     ? fmt::format("{} of the time saved from one session to the next; the goal is 30 to 50 %.",
                                                   formatPercent(*history.learningRate * 100))
                                     : std::string("No rate before the second finished session of a kind."));
    const Convergence& c = history.convergence;
    section.paragraphs.push_back(c.sessions ? fmt::format("Convergence to {}: {:.0f} sessions after the first, 95 % CI {:.0f} to {} ({}).",
                                                          formatMinutes(c.targetMinutes), *c.sessions, c.low.value_or(0),
                                                          c.high ? fmt::format("{:.0f}", *c.high) : std::string("never"), c.why)
                                            : fmt::format("No convergence estimate: {}.", c.why));
    ReportModel::Table expected{{"Expected", "Time", "Speedup"}, {}, 1};
    for (const TrajectoryPoint& point : history.expected)
        expected.rows.push_back({point.session, formatMinutes(point.minutes), formatRatio(point.speedup)});
    if (!expected.rows.empty()) // of the shipped history
        section.tables.push_back(std::move(expected));
    for (const Alert& alert : history.alerts)
        section.paragraphs.push_back(alert.text);
    for (const std::string& note : history.notes)
        section.paragraphs.push_back(note);
    return section;
}

ReportModel::Section makeMistakesSection(const History& history)
{
    ReportModel::Section section{"Mistakes"};
    ReportModel::Table table{{"Mistake", "Claimed cost", "Prevented by", "Made", "Caught"}, {}, 3};
    for (const MistakeKind& kind : history.mistakes) {
        const MistakeCount count = mistakeCount(history, kind.id);
        table.rows.push_back({kind.text, kind.cost.empty() ? kNoValue : kind.cost, kind.prevention.empty() ? kNoValue : kind.prevention,
                              fmt::format("{}", count.made), fmt::format("{}", count.caught)});
    }
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section makeRoadmapSection(const Roadmap& roadmap, const std::vector<HistoryRow>& rows)
{
    ReportModel::Section section{"Roadmap"};
    ReportModel::Table table{{"Week", "Step", "Done when", "Sessions", "State"}, {}, 99};
    for (const RoadmapWeek& week : roadmap.weeks)
        for (const RoadmapStep& step : roadmap.steps)
            if (step.week == week.week) {
                std::string sessions;
                for (const std::string& name : step.sessions)
                    sessions += (sessions.empty() ? "" : ", ") + name;
                table.rows.push_back({fmt::format("{} {}", week.week, week.title), step.title,
                                      step.asks.empty() ? "checked off" : goalText(step.asks), sessions.empty() ? kNoValue : sessions,
                                      toString(computeState(step, rows))});
            }
    section.tables.push_back(std::move(table));
    return section;
}

/// One row per session with raw figures, each beside its kind.
ReportModel::Table makeCsvTable(const std::vector<HistoryRow>& rows)
{
    ReportModel::Table csv{{"session",
                            "kind",
                            "date",
                            "kernel",
                            "device",
                            "objective",
                            "minutes",
                            "minutes_kind",
                            "speedup",
                            "speedup_kind",
                            "cost",
                            "mistakes",
                            "blind",
                            "minutes_to_build",
                            "minutes_to_bottleneck",
                            "patterns_applied",
                            "grade",
                            "status",
                            "origin",
                            "replayed"},
                           {},
                           99};
    const auto raw = [](const std::optional<double>& value) { return value ? rawNumber(*value) : std::string(); };
    for (const HistoryRow& row : rows) {
        const std::optional<Figure> minutes = findShownFigure(row.minutes);
        const std::optional<Figure> speedup = findShownFigure(row.speedup);
        csv.rows.push_back({row.name,
                            row.kind,
                            row.date,
                            row.kernel,
                            row.device,
                            row.objective,
                            minutes ? rawNumber(minutes->value) : "",
                            minutes ? toWord(minutes->kind) : "",
                            speedup ? rawNumber(speedup->value) : "",
                            speedup ? toWord(speedup->kind) : "",
                            raw(computeCash(row.money)),
                            fmt::format("{}", countMistakes(row.mistakes)),
                            row.blind ? fmt::format("{}", *row.blind) : "",
                            raw(row.minutesToBuild),
                            raw(row.minutesToBottleneck),
                            row.patternsApplied ? fmt::format("{}", *row.patternsApplied) : "",
                            row.grade.letter,
                            row.statusText,
                            row.origin,
                            row.replayed ? "yes" : "no"});
    }
    return csv;
}

} // namespace

Result<Report> historyReport(const Store& store)
{
    KL_ASSIGN(const History history, loadHistory(store));
    KL_ASSIGN(const Roadmap roadmap, loadRoadmap(store));
    Report report;
    report.model.title = "History of all sessions";
    report.model.subtitle = fmt::format("Engineering rate {} per hour · cost target {} per session", formatMoney(history.engineerRate),
                                        formatMoney(history.sessionCostTarget));
    report.model.tone = "neutral";
    report.model.verdict = fmt::format(
        "{} session{} in this database, {} complete{}.", history.own.sessions, history.own.sessions == 1 ? "" : "s", history.own.complete,
        history.sample.sessions > 0 ? fmt::format("; {} in the shipped history", history.sample.sessions) : "");
    report.model.figures = {{"Best speedup", figureOrDash(history.own.bestSpeedup, &formatFactor), "measured here"},
                            {"Saved", figureOrDash(history.own.savedMeasured, &formatMinutes), "by patterns, measured"},
                            {"Mistakes", fmt::format("{}", history.own.mistakes), fmt::format("{} repeated", history.own.repeated)}};
    report.model.sections = {makeSessionsSection(history),
                             makeDashboardSection(history),
                             makeTotalsSection(history),
                             makeLearningSection(history),
                             makeMistakesSection(history),
                             makeRetrospectivesSection(history.rows),
                             makeRoadmapSection(roadmap, history.rows)};
    report.json = encodePretty(Json{{"schema", "kernelloop.report-history/1"},
                                    {"learning", historyToJson(history)},
                                    {"roadmap", roadmapToJson(roadmap, history.rows)}}) +
                  '\n';
    report.csv = makeCsvTable(history.rows);
    return report;
}

} // namespace kl::inline report
