// SPDX-License-Identifier: MIT
#include "sessions/learning/history.h"

#include "sessions/learning/history_parts.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace kl {
namespace {

constexpr double kEngineerRate = 30; ///< dollars an hour, as the notes reckon

void add(std::optional<double>& sum, const std::optional<double>& value)
{
    if (value)
        sum = sum.value_or(0) + *value;
}

std::optional<double> extreme(const std::vector<Figure>& figures, bool high)
{
    std::optional<double> found;
    for (const Figure& figure : figures)
        if (figure.kind != FigureKind::planned && (!found || (high ? figure.value > *found : figure.value < *found)))
            found = figure.value;
    return found;
}

void addFigures(HistoryTotals& totals, const HistoryRow& row)
{
    if (const auto speedup = shown(row.speedup); speedup && speedup->value > totals.bestSpeedup.value_or(0))
        totals.bestSpeedup = speedup->value;
    add(totals.savedMeasured, firstOf(row.savedMinutes, FigureKind::measured));
    add(totals.savedQuoted, firstOf(row.savedMinutes, FigureKind::quoted));
    add(totals.savedDerived, firstOf(row.savedMinutes, FigureKind::derived));
    add(totals.minutesLow, extreme(row.minutes, false));
    add(totals.minutesHigh, extreme(row.minutes, true));
    for (const auto* cost : {&row.gpuCost, &row.assistantCost}) {
        add(totals.costLow, extreme(*cost, false));
        add(totals.costHigh, extreme(*cost, true));
    }
}

/// A setting that is a number above 0, or nothing.
std::optional<double> rateIn(const Store& store, const std::string& key)
{
    const std::optional<std::string> text = store.setting(key);
    if (!text)
        return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    return end != text->c_str() && *end == '\0' && value > 0 ? std::optional(value) : std::nullopt;
}

/// Phase times of a replayed session say nothing about people: its applications count, their measured minutes do not.
std::vector<PatternApplication> withoutReplayedMinutes(std::vector<PatternApplication> applications, const std::vector<HistoryRow>& rows)
{
    std::set<std::string> replayed;
    for (const HistoryRow& row : rows)
        if (row.replayed)
            replayed.insert(row.id);
    for (PatternApplication& application : applications)
        if (replayed.contains(application.session))
            application.measuredMinutes.reset();
    return applications;
}

} // namespace

std::optional<double> firstOf(const std::vector<Figure>& figures, FigureKind kind)
{
    for (const Figure& figure : figures)
        if (figure.kind == kind)
            return figure.value;
    return std::nullopt;
}

std::optional<Figure> shown(const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures)
        if (figure.kind != FigureKind::planned)
            return figure;
    return std::nullopt;
}

HistoryTotals totalsOf(const std::vector<HistoryRow>& rows)
{
    HistoryTotals totals;
    int ended = 0;
    for (const HistoryRow& row : rows) {
        ++totals.sessions;
        totals.replayed += row.replayed ? 1 : 0;
        totals.open += row.status == SessionStatus::open ? 1 : 0;
        totals.complete += row.status == SessionStatus::complete ? 1 : 0;
        ended += row.status == SessionStatus::open ? 0 : 1;
        if (!row.replayed)
            addFigures(totals, row);
    }
    if (ended > 0)
        totals.successRate = static_cast<double>(totals.complete) / ended;
    return totals;
}

std::vector<LearningStep> learningSteps(const std::vector<HistoryRow>& rows)
{
    std::vector<LearningStep> steps;
    const HistoryRow* before = nullptr;
    for (const HistoryRow& row : rows) {
        const std::optional<Figure> minutes = shown(row.minutes);
        if (row.sample || row.replayed || row.status != SessionStatus::complete || !minutes || minutes->value <= 0)
            continue;
        if (before != nullptr)
            steps.push_back({row.name, before->name, 1 - minutes->value / shown(before->minutes)->value});
        before = &row;
    }
    return steps;
}

std::vector<Alert> budgetAlerts(const std::vector<HistoryRow>& rows)
{
    std::vector<Alert> alerts;
    for (const HistoryRow& row : rows) {
        const std::optional<Figure> minutes = shown(row.minutes);
        if (row.status != SessionStatus::open || row.sample || !row.budgetMinutes || !minutes || minutes->value <= *row.budgetMinutes)
            continue;
        alerts.push_back(
            {"over-budget",
             fmt::format("Session {} is open and has taken {:.0f} of its {:.0f} minutes.", row.name, minutes->value, *row.budgetMinutes),
             "session:" + row.id, "kloop session show --session " + row.id});
    }
    return alerts;
}

Result<History> loadHistory(const Store& store)
{
    Result<SampleHistory> sample = embeddedSampleHistory();
    if (!sample)
        return sample.error();
    Result<std::vector<PatternApplication>> applications = store.applications();
    if (!applications)
        return applications.error();
    const Result<std::vector<Pattern>> patterns = store.patterns();
    if (!patterns)
        return patterns.error();
    const Result<std::vector<HistoryRow>> own = ownHistory(store, *applications, rateIn(store, "gpu-price"));
    if (!own)
        return own.error();
    Result<std::vector<Alert>> slower = regressionAlerts(store);
    if (!slower)
        return slower.error();

    History history;
    history.own = totalsOf(*own);
    history.sample = totalsOf(sample->rows);
    history.expected = std::move(sample->trajectory);
    history.planned = std::move(sample->planned);
    history.mistakes = std::move(sample->mistakes);
    history.sampleOrigin = std::move(sample->origin);
    history.learning = learningSteps(*own);
    for (const LearningStep& step : history.learning)
        history.learningRate = history.learningRate.value_or(0) + step.rate / static_cast<double>(history.learning.size());
    history.alerts = budgetAlerts(*own);
    history.alerts.insert(history.alerts.end(), slower->begin(), slower->end());
    history.patterns = patternReturns(*patterns, withoutReplayedMinutes(std::move(*applications), *own),
                                      rateIn(store, "engineer-rate").value_or(kEngineerRate));
    history.rows = std::move(sample->rows);
    history.rows.insert(history.rows.end(), own->begin(), own->end());
    return history;
}

} // namespace kl
