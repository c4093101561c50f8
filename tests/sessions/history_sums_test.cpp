// SPDX-License-Identifier: MIT
// Sums, steps and alerts of rows of the history that are written down here.
#include "sessions/learning/history_json.h"
#include "sessions/learning/history_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HistoryRow finishedRow(const std::string& name, double minutes, const std::string& kind = "optimize")
{
    HistoryRow row;
    row.id = "id-" + name;
    row.name = name;
    row.kind = kind;
    row.status = SessionStatus::complete;
    row.statusText = "kept";
    row.minutes = {{minutes, FigureKind::measured, {}}};
    return row;
}

TEST(HistoryTotals, SumEachKindOfFigureApart)
{
    HistoryRow first = finishedRow("N", 60);
    first.minutes.push_back({90, FigureKind::quoted, "another note"});
    first.minutes.push_back({500, FigureKind::planned, "a plan"});
    first.money.gpu = {{3, FigureKind::derived, {}}, {5, FigureKind::derived, {}}};
    first.money.assistant = {{2, FigureKind::entered, {}}, {7, FigureKind::derived, {}}};
    first.money.engineer = 30;
    first.money.value = {{100, FigureKind::entered, {}}};
    first.speedup = {{1.5, FigureKind::measured, {}}};
    first.savedMinutes = {{10, FigureKind::measured, {}}, {20, FigureKind::quoted, {}}, {40, FigureKind::derived, {}}};
    first.savedDollarsQuoted = 4;
    first.blind = 1;
    first.wrongPaths = {{"x", 5}, {"y", 6}};
    first.mistakes = {{.id = "a", .count = 3, .before = 0}, {.id = "b", .count = 2, .before = 1}};
    HistoryRow second = finishedRow("N+1", 30);
    second.money.other = {{1, FigureKind::entered, {}}};
    second.money.engineer = 15;
    second.speedup = {{1.2, FigureKind::measured, {}}};
    second.savedMinutes = {{1, FigureKind::measured, {}}};
    HistoryRow open = finishedRow("N+2", 10);
    open.status = SessionStatus::open;
    HistoryRow early = finishedRow("N+3", 10);
    early.status = SessionStatus::endedEarly;
    const HistoryTotals sum = computeTotals({first, second, open, early}, 60);
    EXPECT_EQ(sum.sessions, 4);
    EXPECT_EQ(sum.open, 1);
    EXPECT_EQ(sum.complete, 2);
    EXPECT_EQ(sum.replayed, 0);
    EXPECT_DOUBLE_EQ(*sum.successRate, 2.0 / 3);
    EXPECT_EQ(sum.minutesLow, 60 + 30 + 10 + 10);
    EXPECT_EQ(sum.minutesHigh, 90 + 30 + 10 + 10) << "a plan is not a time";
    EXPECT_EQ(sum.costLow, 3 + 2 + 1);
    EXPECT_EQ(sum.costHigh, 5 + 2 + 1) << "a bill comes before what was computed";
    EXPECT_EQ(sum.engineer, 45);
    EXPECT_EQ(sum.engineerHigh, 90 + 30) << "the longest times at the rate";
    EXPECT_EQ(sum.sumSpent(), 8 + 120);
    EXPECT_EQ(sum.sumSpentLow(), 6 + 45);
    EXPECT_EQ(sum.bestSpeedup, 1.5);
    EXPECT_EQ(sum.savedMeasured, 11);
    EXPECT_EQ(sum.savedQuoted, 20);
    EXPECT_EQ(sum.savedDerived, 40);
    EXPECT_EQ(sum.savedDollarsQuoted, 4);
    EXPECT_EQ(sum.valueEntered, 100);
    EXPECT_EQ(sum.valueMeasured, 11);
    EXPECT_EQ(sum.valueQuoted, 20);
    EXPECT_EQ(sum.mistakes, 5);
    EXPECT_EQ(sum.repeated, 2 + 2) << "the first of a kind is not a repetition";
    EXPECT_EQ(sum.blind, 1);
    EXPECT_EQ(sum.wrongMinutes, 11);
    const Json json = totalsToJson(sum);
    EXPECT_EQ(json["minutes"]["low"], 110);
    EXPECT_EQ(json["minutes"]["high"], 140);
    EXPECT_EQ(json["cost"]["low"], 6);
    EXPECT_EQ(json["cost"]["high"], 8);
    EXPECT_EQ(json["spent"], 128);
    EXPECT_EQ(json["spent_low"], 51);
    EXPECT_EQ(json["engineer"], 45);
    EXPECT_EQ(json["engineer_high"], 120);
    EXPECT_EQ(json["value"]["measured"], 11);
    EXPECT_EQ(json["value"]["quoted"], 20);
    EXPECT_EQ(json["return"]["entered"], 100.0 / 128);
    EXPECT_EQ(json["return_high"]["entered"], 100.0 / 51);
    EXPECT_EQ(json["return"]["quoted"], 20.0 / 128);
    EXPECT_EQ(json["return_high"]["measured"], 11.0 / 51);
    EXPECT_EQ(json["saved_minutes"]["derived"], 40);
    EXPECT_EQ(json["mistakes"]["repeated"], 4);
    EXPECT_EQ(json["wrong_path_minutes"], 11);
}

TEST(HistoryTotals, OfReplayedAndScriptedSessions)
{
    HistoryRow replayed = finishedRow("N", 60);
    replayed.replayed = true;
    replayed.money.other = {{2, FigureKind::entered, {}}};
    replayed.savedMinutes = {{10, FigureKind::measured, {}}};
    replayed.speedup = {{9, FigureKind::measured, {}}};
    HistoryRow scripted = finishedRow("S", 5, "optimize, scripted");
    scripted.savedMinutes = {{3, FigureKind::measured, {}}};
    const HistoryTotals sum = computeTotals({replayed, scripted}, 60);
    EXPECT_EQ(sum.replayed, 1);
    EXPECT_EQ(sum.costHigh, 2) << "what was entered was spent";
    EXPECT_EQ(sum.savedMeasured, 3);
    EXPECT_FALSE(sum.valueMeasured) << "a script saves nobody's time";
    EXPECT_FALSE(sum.bestSpeedup);
    EXPECT_EQ(sum.minutesLow, 5);
    EXPECT_FALSE(computeTotals({}, 60).successRate);
    EXPECT_FALSE(computeTotals({}, 60).sumSpent());
}

TEST(LearningSteps, AreBetweenFinishedSessionsOfAKind)
{
    HistoryRow open = finishedRow("open", 1);
    open.status = SessionStatus::open;
    HistoryRow early = finishedRow("early", 1);
    early.status = SessionStatus::endedEarly;
    HistoryRow replayed = finishedRow("replayed", 1);
    replayed.replayed = true;
    HistoryRow shipped = finishedRow("shipped", 1);
    shipped.sample = true;
    const std::vector<HistoryRow> rows{finishedRow("N", 100),
                                       open,
                                       finishedRow("B", 40, "baseline"),
                                       early,
                                       replayed,
                                       shipped,
                                       finishedRow("zero", 0),
                                       finishedRow("N+1", 75),
                                       finishedRow("B+1", 50, "baseline"),
                                       finishedRow("S", 1, "optimize, scripted")};
    EXPECT_THAT(listLearningSteps(rows), ElementsAre(LearningStep{"N+1", "N", 0.25}, LearningStep{"B+1", "B", -0.25}));
    std::vector<HistoryRow> times = rows;
    times[7].speedup = {{1.5, FigureKind::measured, {}}};
    times.resize(8);
    EXPECT_EQ(expertGap(times), (ExpertGap{"N+1", 75 - 120, 75 - 90, 0.5})) << "the newest that counts";
    EXPECT_FALSE(expertGap({open, replayed}));
    std::string kind;
    EXPECT_EQ(computeConvergence({finishedRow("a", 9), finishedRow("b", 8, "debug"), finishedRow("c", 7, "debug")}, kind).used, 2);
    EXPECT_EQ(kind, "debug") << "that with the most";
}

TEST(MarkRepeated, CountsWhatWasMadeBeforeInSessionsThatCount)
{
    std::vector<HistoryRow> rows{finishedRow("N", 1), finishedRow("N+1", 1), finishedRow("N+2", 1), finishedRow("N+3", 1)};
    rows[0].mistakes = {{.id = "a", .count = 2}};
    rows[1].replayed = true;
    rows[1].mistakes = {{.id = "a", .count = 5}, {.id = "b", .count = 1}};
    rows[2].mistakes = {{.id = "b", .count = 1}};
    rows[3].mistakes = {{.id = "a", .count = 1}, {.id = "b", .count = 1}};
    markRepeated(rows);
    EXPECT_EQ(rows[0].mistakes[0].before, 0);
    EXPECT_EQ(rows[1].mistakes[0].before, 2);
    EXPECT_EQ(rows[2].mistakes[0].before, 0) << "a replayed one does not count for later ones";
    EXPECT_EQ(rows[3].mistakes[0].before, 2);
    EXPECT_EQ(rows[3].mistakes[1].before, 1);
}

TEST(BudgetAlerts, BeginAboveTheLimitsOfOpenSessions)
{
    const auto codes = [](double minutes, double cash, SessionStatus status = SessionStatus::open, bool sample = false) {
        HistoryRow row = finishedRow("N", minutes);
        row.status = status;
        row.sample = sample;
        row.budgetMinutes = 60;
        row.money.other = {{cash, FigureKind::entered, {}}};
        std::vector<std::string> found;
        for (const Alert& alert : budgetAlerts({row}, 10)) {
            EXPECT_EQ(alert.subject, "session:id-N");
            found.push_back(alert.code);
        }
        return found;
    };
    EXPECT_THAT(codes(60, 8), IsEmpty()) << "at the limits";
    EXPECT_THAT(codes(61, 8), ElementsAre("over-budget"));
    EXPECT_THAT(codes(60, 8.01), ElementsAre("near-cost"));
    EXPECT_THAT(codes(60, 10), ElementsAre("near-cost"));
    EXPECT_THAT(codes(61, 10.01), ElementsAre("over-budget", "over-cost"));
    EXPECT_THAT(codes(61, 11, SessionStatus::complete), IsEmpty());
    EXPECT_THAT(codes(61, 11, SessionStatus::open, true), IsEmpty());
}

TEST(GradeLimits, AreMetExactly)
{
    const auto grade = [](const std::function<void(HistoryRow&)>& change) {
        HistoryRow row = finishedRow("N", 60);
        row.budgetMinutes = 60;
        row.minutesToBuild = kBuildTarget;
        row.minutesToBottleneck = kBottleneckTarget;
        row.money.other = {{5, FigureKind::entered, {}}};
        change(row);
        return gradeRow(row, 5).letter;
    };
    EXPECT_EQ(grade([](HistoryRow&) {}), "A") << "each figure is at its limit";
    EXPECT_EQ(grade([](HistoryRow& row) { row.minutes.front().value = 60.1; }), "B");
    EXPECT_EQ(grade([](HistoryRow& row) { row.minutesToBuild = kBuildTarget + 0.1; }), "B");
    EXPECT_EQ(grade([](HistoryRow& row) { row.minutesToBottleneck = kBottleneckTarget + 0.1; }), "B");
    EXPECT_EQ(grade([](HistoryRow& row) { row.money.other.front().value = 5.1; }), "B");
    EXPECT_EQ(grade([](HistoryRow& row) { row.gates = {{.gate = "G2", .result = "waived"}}; }), "B");
    EXPECT_EQ(grade([](HistoryRow& row) { row.mistakes = {{.id = "a", .count = 9}}; }), "B") << "mistakes are one thing";
    EXPECT_EQ(grade([](HistoryRow& row) {
                  row.gates = {{.gate = "G1", .result = "waived"}, {.gate = "G2", .result = "waived"}, {.gate = "G3", .result = "waived"}};
              }),
              "C");
    for (const char* gate : {"G4", "G5"}) {
        EXPECT_EQ(grade([&](HistoryRow& row) { row.gates = {{.gate = gate, .result = "unknown"}}; }), "D") << gate;
        EXPECT_EQ(grade([&](HistoryRow& row) { row.gates = {{.gate = gate, .result = "pass"}}; }), "A") << gate;
    }
    EXPECT_EQ(grade([](HistoryRow& row) {
                  row.statusText = "reverted";
                  row.gates = {{.gate = "G5", .result = "fail"}};
              }),
              "A")
        << "what is not kept needs no proof";
    EXPECT_EQ(grade([](HistoryRow& row) {
                  row.replayed = true;
                  row.minutes.front().value = 600;
                  row.money.other.front().value = 50;
              }),
              "A")
        << "a replay's time and money say nothing";
}

/// Whether a step that asks for this is done by the rows.
bool isDone(const StepGoal& goal, const std::vector<HistoryRow>& rows)
{
    RoadmapStep step{"s", 1, "S", {}, false};
    step.asks = goal;
    return computeState(step, rows) == StepState::done;
}

TEST(StepGoals, AreMetFromTheirFigureOn)
{
    HistoryRow row = finishedRow("N", 45);
    row.device = "NVIDIA A100-SXM4-80GB";
    row.speedup = {{2, FigureKind::measured, {}}};
    row.learned = {"p1"};
    row.patterns = {"p2"};
    row.documented = true;
    HistoryRow other = finishedRow("N+1", 200);
    other.statusText = "reverted";
    other.speedup = {{1.5, FigureKind::measured, {}}};
    const std::vector<HistoryRow> rows{row, other};
    EXPECT_TRUE(isDone({.speedup = 2}, rows));
    EXPECT_FALSE(isDone({.speedup = 2.01}, rows));
    EXPECT_TRUE(isDone({.baselineMinutes = 45}, rows));
    EXPECT_FALSE(isDone({.baselineMinutes = 44}, rows));
    EXPECT_TRUE(isDone({.cycles = 2}, rows));
    EXPECT_FALSE(isDone({.cycles = 3}, rows));
    EXPECT_TRUE(isDone({.patternCount = 2}, rows));
    EXPECT_FALSE(isDone({.patternCount = 3}, rows));
    EXPECT_TRUE(isDone({.patterns = {"p1", "p2"}}, rows));
    EXPECT_FALSE(isDone({.patterns = {"p1", "p3"}}, rows));
    EXPECT_TRUE(isDone({.devices = {"A100"}}, rows));
    EXPECT_FALSE(isDone({.devices = {"A100", "H200"}}, rows));
    EXPECT_TRUE(isDone({.documented = true}, {row}));
    EXPECT_FALSE(isDone({.documented = true}, rows)) << "every one";
    EXPECT_FALSE(isDone({.documented = true}, {}));
    HistoryRow untimed = finishedRow("N+2", 5);
    EXPECT_FALSE(isDone({.baselineMinutes = 10}, {untimed})) << "it measured no speedup";
    for (const auto& without : std::vector<std::function<void(HistoryRow&)>>{[](HistoryRow& r) { r.replayed = true; },
                                                                             [](HistoryRow& r) { r.status = SessionStatus::open; },
                                                                             [](HistoryRow& r) { r.kind = "optimize, scripted"; }}) {
        HistoryRow silent = row;
        without(silent);
        EXPECT_FALSE(isDone({.speedup = 1.1}, {silent}));
    }
}

TEST(HistoryJson, HasEachFieldOfARow)
{
    HistoryRow row = finishedRow("N", 60);
    row.date = "2026-01-02";
    row.objective = "objective";
    row.kernel = "transpose";
    row.device = "device";
    row.origin = "origin";
    row.budgetMinutes = 90;
    row.gain = 1.25;
    row.speedup = {{1.5, FigureKind::quoted, "note"}};
    row.gates = {{"G1", "pass", FigureKind::quoted, "source", "Environment"}};
    row.mistakes = {{.id = "a", .count = 3, .before = 2}};
    row.blind = 4;
    row.minutesToBuild = 5;
    row.minutesToBottleneck = 6;
    row.wrongPaths = {{"what", 7}};
    row.grade = {"B", "reason", FigureKind::quoted};
    row.worked = {"worked"};
    row.failed = {"failed"};
    row.insights = {"insight"};
    row.nextTime = {"next"};
    row.patternsApplied = 8;
    row.patternsKnown = 9;
    row.patterns = {"p"};
    row.learned = {"l"};
    row.savedMinutes = {{10, FigureKind::derived, {}}};
    row.savedDollarsQuoted = 11;
    row.noBottleneck = "why";
    const Json json = historyRowToJson(row);
    const std::vector<std::pair<const char*, Json>> expected = {{"id", "id-N"},
                                                                {"name", "N"},
                                                                {"kind", "optimize"},
                                                                {"date", "2026-01-02"},
                                                                {"objective", "objective"},
                                                                {"kernel", "transpose"},
                                                                {"device", "device"},
                                                                {"origin", "origin"},
                                                                {"sample", false},
                                                                {"replayed", false},
                                                                {"status", "complete"},
                                                                {"status_text", "kept"},
                                                                {"budget_minutes", 90},
                                                                {"gain", 1.25},
                                                                {"blind_optimizations", 4},
                                                                {"minutes_to_build", 5},
                                                                {"minutes_to_bottleneck", 6},
                                                                {"minutes_to_bottleneck_why", "why"},
                                                                {"grade", "B"},
                                                                {"grade_reason", "reason"},
                                                                {"grade_how", "quoted"},
                                                                {"worked", {"worked"}},
                                                                {"failed", {"failed"}},
                                                                {"insights", {"insight"}},
                                                                {"next_time", {"next"}},
                                                                {"patterns_applied", 8},
                                                                {"patterns_known", 9},
                                                                {"patterns_planned", false},
                                                                {"patterns", {"p"}},
                                                                {"learned", {"l"}}};
    for (const auto& [key, value] : expected)
        EXPECT_EQ(json[key], value) << key;
    EXPECT_EQ(json["minutes"], Json::array({{{"value", 60}, {"how", "measured"}, {"source", ""}}}));
    EXPECT_EQ(json["speedup"], Json::array({{{"value", 1.5}, {"how", "quoted"}, {"source", "note"}}}));
    EXPECT_EQ(json["saved_minutes"][0]["value"], 10);
    EXPECT_EQ(json["saved_dollars"]["quoted"], 11);
    EXPECT_EQ(json["gates"],
              Json::array({{{"gate", "G1"}, {"result", "pass"}, {"how", "quoted"}, {"source", "source"}, {"title", "Environment"}}}));
    ASSERT_THAT(json["mistakes"], SizeIs(1));
    EXPECT_EQ(json["mistakes"][0]["count"], 3);
    EXPECT_EQ(json["mistakes"][0]["before"], 2);
    EXPECT_EQ(json["wrong_paths"], Json::array({{{"what", "what"}, {"minutes", 7}}}));
    row.status = SessionStatus::endedEarly;
    EXPECT_EQ(historyRowToJson(row)["status"], "ended-early");
    row.status = SessionStatus::open;
    EXPECT_EQ(historyRowToJson(row)["status"], "open");
}

} // namespace
} // namespace kl
