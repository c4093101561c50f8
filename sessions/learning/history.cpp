// SPDX-License-Identifier: MIT
#include "sessions/learning/history.h"

#include "core/base/try.h"
#include "sessions/learning/build_alerts.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/session_names.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace kl::inline learning {
namespace {

/// Figures of the phases in place of those that were never measured. A replayed session saves no time: its applications count, but
/// without any figure. What the documents quote is people's time, which a script does not save.
std::vector<PatternApplication> addMeasuredSavings(std::vector<PatternApplication> applications, const std::vector<MeasuredSaving>& savings,
                                                   const std::vector<SessionTrace>& traces)
{
    std::set<std::string> replayed, scripted;
    for (const SessionTrace& trace : traces)
        if (trace.header.source == Source::sample)
            replayed.insert(trace.header.id.text);
        else if (isScriptedKind(trace.header.kind))
            scripted.insert(trace.header.id.text);
    for (PatternApplication& application : applications) {
        if (replayed.contains(application.session) || scripted.contains(application.session)) {
            application.quotedMinutes.reset();
            application.quotedDollars.reset();
        }
        if (replayed.contains(application.session)) {
            application.measuredMinutes.reset();
            continue;
        }
        for (const MeasuredSaving& saving : savings)
            if (saving.session == application.session && saving.pattern == application.pattern && !application.measuredMinutes)
                application.measuredMinutes = saving.minutes;
    }
    return applications;
}

/// Minutes that went into each lesson: those of the session that taught it, shared by all that it taught. A walk on recorded data took no
/// time that says anything.
std::vector<Investment> investments(const std::vector<HistoryRow>& rows)
{
    std::vector<Investment> all;
    for (const HistoryRow& row : rows) {
        Investment investment;
        for (const Figure& figure : row.minutes) {
            if (figure.kind == FigureKind::planned)
                continue;
            investment.minutesLow = std::min(investment.minutesLow.value_or(figure.value), figure.value);
            investment.minutesHigh = std::max(investment.minutesHigh.value_or(figure.value), figure.value);
        }
        if (!investment.minutesLow || row.learned.empty() || row.replayed || row.status == SessionStatus::open)
            continue;
        const double share = static_cast<double>(row.learned.size());
        *investment.minutesLow /= share;
        *investment.minutesHigh /= share;
        investment.session = row.name;
        for (const std::string& slug : row.learned) {
            investment.slug = slug;
            all.push_back(investment);
        }
    }
    return all;
}

Result<HistoryInput> readInput(const Store& store)
{
    HistoryInput input;
    KL_ASSIGN(std::vector<Pattern> patterns, store.patterns());
    KL_ASSIGN(std::vector<PatternApplication> applications, store.applications());
    KL_ASSIGN(std::vector<GpuPrice> prices, gpuPrices(store));
    KL_ASSIGN(std::vector<CostEntry> costs, store.costs());
    // A list that cannot be read is the hosts' own trouble: their GPUs still have a price.
    const Result<std::vector<KnownHost>> hosts = HostList().list();
    return HistoryInput{std::move(patterns), std::move(applications), std::move(prices),       hosts ? *hosts : std::vector<KnownHost>(),
                        std::move(costs),    engineerRate(store),     sessionCostTarget(store)};
}

} // namespace

Result<History> loadHistory(const Store& store, std::optional<int> newest)
{
    KL_ASSIGN(SampleHistory sample, loadEmbeddedSampleHistory());
    KL_ASSIGN(HistoryInput input, readInput(store));
    KL_ASSIGN(OwnTraces read, ownTraces(store, newest));
    const std::vector<SessionTrace>& traces = read.traces;
    KL_ASSIGN(std::vector<Alert> slower, regressionAlerts(store));

    KL_ASSIGN(const bool shipped, holdsSampleSessions(store));
    History history;
    history.savings = computeMeasuredSavings(phaseTimes(traces));
    input.applications = addMeasuredSavings(std::move(input.applications), history.savings, traces);
    if (shipped)
        history.rows = std::move(sample.rows);
    const auto before = static_cast<std::ptrdiff_t>(history.rows.size());
    for (const SessionTrace& trace : traces)
        history.rows.push_back(historyRow(trace, input));
    history.more = read.more;
    markRepeated(history.rows);
    const std::vector<HistoryRow> own(history.rows.begin() + before, history.rows.end());
    history.own = computeTotals(own, input.engineerRate);
    history.sample = computeTotals({history.rows.begin(), history.rows.begin() + before}, input.engineerRate);
    history.mistakes = std::move(sample.mistakes); // of the method
    history.dashboard = std::move(sample.dashboard);
    if (shipped) {
        history.expected = std::move(sample.trajectory);
        history.planned = std::move(sample.planned);
        history.notes = std::move(sample.notes);
        history.sampleOrigin = std::move(sample.origin);
        history.trend = std::move(sample.trend);
        history.goal = std::move(sample.goal);
        history.economics = std::move(sample.economics);
    }
    history.learning = listLearningSteps(own);
    for (const LearningStep& step : history.learning)
        history.learningRate = history.learningRate.value_or(0) + step.rate / static_cast<double>(history.learning.size());
    history.convergence = computeConvergence(own, history.convergenceKind);
    history.gap = expertGap(own);
    history.alerts = budgetAlerts(own, input.sessionCostTarget);
    for (const SessionTrace& trace : traces) {
        KL_ASSIGN(const std::vector<Alert> builds, buildAlerts(store, trace, std::chrono::system_clock::now()));
        history.alerts.insert(history.alerts.end(), builds.begin(), builds.end());
    }
    history.alerts.insert(history.alerts.end(), slower.begin(), slower.end());
    history.patterns = patternReturns(input.patterns, input.applications, input.engineerRate);
    addInvestments(history.patterns, investments(history.rows));
    history.applications = std::move(input.applications);
    history.engineerRate = input.engineerRate;
    history.sessionCostTarget = input.sessionCostTarget;
    fillDashboard(history, input.patterns);
    return history;
}

std::string nameOutcome(const HistoryRow& row)
{
    return !row.sample ? row.statusText : row.status == SessionStatus::endedEarly ? "ended early" : "complete";
}

std::string formatTitle(const GateOutcome& gate)
{
    return gate.title.empty() ? gate.gate : gate.gate + ' ' + gate.title;
}

std::vector<std::string> gateTitles(const std::vector<HistoryRow>& rows)
{
    std::vector<GateOutcome> gates;
    for (const HistoryRow& row : rows)
        for (const GateOutcome& gate : row.gates)
            if (std::ranges::find(gates, formatTitle(gate), formatTitle) == gates.end())
                gates.push_back(gate);
    std::ranges::stable_sort(gates, {}, &GateOutcome::gate);
    std::vector<std::string> titles;
    for (const GateOutcome& gate : gates)
        titles.push_back(formatTitle(gate));
    return titles;
}

Result<std::vector<Alert>> sessionAlerts(const Store& store, const SessionId& session)
{
    KL_ASSIGN(const SessionHeader header, store.session(session));
    if (header.isShipped())
        return std::vector<Alert>{};
    KL_ASSIGN(const SessionTrace trace, traceSession(store, header));
    if (trace.finished())
        return std::vector<Alert>{};
    KL_ASSIGN(const HistoryInput input, readInput(store));
    std::vector<Alert> alerts = budgetAlerts({historyRow(trace, input)}, input.sessionCostTarget);
    KL_ASSIGN(const std::vector<Alert> builds, buildAlerts(store, trace, std::chrono::system_clock::now()));
    alerts.insert(alerts.end(), builds.begin(), builds.end());
    return alerts;
}

} // namespace kl::inline learning
