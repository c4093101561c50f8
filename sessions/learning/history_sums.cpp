// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/scripted.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kl::inline learning {
namespace {

constexpr double kNearTarget = 0.8; ///< share of the cost target from which a warning is given

void add(std::optional<double>& sum, const std::optional<double>& value)
{
    if (value)
        sum = sum.value_or(0) + *value;
}

std::optional<double> extreme(const std::vector<Figure>& figures, bool high)
{
    std::optional<double> found;
    for (const Figure& figure : figures)
        if (figure.kind != FigureKind::planned && figure.kind != FigureKind::doubtful &&
            (!found || (high ? figure.value > *found : figure.value < *found)))
            found = figure.value;
    return found;
}

void addMoney(HistoryTotals& totals, const SessionMoney& money)
{
    for (const auto* cost : {&money.gpu, &money.assistant, &money.other}) {
        // A bill comes before what was reckoned before it came: only disagreeing notes make a range.
        const std::optional<double> billed = findFirst(*cost, FigureKind::entered);
        add(totals.costLow, billed ? billed : extreme(*cost, false));
        add(totals.costHigh, billed ? billed : extreme(*cost, true));
    }
    const std::optional<Figure> cash = cashFigure(money);
    totals.costDerived = totals.costDerived || (cash && cash->kind == FigureKind::derived);
    add(totals.engineer, money.engineer);
}

void addFigures(HistoryTotals& totals, const HistoryRow& row)
{
    add(totals.valueEntered, findFirst(row.money.value, FigureKind::entered));
    if (const auto speedup = findShownFigure(row.speedup); speedup && speedup->value > totals.bestSpeedup.value_or(0))
        totals.bestSpeedup = speedup->value;
    add(totals.savedMeasured, findFirst(row.savedMinutes, FigureKind::measured));
    add(totals.savedQuoted, findFirst(row.savedMinutes, FigureKind::quoted));
    add(totals.savedDerived, findFirst(row.savedMinutes, FigureKind::derived));
    add(totals.savedDollarsQuoted, row.savedDollarsQuoted);
    add(totals.minutesLow, extreme(row.minutes, false));
    add(totals.minutesHigh, extreme(row.minutes, true));
    for (const Mistake& mistake : row.mistakes) {
        totals.mistakes += mistake.count;
        totals.repeated += mistake.before > 0 ? mistake.count : mistake.count - 1;
    }
    totals.blind += row.blind.value_or(0);
    for (const WrongPath& path : row.wrongPaths)
        totals.wrongMinutes += path.minutes;
}

/// A session of this database whose time says something about people.
bool counts(const HistoryRow& row)
{
    const std::optional<Figure> minutes = findShownFigure(row.minutes);
    return !row.sample && !row.replayed && !isScriptedKind(row.kind) && row.status == SessionStatus::complete && minutes &&
           minutes->value > 0;
}

std::optional<double> worth(const std::optional<double>& minutes, double dollarsPerHour)
{
    return minutes ? std::optional(*minutes / 60 * dollarsPerHour) : std::nullopt;
}

} // namespace

std::optional<double> HistoryTotals::sumSpent() const
{
    std::optional<double> sum;
    add(sum, costHigh);
    add(sum, engineerHigh ? engineerHigh : engineer);
    return sum;
}

std::optional<double> HistoryTotals::sumSpentLow() const
{
    std::optional<double> sum;
    add(sum, costLow);
    add(sum, engineer);
    return sum;
}

HistoryTotals computeTotals(const std::vector<HistoryRow>& rows, double engineerRate)
{
    HistoryTotals totals;
    int ended = 0;
    std::optional<double> people; // measured minutes that people saved
    for (const HistoryRow& row : rows) {
        ++totals.sessions;
        totals.replayed += row.replayed ? 1 : 0;
        totals.open += row.status == SessionStatus::open ? 1 : 0;
        totals.complete += row.status == SessionStatus::complete ? 1 : 0;
        ended += row.status == SessionStatus::open ? 0 : 1;
        addMoney(totals, row.money); // what was entered for a replayed session was spent all the same, but its result is worth nothing
        if (row.money.engineer)
            add(totals.engineerHigh, worth(extreme(row.minutes, true), engineerRate));
        if (!row.replayed)
            addFigures(totals, row);
        if (!row.replayed && !isScriptedKind(row.kind))
            add(people, findFirst(row.savedMinutes, FigureKind::measured));
    }
    if (ended > 0)
        totals.successRate = static_cast<double>(totals.complete) / ended;
    totals.valueMeasured = worth(people, engineerRate);
    totals.valueQuoted = worth(totals.savedQuoted, engineerRate);
    return totals;
}

void markRepeated(std::vector<HistoryRow>& rows)
{
    std::map<std::string, int> made;
    for (HistoryRow& row : rows) {
        for (Mistake& mistake : row.mistakes)
            mistake.before = made[mistake.id];
        if (row.replayed)
            continue;
        for (const Mistake& mistake : row.mistakes)
            made[mistake.id] += mistake.count;
    }
}

std::vector<LearningStep> listLearningSteps(const std::vector<HistoryRow>& rows)
{
    std::vector<LearningStep> steps;
    std::map<std::string, const HistoryRow*> before; // by kind: half an hour for a baseline is not progress over four hours of work
    for (const HistoryRow& row : rows) {
        if (!counts(row))
            continue;
        const HistoryRow*& last = before[row.kind];
        if (last != nullptr)
            steps.push_back({row.name, last->name, 1 - findShownFigure(row.minutes)->value / findShownFigure(last->minutes)->value});
        last = &row;
    }
    return steps;
}

std::optional<ExpertGap> expertGap(const std::vector<HistoryRow>& rows)
{
    const auto newest = std::find_if(rows.rbegin(), rows.rend(), counts);
    if (newest == rows.rend())
        return std::nullopt;
    const double minutes = findShownFigure(newest->minutes)->value;
    ExpertGap gap{newest->name, minutes - kExpertMinutesHigh, minutes - kExpertMinutesLow, {}};
    if (const std::optional<Figure> speedup = findShownFigure(newest->speedup))
        gap.speedup = kExpertSpeedup - speedup->value;
    return gap;
}

Convergence computeConvergence(const std::vector<HistoryRow>& rows, std::string& kind)
{
    std::map<std::string, std::vector<double>> minutes;
    for (const HistoryRow& row : rows)
        if (counts(row))
            minutes[row.kind].push_back(findShownFigure(row.minutes)->value);
    std::vector<double> most;
    for (const auto& [name, values] : minutes)
        if (values.size() > most.size()) {
            most = values;
            kind = name;
        }
    return estimateConvergence(most);
}

std::vector<Alert> budgetAlerts(const std::vector<HistoryRow>& rows, double sessionCostTarget)
{
    std::vector<Alert> alerts;
    for (const HistoryRow& row : rows) {
        if (row.status != SessionStatus::open || row.sample)
            continue;
        const NextStep show{StepId::showSession, {{StepArgument::session, row.id}}};
        if (const auto minutes = findShownFigure(row.minutes); minutes && row.budgetMinutes && minutes->value > *row.budgetMinutes)
            alerts.push_back({"over-budget",
                              fmt::format("Session {} is open and has taken {:.0f} of its {:.0f} minutes.", row.name, minutes->value,
                                          *row.budgetMinutes),
                              "session:" + row.id, show});
        if (const auto cash = computeCash(row.money); cash && *cash > sessionCostTarget)
            alerts.push_back({"over-cost",
                              fmt::format("Session {} is open and has cost {}; the cost target is {}.", row.name, formatMoney(*cash),
                                          formatMoney(sessionCostTarget)),
                              "session:" + row.id, NextStep{StepId::listCosts}});
        else if (cash && *cash > kNearTarget * sessionCostTarget)
            alerts.push_back(
                {"near-cost",
                 fmt::format("Session {} is open and has cost {} of its {}.", row.name, formatMoney(*cash), formatMoney(sessionCostTarget)),
                 "session:" + row.id, NextStep{StepId::listCosts}});
    }
    return alerts;
}

} // namespace kl::inline learning
