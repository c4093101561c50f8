// SPDX-License-Identifier: MIT
#include "sessions/learning/history_json.h"

#include "core/codec/or_null.h"
#include "core/codec/step_codec.h"
#include "core/model/model_words.h"
#include "sessions/learning/figure_fields.h"
#include "sessions/learning/scripted.h"
#include "sessions/patterns/pattern_json.h"

#include <nlohmann/json.hpp>

namespace kl::inline learning {
namespace {

Json gatesToJson(const std::vector<GateOutcome>& gates)
{
    Json list = Json::array();
    for (const GateOutcome& gate : gates)
        list.push_back(
            {{"gate", gate.gate}, {"result", gate.result}, {"how", toWord(gate.kind)}, {"source", gate.source}, {"title", gate.title}});
    return list;
}

Json mistakesToJson(const std::vector<Mistake>& mistakes)
{
    Json list = Json::array();
    for (const Mistake& item : mistakes)
        list.push_back({{"id", item.id}, {"count", item.count}, {"caught", item.caught}, {"before", item.before}, {"how", item.how}});
    return list;
}

const char* toWord(SessionStatus status)
{
    return status == SessionStatus::open ? "open" : status == SessionStatus::complete ? "complete" : "ended-early";
}

Json convergenceToJson(const History& history)
{
    const Convergence& c = history.convergence;
    Json trend = Json::array();
    for (const TrendPoint& point : c.trend)
        trend.push_back({{"position", point.position}, {"minutes", point.minutes}, {"low", point.low}, {"high", point.high}});
    return Json{{"sessions", orNull(c.sessions)},
                {"low", orNull(c.low)},
                {"high", orNull(c.high)},
                {"kind", history.convergenceKind},
                {"used", c.used},
                {"target_minutes", c.targetMinutes},
                {"decay", orNull(c.decay)},
                {"why", c.why},
                {"quoted", {{"low", kQuotedConvergenceLow}, {"high", kQuotedConvergenceHigh}}},
                {"trend", std::move(trend)}};
}

Json learningToJson(const History& history)
{
    Json steps = Json::array();
    for (const LearningStep& step : history.learning)
        steps.push_back({{"session", step.session}, {"before", step.before}, {"rate", step.rate}});
    return Json{{"rate", orNull(history.learningRate)}, {"aim", {0.3, 0.5}}, {"steps", std::move(steps)}};
}

Json expertToJson(const std::optional<ExpertGap>& gap)
{
    Json json{{"minutes", {kExpertMinutesLow, kExpertMinutesHigh}}, {"speedup", kExpertSpeedup}, {"gap", nullptr}};
    if (gap)
        json["gap"] = {{"session", gap->session},
                       {"minutes_low", gap->minutesLow},
                       {"minutes_high", gap->minutesHigh},
                       {"speedup", orNull(gap->speedup)}};
    return json;
}

} // namespace

Json figuresToJson(const std::vector<Figure>& figures)
{
    Json list = Json::array();
    for (const Figure& figure : figures)
        list.push_back({{"value", figure.value}, {"how", toWord(figure.kind)}, {"source", figure.source}});
    return list;
}

Json moneyToJson(const SessionMoney& money)
{
    return Json{{"gpu", figuresToJson(money.gpu)},
                {"assistant", figuresToJson(money.assistant)},
                {"other", figuresToJson(money.other)},
                {"value", figuresToJson(money.value)},
                {"engineer", orNull(money.engineer)},
                {"cash", orNull(computeCash(money))},
                {"why", money.why},
                {"next_steps", stepsToJson(money.next ? std::vector{*money.next} : std::vector<NextStep>{})}};
}

Json historyRowToJson(const HistoryRow& row)
{
    Json paths = Json::array();
    for (const WrongPath& path : row.wrongPaths)
        paths.push_back({{"what", path.what}, {"minutes", path.minutes}});
    return Json{{"id", row.id},
                {"name", row.name},
                {"kind", row.kind},
                {"date", row.date},
                {"objective", row.objective},
                {"kernel", row.kernel},
                {"device", row.device},
                {"origin", row.origin},
                {"sample", row.sample},
                {"replayed", row.replayed},
                {"status", toWord(row.status)},
                {"status_text", row.statusText},
                {"minutes", figuresToJson(row.minutes)},
                {"budget_minutes", orNull(row.budgetMinutes)},
                {"speedup", figuresToJson(row.speedup)},
                {"gain", orNull(row.gain)},
                {"gates", gatesToJson(row.gates)},
                {"money", moneyToJson(row.money)},
                {"mistakes", mistakesToJson(row.mistakes)},
                {"blind_optimizations", orNull(row.blind)},
                {"minutes_to_build", orNull(row.minutesToBuild)},
                {"minutes_to_bottleneck", orNull(row.minutesToBottleneck)},
                {"wrong_paths", std::move(paths)},
                {"grade", row.grade.letter.empty() ? Json(nullptr) : Json(row.grade.letter)},
                {"grade_reason", row.grade.reason},
                {"grade_how", toWord(row.grade.kind)},
                {"minutes_to_bottleneck_why", row.noBottleneck},
                {"worked", row.worked},
                {"failed", row.failed},
                {"insights", row.insights},
                {"next_time", row.nextTime},
                {"patterns_applied", orNull(row.patternsApplied)},
                {"patterns_known", orNull(row.patternsKnown)},
                {"patterns_planned", row.patternsPlanned},
                {"patterns", row.patterns},
                {"learned", row.learned},
                {"saved_minutes", figuresToJson(row.savedMinutes)},
                {"saved_dollars", {{"quoted", orNull(row.savedDollarsQuoted)}}}};
}

Json totalsToJson(const HistoryTotals& t)
{
    const std::optional<double> spent = t.sumSpent();
    return Json{
        {"sessions", t.sessions},
        {"replayed", t.replayed},
        {"open", t.open},
        {"complete", t.complete},
        {"success_rate", orNull(t.successRate)},
        {"best_speedup", orNull(t.bestSpeedup)},
        {"minutes", {{"low", orNull(t.minutesLow)}, {"high", orNull(t.minutesHigh)}}},
        {"saved_minutes", {{"measured", orNull(t.savedMeasured)}, {"quoted", orNull(t.savedQuoted)}, {"derived", orNull(t.savedDerived)}}},
        {"saved_dollars", {{"quoted", orNull(t.savedDollarsQuoted)}}},
        {"cost", {{"low", orNull(t.costLow)}, {"high", orNull(t.costHigh)}}},
        {"engineer", orNull(t.engineer)},
        {"engineer_high", orNull(t.engineerHigh)},
        {"spent", orNull(spent)},
        {"spent_low", orNull(t.sumSpentLow())},
        {"value", {{"entered", orNull(t.valueEntered)}, {"measured", orNull(t.valueMeasured)}, {"quoted", orNull(t.valueQuoted)}}},
        {"return",
         {{"entered", orNull(returnOnInvestment(t.valueEntered, spent))},
          {"measured", orNull(returnOnInvestment(t.valueMeasured, spent))},
          {"quoted", orNull(returnOnInvestment(t.valueQuoted, spent))}}},
        {"return_high",
         {{"entered", orNull(returnOnInvestment(t.valueEntered, t.sumSpentLow()))},
          {"measured", orNull(returnOnInvestment(t.valueMeasured, t.sumSpentLow()))},
          {"quoted", orNull(returnOnInvestment(t.valueQuoted, t.sumSpentLow()))}}},
        {"mistakes", {{"count", t.mistakes}, {"repeated", t.repeated}}},
        {"blind_optimizations", t.blind},
        {"wrong_path_minutes", t.wrongMinutes}};
}

namespace {

Json scriptedToJson(const ScriptedTotals& script)
{
    return Json{{"kept_changes", script.kept},
                {"gain", orNull(script.gain)},
                {"minutes", script.minutes},
                {"saved_minutes", orNull(script.saved)},
                {"saved_share", orNull(script.computeSavedShare())},
                {"cost", orNull(script.cost)},
                {"saved_cost", orNull(script.computeSavedCost())}};
}

Json amountsToJson(const std::vector<Amount>& amounts)
{
    Json list = Json::array();
    for (const Amount& amount : amounts)
        list.push_back({{"what", amount.what}, {"dollars", amount.dollars}});
    return list;
}

/// What the shipped documents quote beyond their sessions; each is null in a database without them.
void addQuoted(Json& answer, const History& history)
{
    answer["planned"] = Json::array();
    for (const PlannedSession& plan : history.planned)
        answer["planned"].push_back({{"name", plan.name},
                                     {"objective", plan.objective},
                                     {"minutes_low", plan.minutesLow},
                                     {"minutes_high", plan.minutesHigh},
                                     {"speedup", orNull(plan.speedup)},
                                     {"patterns", plan.patterns},
                                     {"source", plan.source},
                                     {"became", plan.became}});
    answer["trend"] = nullptr;
    if (const std::optional<QuotedTrend>& trend = history.trend)
        answer["trend"] = {{"low", trend->low}, {"high", trend->high}, {"text", trend->text}, {"source", trend->source}};
    answer["goal"] = nullptr;
    if (const std::optional<QuotedGoal>& goal = history.goal)
        answer["goal"] = {{"session", goal->session},     {"minutes", goal->minutes},
                          {"before", goal->before},       {"before_minutes", goal->beforeMinutes},
                          {"reduction", goal->reduction}, {"source", goal->source}};
    answer["dashboard"] = Json::array();
    for (const DashboardRow& row : history.dashboard)
        answer["dashboard"].push_back(
            {{"id", row.id}, {"title", row.title}, {"quoted", row.quoted}, {"source", row.source}, {"own", row.own}});
    answer["economics"] = nullptr;
    if (const std::optional<QuotedEconomics>& economics = history.economics)
        answer["economics"] = {{"session", economics->session},
                               {"source", economics->source},
                               {"value", amountsToJson(economics->value)},
                               {"value_sum", economics->valueSum()},
                               {"investment", amountsToJson(economics->investment)},
                               {"investment_sum", economics->investmentSum()},
                               {"quoted_return", economics->quotedReturn},
                               {"return", economics->valueSum() / economics->investmentSum()}};
}

} // namespace

Json historyToJson(const History& history)
{
    Json answer{{"schema", "kernelloop.learning/1"}, {"sessions", Json::array()}};
    for (const HistoryRow& row : history.rows)
        answer["sessions"].push_back(historyRowToJson(row));
    answer["own"] = totalsToJson(history.own);
    answer["sample"] = totalsToJson(history.sample);
    answer["scripted"] = scriptedToJson(computeScriptedTotals(history.rows));
    answer["learning"] = learningToJson(history);
    answer["convergence"] = convergenceToJson(history);
    answer["expert"] = expertToJson(history.gap);
    Json expected = Json::array();
    for (const TrajectoryPoint& point : history.expected)
        expected.push_back(
            {{"session", point.session}, {"position", point.position}, {"minutes", point.minutes}, {"speedup", point.speedup}});
    answer["expected"] = std::move(expected);
    answer["mistakes"] = Json::array();
    for (const MistakeKind& kind : history.mistakes)
        answer["mistakes"].push_back({{"id", kind.id}, {"text", kind.text}, {"cost", kind.cost}, {"prevention", kind.prevention}});
    answer["patterns"] = Json::array();
    for (const PatternReturn& row : history.patterns)
        answer["patterns"].push_back(returnToJson(row));
    answer["notes"] = history.notes;
    addQuoted(answer, history);
    answer["engineer_rate"] = history.engineerRate;
    answer["session_cost_target"] = history.sessionCostTarget;
    return answer;
}

Json roadmapToJson(const Roadmap& roadmap, const std::vector<HistoryRow>& rows)
{
    Json weeks = Json::array();
    for (const RoadmapWeek& week : roadmap.weeks) {
        Json steps = Json::array();
        for (const RoadmapStep& step : roadmap.steps)
            if (step.week == week.week)
                steps.push_back({{"id", step.id},
                                 {"title", step.title},
                                 {"sessions", step.sessions},
                                 {"done", step.done},
                                 {"asks", goalText(step.asks)},
                                 {"state", toString(computeState(step, rows))}});
        weeks.push_back({{"week", week.week}, {"title", week.title}, {"steps", std::move(steps)}});
    }
    return Json{{"schema", "kernelloop.roadmap/1"}, {"origin", roadmap.origin}, {"weeks", std::move(weeks)}};
}

} // namespace kl::inline learning
