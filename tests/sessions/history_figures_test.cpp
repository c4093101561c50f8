// SPDX-License-Identifier: MIT
// Figures over the rows of the history: dashboard, scripts, mistakes, lessons; the shipped rows, and the history as JSON.
#include "core/base/format.h"
#include "sessions/learning/history_json.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/roadmap.h"
#include "sessions/learning/scripted.h"
#include "sessions/patterns/pattern_json.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(Figures, TheFirstThatCountsIsShown)
{
    const std::vector<Figure> figures{{1, FigureKind::planned, {}}, {2, FigureKind::doubtful, "a"}, {3, FigureKind::quoted, {}},
                                      {4, FigureKind::quoted, {}},  {5, FigureKind::doubtful, {}},  {6, FigureKind::derived, {}}};
    EXPECT_EQ(findShownFigure(figures)->value, 3);
    EXPECT_EQ(findDoubtedFigure(figures)->value, 2);
    EXPECT_EQ(findFirst(figures, FigureKind::quoted), 3);
    EXPECT_EQ(findFirst(figures, FigureKind::planned), 1);
    EXPECT_EQ(findFirst(figures, FigureKind::entered), std::nullopt);
    EXPECT_EQ(findShownFigure({figures[0], figures[1]}), std::nullopt);
    EXPECT_EQ(findDoubtedFigure({figures[2]}), std::nullopt);
    EXPECT_EQ(formatMarked(figures[5], &formatMinutes), "~" + formatMinutes(6));
    EXPECT_EQ(formatMarked(figures[2], &formatMinutes), formatMinutes(3));
    EXPECT_STREQ(toString(FigureKind::measured), "measured");
    EXPECT_STREQ(toString(FigureKind::doubtful), "doubtful");
}

HistoryRow countedRow(const std::string& name)
{
    HistoryRow row;
    row.name = name;
    row.kind = "optimize";
    row.status = SessionStatus::complete;
    return row;
}

std::string findFigure(const History& history, const std::string& id)
{
    return std::ranges::find(history.dashboard, id, &DashboardRow::id)->own;
}

TEST(Dashboards, HaveTheFiguresOfThisDatabase)
{
    History history;
    for (const char* id : {"time-saved", "cost-saved", "library", "sessions", "average-gain", "return"})
        history.dashboard.push_back({id, id, "quoted", "source", ""});
    history.sampleOrigin = "documents";
    Pattern operational, planned, own;
    operational.kind = "operational";
    planned.kind = "planned";
    own.kind = "own";
    fillDashboard(history, {operational, operational, planned});
    EXPECT_EQ(findFigure(history, "library"), "2 operational, 1 planned");
    const std::string none = findFigure(history, "sessions");
    EXPECT_NE(none, "");
    EXPECT_EQ(none.find_first_of("0123456789"), std::string::npos) << none;
    for (const char* id : {"time-saved", "cost-saved", "average-gain", "return"})
        EXPECT_EQ(findFigure(history, id), none) << id;
    EXPECT_EQ(history.dashboard[0].quoted, "quoted");
    EXPECT_EQ(history.dashboard[0].source, "source");
    for (const char* name : {"A", "B", "C", "D"})
        history.rows.push_back(countedRow(name));
    history.rows.push_back(countedRow("sample"));
    history.rows.back().sample = true;
    history.rows.push_back(countedRow("replayed"));
    history.rows.back().replayed = true;
    history.rows.push_back(countedRow("open"));
    history.rows.back().status = SessionStatus::open;
    fillDashboard(history, {own});
    EXPECT_EQ(findFigure(history, "sessions"), "A, B, C, D");
    EXPECT_EQ(findFigure(history, "library"), "0 operational, 0 planned, 1 own");
    history.rows.push_back(countedRow("E"));
    history.rows.back().kind = nameScriptedKind("optimize");
    history.rows.back().minutes = {{30, FigureKind::measured, {}}};
    history.rows.back().savedMinutes = {{10, FigureKind::measured, {}}};
    history.rows.back().money.gpu = {{6, FigureKind::measured, {}}};
    history.rows.back().gain = 2;
    history.own.savedMeasured = 25;
    history.own.valueMeasured = 7.5;
    history.own.costHigh = 5;
    history.learningRate = 0.25;
    history.sampleOrigin.clear();
    fillDashboard(history, {});
    EXPECT_THAT(findFigure(history, "sessions"), AllOf(StartsWith("5"), HasSubstr("B, C, D, E"), Not(HasSubstr("A, "))));
    EXPECT_THAT(findFigure(history, "time-saved"), AllOf(HasSubstr(formatMinutes(15)), HasSubstr(formatPercent(25))));
    EXPECT_THAT(findFigure(history, "cost-saved"), AllOf(HasSubstr(formatMoney(7.5)), HasSubstr(formatMoney(2))));
    EXPECT_THAT(findFigure(history, "average-gain"), AllOf(HasSubstr(formatPercent(25)), HasSubstr(formatRatio(2)), HasSubstr(" 1 ")));
    EXPECT_THAT(findFigure(history, "return"), AllOf(HasSubstr(formatRatio(1.5)), HasSubstr(formatRatio(2.0 / 6))));
    EXPECT_EQ(history.dashboard[0].quoted, "");
    EXPECT_EQ(history.dashboard[0].source, "");
    history.own.valueEntered = 50;
    fillDashboard(history, {});
    const std::string entered = findFigure(history, "return");
    EXPECT_THAT(entered, AllOf(HasSubstr(formatRatio(10)), Not(HasSubstr(formatRatio(1.5))))) << "what was entered comes first";
    history.own.valueMeasured = 50;
    history.own.valueEntered.reset();
    fillDashboard(history, {});
    EXPECT_THAT(findFigure(history, "return"), HasSubstr(formatRatio(10)));
    EXPECT_NE(findFigure(history, "return"), entered) << "it says which of the two it is";
}

TEST(DashboardTexts, SnapshotOfTheFigures)
{
    History history;
    for (const char* id : {"time-saved", "cost-saved", "library", "sessions", "average-gain", "return"})
        history.dashboard.push_back({id, id, "quoted", "source", ""});
    std::string text;
    const auto add = [&](const std::string& state) {
        fillDashboard(history, {});
        for (const DashboardRow& row : history.dashboard)
            text += state + ", " + row.id + ": " + row.own + '\n';
    };
    add("nothing");
    for (const char* name : {"A", "B", "C", "D", "E"})
        history.rows.push_back(countedRow(name));
    history.own.savedMeasured = 25;
    history.own.valueMeasured = 7.5;
    history.own.costHigh = 5;
    history.learningRate = 0.25;
    add("people");
    history.own.valueEntered = 50;
    history.rows.back().kind = nameScriptedKind("optimize");
    history.rows.back().minutes = {{30, FigureKind::measured, {}}};
    history.rows.back().savedMinutes = {{10, FigureKind::measured, {}}};
    history.rows.back().money.gpu = {{6, FigureKind::measured, {}}};
    history.rows.back().gain = 2;
    add("people and a script");
    test::expectSnapshot("texts/dashboard.txt", text);
}

TEST(ScriptedTotalsOf, CountFinishedSessionsThatAScriptDrove)
{
    HistoryRow kept = countedRow("A");
    kept.kind = nameScriptedKind("optimize");
    kept.gain = 4;
    kept.minutes = {{30, FigureKind::measured, {}}};
    kept.money.other = {{3, FigureKind::entered, {}}};
    HistoryRow second = kept;
    second.gain = 1;
    second.savedMinutes = {{5, FigureKind::quoted, {}}, {10, FigureKind::measured, {}}};
    HistoryRow people = kept;
    people.kind = "optimize";
    HistoryRow open = kept;
    open.status = SessionStatus::open;
    HistoryRow shipped = kept;
    shipped.sample = true;
    HistoryRow replayed = kept;
    replayed.replayed = true;
    HistoryRow worse = kept;
    worse.gain = 0;
    const ScriptedTotals totals = computeScriptedTotals({kept, second, people, open, shipped, replayed, worse});
    EXPECT_EQ(totals.kept, 2);
    EXPECT_DOUBLE_EQ(*totals.gain, 2) << "the geometric mean of 4 and 1";
    EXPECT_EQ(totals.minutes, 90);
    EXPECT_EQ(totals.saved, 10);
    EXPECT_EQ(totals.cost, 9);
    EXPECT_DOUBLE_EQ(*totals.computeSavedShare(), 0.1);
    EXPECT_DOUBLE_EQ(*totals.computeSavedCost(), 1);
    const ScriptedTotals none = computeScriptedTotals({});
    EXPECT_FALSE(none.gain || none.saved || none.cost || none.computeSavedShare() || none.computeSavedCost());
    EXPECT_TRUE(isScriptedKind(nameScriptedKind("debug")));
    EXPECT_FALSE(isScriptedKind("scripted"));
}

TEST(MistakeCounts, AreOfTheShippedSessionsWhereThereAreNoOthers)
{
    History history;
    history.own.mistakes = 1;
    history.sample = {};
    history.sample.mistakes = 7;
    history.sample.repeated = 6;
    history.sample.blind = 5;
    history.sample.wrongMinutes = 4;
    history.rows = {countedRow("shipped"), countedRow("replayed")};
    history.rows[0].sample = true;
    history.rows[0].mistakes = {{"a", 2, 1, 0, ""}};
    history.rows[1].replayed = true;
    EXPECT_EQ(mistakeCount(history, "a"), (MistakeCount{2, 1}));
    EXPECT_EQ(mistakeTotals(history), (MistakeTotals{7, 6, 5, 4}));
    history.rows.push_back(countedRow("own"));
    EXPECT_EQ(mistakeCount(history, "a"), MistakeCount{});
    EXPECT_EQ(mistakeTotals(history), (MistakeTotals{1, 0, 0, 0}));
}

TEST(SampleRows, AreTakenFromTheFile)
{
    const Result<SampleHistory> sample = parseSampleHistory(R"({"origin": "notes", "kernel": "attention", "device": "L4",
        "mistakes": [{"id": "a", "text": "Mistake A"}, {"id": "b", "text": "Mistake B"}],
        "trajectory": [{"session": "N+1", "position": 2, "hours": 1.5, "speedup": 0.5}],
        "sessions": [{"name": "N", "status": "ended-early", "minutes": [{"value": 90, "how": "planned"}, {"value": 60, "how": "quoted"}],
                      "mistakes": ["b"], "worked": ["x"]},
                     {"name": "N+1", "status": "complete", "status_text": "done", "graded": {"letter": "B+", "reason": "because"}}]})",
                                                            "file");
    ASSERT_TRUE(sample) << sample.error().message;
    ASSERT_THAT(sample->rows, SizeIs(2));
    const HistoryRow& first = sample->rows[0];
    EXPECT_EQ(first.id, "sample:N");
    EXPECT_EQ(first.kernel, "attention");
    EXPECT_EQ(first.device, "L4");
    EXPECT_EQ(first.origin, "notes");
    EXPECT_EQ(first.status, SessionStatus::endedEarly);
    EXPECT_EQ(first.statusText, nameOutcome(first)) << "where the file has none";
    EXPECT_EQ(first.mistakes, (std::vector<Mistake>{{"b", 1, 0, 0, "Mistake B"}}));
    EXPECT_EQ(first.money.engineer, kEngineerRate) << "an hour";
    EXPECT_TRUE(first.sample && first.objectiveDerived && first.documented);
    EXPECT_EQ(first.grade.letter, "");
    EXPECT_EQ(sample->rows[1].statusText, "done");
    EXPECT_EQ(sample->rows[1].grade, (Grade{"B+", "because", FigureKind::quoted}));
    EXPECT_FALSE(sample->rows[1].documented);
    EXPECT_FALSE(sample->rows[1].money.engineer);
    EXPECT_EQ(sample->trajectory, (std::vector<TrajectoryPoint>{{"N+1", 2, 90, 0.5}}));
    const Result<SampleHistory> unknown = parseSampleHistory(R"({"sessions": [{"name": "N", "mistakes": ["z"]}]})", "file");
    EXPECT_EQ(unknown.error().code, ErrorCode::badInput);
    EXPECT_THAT(unknown.error().message, HasSubstr("\"z\""));
    const HistoryRow complete = parseSampleHistory(R"({"sessions": [{"name": "N", "status": "complete"}]})", "f")->rows[0];
    EXPECT_EQ(complete.statusText, nameOutcome(complete));
    EXPECT_NE(complete.statusText, first.statusText);
}

History writtenHistory()
{
    History history;
    history.rows = {countedRow("N")};
    history.own.sessions = 1;
    history.sample.sessions = 2;
    history.expected = {{"N+1", 3, 90, 0.5}};
    history.learning = {{"N+1", "N", 0.25}};
    history.learningRate = 0.25;
    history.convergence.sessions = 6;
    history.convergence.low = 4;
    history.convergence.high = 9;
    history.convergence.used = 5;
    history.convergence.decay = 0.8;
    history.convergence.why = "why";
    history.convergence.targetMinutes = 110;
    history.convergence.trend = {{1, 2, 3, 4}};
    history.convergenceKind = "debug";
    history.gap = ExpertGap{"N+2", 10, 40, 0.5};
    history.planned = {{"N+7", "objective", 30, 60, 1.5, "10 of 10", "plan", "became"}};
    history.mistakes = {{"a", "text", "cost", "prevention"}};
    history.notes = {"note"};
    history.trend = QuotedTrend{0.1, 0.2, "text", "source"};
    history.goal = QuotedGoal{"N+9", 90, "N", 510, 0.8, "source"};
    history.economics = QuotedEconomics{"N+9", "source", {{"a", 100}, {"b", 50}}, {{"c", 30}}, 4.5};
    history.dashboard = {{"id", "title", "quoted", "source", "own"}};
    history.engineerRate = 31;
    history.sessionCostTarget = 6;
    return history;
}

TEST(HistoryJson, HasEachPartOfTheHistory)
{
    const Json json = historyToJson(writtenHistory());
    EXPECT_EQ(json["schema"], "kernelloop.learning/1");
    EXPECT_EQ(json["sessions"][0]["name"], "N");
    EXPECT_EQ(json["own"]["sessions"], 1);
    EXPECT_EQ(json["sample"]["sessions"], 2);
    EXPECT_EQ(json["learning"],
              (Json{{"rate", 0.25}, {"aim", {0.3, 0.5}}, {"steps", {{{"session", "N+1"}, {"before", "N"}, {"rate", 0.25}}}}}));
    EXPECT_EQ(json["convergence"], (Json{{"sessions", 6.0},
                                         {"low", 4.0},
                                         {"high", 9.0},
                                         {"kind", "debug"},
                                         {"used", 5},
                                         {"target_minutes", 110.0},
                                         {"decay", 0.8},
                                         {"why", "why"},
                                         {"quoted", {{"low", 10}, {"high", 15}}},
                                         {"trend", {{{"position", 1}, {"minutes", 2.0}, {"low", 3.0}, {"high", 4.0}}}}}));
    EXPECT_EQ(json["expert"]["minutes"], (Json{90.0, 120.0}));
    EXPECT_EQ(json["expert"]["speedup"], 2.0);
    EXPECT_EQ(json["expert"]["gap"], (Json{{"session", "N+2"}, {"minutes_low", 10.0}, {"minutes_high", 40.0}, {"speedup", 0.5}}));
    EXPECT_EQ(json["expected"], (Json{{{"session", "N+1"}, {"position", 3}, {"minutes", 90.0}, {"speedup", 0.5}}}));
    EXPECT_EQ(json["mistakes"], (Json{{{"id", "a"}, {"text", "text"}, {"cost", "cost"}, {"prevention", "prevention"}}}));
    EXPECT_EQ(json["notes"], (Json{"note"}));
    EXPECT_EQ(json["planned"], (Json{{{"name", "N+7"},
                                      {"objective", "objective"},
                                      {"minutes_low", 30.0},
                                      {"minutes_high", 60.0},
                                      {"speedup", 1.5},
                                      {"patterns", "10 of 10"},
                                      {"source", "plan"},
                                      {"became", "became"}}}));
    EXPECT_EQ(json["trend"], (Json{{"low", 0.1}, {"high", 0.2}, {"text", "text"}, {"source", "source"}}));
    EXPECT_EQ(
        json["goal"],
        (Json{
            {"session", "N+9"}, {"minutes", 90.0}, {"before", "N"}, {"before_minutes", 510.0}, {"reduction", 0.8}, {"source", "source"}}));
    EXPECT_EQ(json["dashboard"], (Json{{{"id", "id"}, {"title", "title"}, {"quoted", "quoted"}, {"source", "source"}, {"own", "own"}}}));
    EXPECT_EQ(json["economics"]["value_sum"], 150);
    EXPECT_EQ(json["economics"]["investment_sum"], 30);
    EXPECT_EQ(json["economics"]["return"], 5);
    EXPECT_EQ(json["economics"]["quoted_return"], 4.5);
    EXPECT_EQ(json["economics"]["investment"], (Json{{{"what", "c"}, {"dollars", 30.0}}}));
    EXPECT_EQ(json["engineer_rate"], 31);
    EXPECT_EQ(json["session_cost_target"], 6);
    const Json bare = historyToJson({});
    for (const char* key : {"trend", "goal", "economics"})
        EXPECT_EQ(bare[key], nullptr) << key;
    EXPECT_EQ(bare["expert"]["gap"], nullptr);
    EXPECT_EQ(bare["learning"]["rate"], nullptr);
    EXPECT_EQ(bare["scripted"], (Json{{"kept_changes", 0},
                                      {"gain", nullptr},
                                      {"minutes", 0.0},
                                      {"saved_minutes", nullptr},
                                      {"saved_share", nullptr},
                                      {"cost", nullptr},
                                      {"saved_cost", nullptr}}));
}

TEST(HistoryJson, HasTheMoneyAndTheRoadmap)
{
    SessionMoney money;
    money.gpu = {{1, FigureKind::measured, "time"}};
    money.assistant = {{2, FigureKind::entered, {}}};
    money.other = {{4, FigureKind::entered, {}}};
    money.value = {{8, FigureKind::entered, {}}};
    money.engineer = 16;
    money.why = "why";
    const Json json = moneyToJson(money);
    EXPECT_EQ(json["gpu"], (Json{{{"value", 1.0}, {"how", "measured"}, {"source", "time"}}}));
    EXPECT_EQ(json["assistant"][0]["value"], 2);
    EXPECT_EQ(json["other"][0]["value"], 4);
    EXPECT_EQ(json["value"][0]["value"], 8);
    EXPECT_EQ(json["engineer"], 16);
    EXPECT_EQ(json["cash"], 7);
    EXPECT_EQ(json["why"], "why");
    EXPECT_THAT(json["next_steps"], IsEmpty());
    money.next = NextStep{StepId::setPrice};
    EXPECT_THAT(moneyToJson(money)["next_steps"], SizeIs(1));

    Roadmap roadmap;
    roadmap.origin = "own";
    roadmap.weeks = {{1, "One"}, {2, "Two"}};
    roadmap.steps = {{"b", 2, "B", {"N"}, false, {}}, {"a", 1, "A", {}, true, {}}};
    roadmap.steps[0].asks.cycles = 2;
    EXPECT_EQ(
        roadmapToJson(roadmap, {countedRow("N")}),
        (Json{{"schema", "kernelloop.roadmap/1"},
              {"origin", "own"},
              {"weeks",
               {{{"week", 1},
                 {"title", "One"},
                 {"steps", {{{"id", "a"}, {"title", "A"}, {"sessions", Json::array()}, {"done", true}, {"asks", ""}, {"state", "done"}}}}},
                {{"week", 2},
                 {"title", "Two"},
                 {"steps",
                  {{{"id", "b"},
                    {"title", "B"},
                    {"sessions", {"N"}},
                    {"done", false},
                    {"asks", goalText(roadmap.steps[0].asks)},
                    {"state", "open"}}}}}}}}));
}

TEST(PatternJson, HasEachFieldOfAPatternAUseAndAReturn)
{
    PatternReturn gained;
    gained.slug = "p";
    gained.title = "Pad";
    gained.applications = 2;
    gained.measuredMinutes = 3;
    gained.quotedMinutes = 4;
    gained.derivedMinutes = 5;
    gained.quotedDollars = 6;
    gained.measuredValue = 7;
    gained.quotedValue = 8;
    gained.investedLow = 9;
    gained.investedHigh = 10;
    gained.measuredReturn = 11;
    gained.quotedReturn = 12;
    Pattern pattern{"p", "10", "Pad", "own", "problem", "advice", "finding", 20.0, 30.0, 40.0, "origin", "s9"};
    const Json json = patternToJson(pattern, gained);
    EXPECT_EQ(json,
              (Json{{"slug", "p"},
                    {"label", "10"},
                    {"title", "Pad"},
                    {"kind", "own"},
                    {"when", "finding"},
                    {"problem", "problem"},
                    {"advice", "advice"},
                    {"quoted_minutes", 20.0},
                    {"quoted_minutes_high", 30.0},
                    {"quoted_dollars", 40.0},
                    {"origin", "origin"},
                    {"learned_in", "s9"},
                    {"applications", 2},
                    {"saved", {{"measured_minutes", 3.0}, {"quoted_minutes", 4.0}, {"derived_minutes", 5.0}, {"quoted_dollars", 6.0}}}}));
    gained.learnedIn = "N+1";
    EXPECT_EQ(patternToJson(pattern, gained)["learned_in"], "N+1");
    EXPECT_EQ(returnToJson(gained), (Json{{"slug", "p"},
                                          {"title", "Pad"},
                                          {"applications", 2},
                                          {"learned_in", "N+1"},
                                          {"invested_minutes", {{"low", 9.0}, {"high", 10.0}}},
                                          {"measured", {{"minutes", 3.0}, {"value", 7.0}, {"return", 11.0}}},
                                          {"quoted", {{"minutes", 4.0}, {"dollars", 6.0}, {"value", 8.0}, {"return", 12.0}}},
                                          {"derived_minutes", 5.0}}));
    EXPECT_EQ(applicationToJson({"id", "p", "s", "at", 1.0, 2.0, 3.0, true, "note"}), (Json{{"pattern", "p"},
                                                                                            {"session", "s"},
                                                                                            {"at", "at"},
                                                                                            {"measured_minutes", 1.0},
                                                                                            {"quoted_minutes", 2.0},
                                                                                            {"quoted_dollars", 3.0},
                                                                                            {"derived", true},
                                                                                            {"note", "note"}}));
    EXPECT_EQ(suggestionToJson({"p", "why", true}, {pattern}),
              (Json{{"slug", "p"}, {"title", "Pad"}, {"why", "why"}, {"applied", true}, {"next", Json::array()}}));
    EXPECT_EQ(suggestionToJson({"q", "why", false}, {pattern})["title"], "");
}

TEST(Histories, LessonsCostTheTimeOfTheFinishedSessionThatTaughtThem)
{
    const auto store = support::openStore(":memory:");
    const auto session = [&](const std::string& id, Source source, const std::string& finished) {
        const std::string at = "2026-01-0" + id + "T09:00:00.000Z";
        ASSERT_TRUE(store->createSession({{id}, "N+" + id, "optimize", "o", "k", source, at, "{}"}, {1, at, "opened", "{}"}));
        if (!finished.empty()) {
            ASSERT_TRUE(store->appendEvent({id}, {2, at, "finished", finished}));
        }
    };
    session("1", Source::live, R"({"outcome": "kept", "minutes": 60})");
    session("2", Source::sample, R"({"outcome": "kept", "minutes": 7})");
    session("3", Source::live, "");
    session("4", Source::live, R"({"outcome": "kept", "minutes": 30})");
    session("5", Source::live, R"({"outcome": "kept", "minutes": 24})");
    for (const auto& [slug, learned] :
         {std::pair{"a", "1"}, std::pair{"b", "1"}, std::pair{"c", "2"}, std::pair{"d", "3"}, std::pair{"e", ""}}) {
        Pattern pattern;
        pattern.slug = slug;
        pattern.title = slug;
        pattern.kind = "own";
        pattern.learnedIn = learned;
        ASSERT_TRUE(store->savePattern(pattern));
    }
    ASSERT_TRUE(store->saveApplication({"u", "a", "4", "t", 15.0, 60.0, {}, false, ""}));
    ASSERT_TRUE(store->saveApplication({"v", "b", "2", "t", 15.0, 60.0, 9.0, false, ""}));
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    ASSERT_THAT(history->patterns, SizeIs(5));
    for (const PatternReturn& row : history->patterns) {
        const bool taught = row.slug == "a" || row.slug == "b";
        EXPECT_EQ(row.investedHigh, taught ? std::optional(30.0) : std::nullopt) << row.slug << ": an hour for two lessons";
        EXPECT_EQ(row.learnedIn, taught ? "N+1" : "") << row.slug;
    }
    EXPECT_EQ(history->patterns[0].measuredReturn, 0.5);
    EXPECT_EQ(history->patterns[1].applications, 1);
    EXPECT_FALSE(history->patterns[1].measuredMinutes || history->patterns[1].quotedMinutes || history->patterns[1].quotedDollars)
        << "a replay saves nobody's time";
    EXPECT_EQ(history->learning, (std::vector<LearningStep>{{"N+4", "N+1", 0.5}, {"N+5", "N+4", 1 - 24.0 / 30}}));
    EXPECT_DOUBLE_EQ(*history->learningRate, 0.35);
    EXPECT_EQ(history->convergenceKind, "optimize");
    EXPECT_EQ(history->gap->session, "N+5");
    EXPECT_EQ(history->own.sessions, 5);
    EXPECT_EQ(history->sample.sessions, 0);
    EXPECT_FALSE(history->more);
    EXPECT_TRUE(loadHistory(*store, 2)->more);
    EXPECT_EQ(loadHistory(*store, 2)->rows.size(), 2U);
    EXPECT_THAT(*sessionAlerts(*store, {"1"}), IsEmpty()) << "it is finished";
    EXPECT_EQ(sessionAlerts(*store, {"none"}).error().code, ErrorCode::notFound);
}

} // namespace
} // namespace kl
