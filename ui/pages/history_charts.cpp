// SPDX-License-Identifier: MIT
#include "ui/pages/history_charts.h"

#include "core/base/format.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/session_template.h"
#include "ui/models/session_table_model.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace kl::ui {

namespace {

constexpr double kBaseline = 1.0;
constexpr double kFarBelow = 0.1; ///< share of the cost target up to which it is not drawn

QString tr(const char* text)
{
    return QCoreApplication::translate("HistoryCharts", text);
}

/// Categories: the name of every row, then planned sessions of the trajectory without a row.
QStringList listPlaces(const History& history, bool withExpected)
{
    QStringList names;
    for (const HistoryRow& row : history.rows)
        names << q(row.name);
    if (withExpected)
        for (const TrajectoryPoint& point : history.expected)
            if (!names.contains(q(point.session)))
                names << q(point.session);
    return names;
}

XYSeries makeExpectedSeries(const History& history, const QStringList& names, double TrajectoryPoint::*value)
{
    XYSeries series{tr("expected trajectory"), Token::neutral, true, true, Marker::none, {}, {}};
    for (const TrajectoryPoint& point : history.expected) {
        XYPoint place;
        place.x = static_cast<double>(names.indexOf(q(point.session)));
        place.y = point.*value;
        place.tip = tr("expected for %1").arg(q(point.session));
        if (place.x >= 0)
            series.points.push_back(place);
    }
    std::sort(series.points.begin(), series.points.end(), [](const XYPoint& a, const XYPoint& b) { return a.x < b.x; });
    return series;
}

/// Separate series for sample rows, own rows, those of a script and replayed rows; never one line through all.
std::vector<XYSeries> rowSeries(const History& history, const std::vector<Figure> HistoryRow::*figures, std::string (*format)(double))
{
    XYSeries shipped{tr("sample history"), Token::series1, true, false, Marker::circle, {}, tr("no data")};
    XYSeries own{tr("this database"), Token::series2, true, false, Marker::square, {}, tr("no finished sessions")};
    XYSeries scripted{tr("driven by a script"), Token::series1, true, false, Marker::circle, {}, {}};
    XYSeries replayed{tr("recorded data"), Token::series3, false, false, Marker::diamond, {}, tr("none")};
    for (std::size_t i = 0; i < history.rows.size(); ++i) {
        const HistoryRow& row = history.rows[i];
        const auto figure = findShownFigure(row.*figures);
        if (!figure)
            continue;
        XYPoint point;
        point.x = static_cast<double>(i);
        point.y = figure->value;
        point.tip = q(row.name) + QStringLiteral(": ") + figureTip(row.*figures, format);
        (row.sample ? shipped : row.replayed ? replayed : isScriptedKind(row.kind) ? scripted : own).points.push_back(point);
    }
    std::vector<XYSeries> all;
    for (const XYSeries& series : {shipped, own, scripted, replayed})
        if (!series.points.empty())
            all.push_back(series);
    return all.empty() ? std::vector{shipped} : all;
}

/// Whether people's times are among the rows: only those compare with an expert's.
bool showsPeople(const History& history)
{
    return history.rows.empty() || std::ranges::any_of(history.rows, [](const HistoryRow& row) { return !isScriptedKind(row.kind); });
}

/// The documents' trend, as two lines from the session that their goal is compared with: every session that much shorter than the one
/// before.
void addQuotedTrend(const History& history, XYSpec& spec)
{
    if (!history.trend || !history.goal)
        return;
    const auto from = std::ranges::find(history.rows, history.goal->before, &HistoryRow::name);
    QString name = tr("claimed trend: %1 to %2 less per session")
                       .arg(q(formatPercent(100 * history.trend->low)), q(formatPercent(100 * history.trend->high)));
    for (const double rate : {history.trend->low, history.trend->high}) {
        XYSeries line{name, Token::series4, true, true, Marker::none, {}, {}};
        double minutes = history.goal->beforeMinutes;
        for (auto row = from; row != history.rows.end() && row->sample; ++row, minutes *= 1 - rate)
            line.points.push_back(
                {static_cast<double>(row - history.rows.begin()),
                 minutes,
                 {},
                 {},
                 tr("%1 after sessions each %2 shorter: %3").arg(q(row->name), q(formatPercent(100 * rate)), q(formatMinutes(minutes)))});
        spec.series.push_back(std::move(line));
        name.clear(); // one entry of the legend for both
    }
}

/// The fit through the sessions of one kind as a line, and the ends of its band.
void addFit(const History& history, XYSpec& spec)
{
    const Convergence& fit = history.convergence;
    if (fit.trend.empty())
        return;
    std::vector<double> places;
    for (std::size_t i = 0; i < history.rows.size(); ++i) {
        const HistoryRow& row = history.rows[i];
        const auto minutes = findShownFigure(row.minutes);
        if (!row.sample && !row.replayed && row.kind == history.convergenceKind && row.status == SessionStatus::complete && minutes &&
            minutes->value > 0)
            places.push_back(static_cast<double>(i));
    }
    XYSeries line{tr("fit, 95 % band"), Token::series5, true, false, Marker::none, {}, {}};
    XYSeries low{{}, Token::series5, true, true, Marker::none, {}, {}};
    XYSeries high = low;
    for (std::size_t i = 0; i < places.size() && i < fit.trend.size(); ++i) {
        const TrendPoint& point = fit.trend[i];
        const QString tip = tr("fit: %1, 95 % between %2 and %3")
                                .arg(q(formatMinutes(point.minutes)), q(formatMinutes(point.low)), q(formatMinutes(point.high)));
        line.points.push_back({places[i], point.minutes, {}, {}, tip});
        low.points.push_back({places[i], point.low, {}, {}, tip});
        high.points.push_back({places[i], point.high, {}, {}, tip});
    }
    for (const XYSeries& series : {line, low, high})
        spec.series.push_back(series);
}

QString minutesTitle(const History& history)
{
    const Convergence& fit = history.convergence;
    if (fit.sessions && *fit.sessions > 0)
        return tr("The expert's time is reached %1 sessions after the first (%2 to %3)")
            .arg(*fit.sessions, 0, 'f', 0)
            .arg(fit.low.value_or(0), 0, 'f', 0)
            .arg(fit.high ? QString::number(*fit.high, 'f', 0) : tr("never"));
    if (fit.sessions)
        return tr("Sessions take no longer than the expert");
    if (!fit.trend.empty())
        return tr("Sessions are not getting shorter yet");
    const HistoryRow* last = nullptr;
    for (const HistoryRow& row : history.rows)
        if (findShownFigure(row.minutes))
            last = &row;
    return last ? tr("%1 took %2").arg(q(last->name), q(formatMinutes(findShownFigure(last->minutes)->value))) : tr("Minutes per session");
}

} // namespace

const HistoryRow* bestSession(const History& history)
{
    const HistoryRow* best = nullptr;
    for (const HistoryRow& row : history.rows)
        if (const auto figure = findShownFigure(row.speedup); figure && (!best || figure->value > findShownFigure(best->speedup)->value))
            best = &row;
    return best;
}

HistoryChart speedupChart(const History& history, bool withExpected)
{
    HistoryChart chart;
    XYSpec& spec = chart.spec;
    spec.x.categories = listPlaces(history, withExpected);
    spec.y.title = tr("speedup, ×");
    spec.series = rowSeries(history, &HistoryRow::speedup, &formatRatio);
    if (withExpected && !history.expected.empty())
        spec.series.push_back(makeExpectedSeries(history, spec.x.categories, &TrajectoryPoint::speedup));
    const double target = SessionTemplate{}.threshold("speedup_target");
    spec.references = {{kBaseline, withMark(tr("baseline 1.0×")), Token::neutral},
                       {target, tr("target %1").arg(q(formatRatio(target))), Token::better}};
    spec.emptyReason = tr("No measured speedup yet");

    const HistoryRow* best = bestSession(history);
    const HistoryRow* passed = nullptr;
    for (const HistoryRow& row : history.rows)
        if (const auto figure = findShownFigure(row.speedup); figure && !passed && figure->value >= kBaseline)
            passed = &row;
    if (passed)
        chart.title = tr("Speedup exceeded %1 in %2").arg(figureWithMark(QStringLiteral("1.0")), q(passed->name));
    else if (best)
        chart.title = tr("Best speedup so far: %1 in %2").arg(q(formatRatio(findShownFigure(best->speedup)->value)), q(best->name));
    else
        chart.title = tr("Speedup over sessions");
    return chart;
}

/// An axis of minutes becomes one of seconds where all on it is short, as in sessions that a script drove.
void showSecondsWhereBrief(XYSpec& spec)
{
    std::vector<double*> values;
    for (XYReference& reference : spec.references)
        values.push_back(&reference.y);
    for (XYSeries& series : spec.series)
        for (XYPoint& point : series.points) {
            values.push_back(&point.y);
            for (std::optional<double>* end : {&point.low, &point.high})
                if (*end)
                    values.push_back(&**end);
        }
    if (values.empty() || std::ranges::any_of(values, [](const double* value) { return *value >= kBriefMinutes; }))
        return;
    for (double* value : values)
        *value *= 60;
    spec.y.title = tr("working time, s");
}

HistoryChart minutesChart(const History& history)
{
    HistoryChart chart;
    XYSpec& spec = chart.spec;
    spec.x.categories = listPlaces(history, true);
    spec.y.title = tr("working time, min");
    spec.series = rowSeries(history, &HistoryRow::minutes, &formatMinutes);
    if (!history.expected.empty())
        spec.series.push_back(makeExpectedSeries(history, spec.x.categories, &TrajectoryPoint::minutes));
    addFit(history, spec);
    addQuotedTrend(history, spec);
    if (showsPeople(history))
        spec.references = {{kExpertMinutesHigh, tr("expert, 2 h"), Token::better}};
    if (const std::optional<QuotedGoal>& goal = history.goal)
        spec.references.push_back(
            {goal->minutes, tr("goal of %1: %2").arg(q(goal->session), q(formatMinutes(goal->minutes))), Token::better});
    showSecondsWhereBrief(spec);
    spec.emptyReason = tr("No session times recorded yet");
    chart.title = minutesTitle(history);
    return chart;
}

HistoryChart costChart(const History& history)
{
    HistoryChart chart;
    XYSpec& spec = chart.spec;
    for (const HistoryRow& row : history.rows)
        spec.x.categories << q(row.name);
    spec.y.title = tr("cost, $");
    XYSeries shipped{tr("sample history"), Token::series1, false, false, Marker::circle, {}, tr("no data")};
    XYSeries own{tr("this database"), Token::series2, false, false, Marker::square, {}, tr("no cost recorded")};
    const HistoryRow* costliest = nullptr;
    int over = 0;
    for (std::size_t i = 0; i < history.rows.size(); ++i) {
        const HistoryRow& row = history.rows[i];
        const auto cash = computeCash(row.money);
        if (!cash)
            continue;
        if (!costliest || *cash > *computeCash(costliest->money))
            costliest = &row;
        over += *cash > history.sessionCostTarget;
        XYPoint point;
        point.x = static_cast<double>(i);
        point.y = *cash;
        point.tip = q(row.name) + QStringLiteral("\n") +
                    tr("GPU: %1\nAssistant: %2").arg(figureTip(row.money.gpu, &formatMoney), figureTip(row.money.assistant, &formatMoney));
        (row.sample ? shipped : own).points.push_back(point);
    }
    for (const XYSeries& series : {shipped, own})
        if (!series.points.empty() || !costliest)
            spec.series.push_back(series);
    if (!costliest || *computeCash(costliest->money) > kFarBelow * history.sessionCostTarget) // else all points would lie on the axis
        spec.references = {
            {history.sessionCostTarget, tr("target %1 per session").arg(q(formatMoney(history.sessionCostTarget))), Token::better}};
    spec.emptyReason = tr("No cost recorded yet");
    chart.title = !costliest ? tr("Cost per session")
                  : over ? tr("%1 of the sessions cost more than the target of %2").arg(over).arg(q(formatMoney(history.sessionCostTarget)))
                         : tr("No session exceeded the cost target; the most expensive was %1 (%2)")
                               .arg(q(costliest->name), q(formatMarked(*cashFigure(costliest->money), &formatMoney)));
    return chart;
}

std::vector<SavingStep> listSavingSteps(const History& history)
{
    std::vector<SavingStep> steps;
    for (const PatternReturn& pattern : history.patterns)
        if (pattern.measuredMinutes || pattern.quotedMinutes)
            steps.push_back({pattern.slug, pattern.measuredMinutes, pattern.quotedMinutes});
    std::stable_sort(steps.begin(), steps.end(), [](const SavingStep& a, const SavingStep& b) {
        return std::pair(a.measured.value_or(0), a.quoted.value_or(0)) > std::pair(b.measured.value_or(0), b.quoted.value_or(0));
    });
    for (const HistoryRow& row : history.rows)
        if (const auto saved = row.sample ? findFirst(row.savedMinutes, FigureKind::quoted) : std::nullopt; saved && *saved > 0)
            steps.push_back({row.name, std::nullopt, *saved});
    return steps;
}

} // namespace kl::ui
