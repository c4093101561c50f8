// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include "sessions/learning/history_parts.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/session_names.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace kl {
namespace {

using support::openStore;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<HistoryRow>& rows()
{
    static const Result<std::vector<HistoryRow>> loaded = sampleHistory();
    return *loaded;
}

const HistoryRow& row(const std::string& name)
{
    const auto found = std::find_if(rows().begin(), rows().end(), [&](const HistoryRow& r) { return r.name == name; });
    EXPECT_NE(found, rows().end()) << name;
    return *found;
}

std::vector<double> values(const std::vector<Figure>& figures)
{
    std::vector<double> all;
    for (const Figure& figure : figures)
        all.push_back(figure.value);
    return all;
}

TEST(SampleHistory, HasTheSevenSessionsOfTheNotesInOrder)
{
    ASSERT_TRUE(sampleHistory());
    std::vector<std::string> names;
    for (const HistoryRow& r : rows()) {
        names.push_back(r.name);
        EXPECT_TRUE(r.sample);
        EXPECT_NE(r.origin.find("October 2025"), std::string::npos);
    }
    EXPECT_THAT(names, ElementsAre("N", "N+1", "N+2", "N+3", "N+4", "N+5", "Loop 1"));
}

TEST(SampleHistory, MinutesAgainstPlan)
{
    EXPECT_THAT(values(row("N").minutes), ElementsAre(180, 510));
    EXPECT_EQ(row("N").minutes[1].source, "learning-system guide");
    EXPECT_THAT(values(row("N+1").minutes), ElementsAre(60));
    EXPECT_THAT(values(row("N+2").minutes), ElementsAre(110));
    EXPECT_EQ(row("N+2").budgetMinutes, 15);
    EXPECT_THAT(values(row("N+3").minutes), ElementsAre(67));
    EXPECT_EQ(row("N+3").budgetMinutes, 25);
    EXPECT_THAT(values(row("N+4").minutes), ElementsAre(30));
    EXPECT_THAT(values(row("N+5").minutes), ElementsAre(130));
    EXPECT_EQ(row("N+5").budgetMinutes, 240);
    EXPECT_THAT(values(row("Loop 1").minutes), ElementsAre(420));
}

TEST(SampleHistory, SpeedupsMeasuredAndPlannedStayApart)
{
    EXPECT_EQ(findShownFigure(row("N").speedup)->value, 0.09);
    EXPECT_FALSE(findShownFigure(row("N+1").speedup)) << "0.12× is doubtful: shown as such, never counted";
    EXPECT_EQ(findDoubtedFigure(row("N+1").speedup)->value, 0.12);
    EXPECT_EQ(findShownFigure(row("N+2").speedup)->value, 0.10);
    EXPECT_TRUE(row("N+3").speedup.empty());
    EXPECT_EQ(findShownFigure(row("N+4").speedup)->value, 0.034);
    EXPECT_EQ(findFirst(row("N+4").speedup, FigureKind::planned), 0.10);
    EXPECT_NEAR(0.0251 / 0.7295, findShownFigure(row("N+4").speedup)->value, 0.0005);
    EXPECT_FALSE(findShownFigure(row("N+5").speedup)) << "N+5 was not measured";
    EXPECT_EQ(findFirst(row("N+5").speedup, FigureKind::planned), 0.20);
    EXPECT_TRUE(row("Loop 1").speedup.empty());
}

TEST(SampleHistory, PatternsAndStatus)
{
    const std::vector<std::tuple<std::string, int, bool, SessionStatus>> facts{
        {"N", 0, false, SessionStatus::complete},   {"N+1", 2, false, SessionStatus::endedEarly},
        {"N+2", 3, false, SessionStatus::complete}, {"N+3", 2, false, SessionStatus::endedEarly},
        {"N+4", 10, true, SessionStatus::complete}, {"N+5", 10, true, SessionStatus::complete}};
    for (const auto& [name, applied, planned, status] : facts) {
        EXPECT_EQ(row(name).patternsApplied, applied) << name;
        EXPECT_EQ(row(name).patternsKnown, 10) << name;
        EXPECT_EQ(row(name).patternsPlanned, planned) << name;
        EXPECT_EQ(row(name).status, status) << name;
    }
    EXPECT_FALSE(row("Loop 1").patternsApplied);
    EXPECT_NE(row("N+5").statusText.find("query_idx % TILE_SIZE_M"), std::string::npos);
}

TEST(SampleHistory, CostsKeepBothNotes)
{
    EXPECT_THAT(values(row("N").money.gpu), ElementsAre(0.60, 2.70));
    EXPECT_EQ(row("N").money.gpu[0].source, "loop log");
    EXPECT_THAT(values(row("N+2").money.gpu), ElementsAre(0.37));
    EXPECT_THAT(values(row("N+2").money.assistant), ElementsAre(1.40));
    EXPECT_THAT(values(row("N+3").money.assistant), ElementsAre(0.85));
    EXPECT_TRUE(row("N+4").money.gpu.empty()) << "not recorded";
    EXPECT_THAT(values(row("Loop 1").money.gpu), ElementsAre(1.36, 1.50));
}

TEST(SampleHistory, DerivedSavingsAreMarked)
{
    EXPECT_EQ(findFirst(row("N+1").savedMinutes, FigureKind::quoted), 120);
    EXPECT_EQ(findFirst(row("N+2").savedMinutes, FigureKind::quoted), 70);
    EXPECT_EQ(findFirst(row("N+3").savedMinutes, FigureKind::quoted), 0);
    EXPECT_FALSE(findFirst(row("N+4").savedMinutes, FigureKind::quoted));
    EXPECT_EQ(findFirst(row("N+4").savedMinutes, FigureKind::derived), 64);
    EXPECT_TRUE(row("N+5").savedMinutes.empty());
    for (const HistoryRow& r : rows())
        for (const GateOutcome& gate : r.gates)
            EXPECT_EQ(gate.kind, FigureKind::derived) << r.name;
}

TEST(SampleHistory, LearnedPatternsExistInTheLibrary)
{
    EXPECT_EQ(row("N").learned.size(), 4U);
    EXPECT_THAT(row("N+1").learned, ElementsAre("preemptible-detection", "bisect-over-archaeology"));
    EXPECT_THAT(row("N+4").learned, ElementsAre("validate-without-exception"));
    EXPECT_THAT(row("N+5").learned, ElementsAre("communication-cadence", "iterative-debugging-loop"));
}

TEST(SampleHistory, TellsWhatTheDocumentsTell)
{
    EXPECT_EQ(row("N").blind, 2);
    EXPECT_EQ(row("N").minutesToBuild, 120);
    EXPECT_FALSE(row("N").minutesToBottleneck);
    EXPECT_FALSE(row("N").noBottleneck.empty());
    EXPECT_EQ(row("N").worked.size(), 5U);
    EXPECT_EQ(row("N").insights.size(), 4U);
    EXPECT_THAT(row("N+1").patterns, ElementsAre("preemptible-detection", "bisect-over-archaeology"));
    EXPECT_THAT(row("N+2").patterns, ElementsAre("baseline-first", "keep-gpu-running", "single-compilation-unit"));
    for (const auto& [name, letter] :
         {std::pair{"N", ""}, std::pair{"N+1", "B+"}, std::pair{"N+2", "A-"}, std::pair{"N+3", "B"}, std::pair{"Loop 1", "A+"}}) {
        EXPECT_EQ(row(name).grade.letter, letter) << name;
        EXPECT_EQ(row(name).grade.kind, *letter ? FigureKind::quoted : FigureKind::measured) << name;
    }
}

TEST(SampleHistory, ItsReturnsFollowFromItsOwnFigures)
{
    const auto sample = loadEmbeddedSampleHistory();
    ASSERT_TRUE(sample);
    EXPECT_DOUBLE_EQ(sample->economics.valueSum(), 1700);
    EXPECT_DOUBLE_EQ(sample->economics.investmentSum(), 221.50);
    EXPECT_NEAR(sample->economics.valueSum() / sample->economics.investmentSum(), sample->economics.quotedReturn, 0.05);
    EXPECT_NEAR(sample->goal.reduction, 1 - sample->goal.minutes / sample->goal.beforeMinutes, 0.005);
    const HistoryTotals totals = computeTotals(rows());
    EXPECT_NEAR(*totals.valueQuoted / *totals.sumSpent(), 0.14, 0.005) << "with the engineer's time, by the definition beside it";
    EXPECT_NEAR(*totals.valueQuoted / *totals.sumSpentLow(), 0.19, 0.005);
    EXPECT_EQ(totals.blind, 2);
}

TEST(SampleHistory, ADatabaseOfOnesOwnStartsEmpty)
{
    const auto store = openStore(":memory:");
    const auto own = loadHistory(*store);
    ASSERT_TRUE(own);
    EXPECT_THAT(own->rows, IsEmpty());
    EXPECT_THAT(own->planned, IsEmpty());
    EXPECT_THAT(own->expected, IsEmpty()) << "the documents' trajectory is not one's own";
    EXPECT_THAT(own->notes, IsEmpty());
    EXPECT_FALSE(own->trend || own->goal || own->economics);
    EXPECT_EQ(own->sample.sessions, 0);
    EXPECT_FALSE(own->sample.costLow);
    for (const DashboardRow& figure : own->dashboard)
        EXPECT_EQ(figure.quoted, "") << figure.id;
    EXPECT_EQ(*nextSessionName(*store), "N");
    ASSERT_TRUE(storeSampleSessions(*store));
    const auto sample = loadHistory(*store);
    EXPECT_EQ(sample->rows.size(), 7U);
    EXPECT_EQ(sample->planned.size(), 3U);
    EXPECT_EQ(sample->dashboard.size(), 6U);
    EXPECT_EQ(*nextSessionName(*store), "N+6");
}

TEST(SampleHistory, EachKindsGatesAreRowsOfTheirOwn)
{
    HistoryRow expert;
    expert.gates = {{"G1", "pass", FigureKind::measured, {}, "Build"}, {"G2", "pass", FigureKind::measured, {}, "Correctness"}};
    HistoryRow optimize;
    optimize.gates = {{"G1", "pass", FigureKind::measured, {}, "Environment"}, {"D1", "fail", FigureKind::measured, {}, "Failing case"}};
    EXPECT_THAT(gateTitles({expert, optimize}), ElementsAre("D1 Failing case", "G1 Build", "G1 Environment", "G2 Correctness"));
}

TEST(SampleHistory, AFieldOfTheWrongTypeNamesItself)
{
    const auto bad = parseSampleHistory(R"({"sessions": [{"name": "N", "minutes": [{"value": "long"}]}]})", "h.json");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("sessions[0].minutes[0].value"), std::string::npos);
}

/// A session with its outcome event, as the engine writes it.
void addSession(Store& store, const std::string& id, const std::string& at, Source source, const std::string& finished)
{
    const SessionHeader header{{id}, "N+" + id, "optimize", "o", "transpose", source, at + "T09:00:00.000Z", R"({"budget_minutes": 30})"};
    ASSERT_TRUE(store.createSession(header, {1, at + "T09:00:00.000Z", "opened", "{}"}));
    ASSERT_TRUE(store.appendEvent({id}, {2, at + "T09:20:00.000Z", "pattern-applied", R"({"slug":"baseline-first","phase":"baseline"})"}));
    if (!finished.empty()) {
        ASSERT_TRUE(store.appendEvent({id}, {3, at + "T09:40:00.000Z", "finished", finished}));
    }
}

constexpr const char* kKept = R"({"speedup": 1.5, "minutes": 40, "outcome": "kept", "gates": {"G1": "pass", "G2": "waived"},
    "start": "transpose/naive", "candidate": "transpose/tiled", "ratio": 2.2, "patterns": ["baseline-first"]})";
constexpr const char* kReverted = R"({"speedup": null, "minutes": 30, "outcome": "reverted", "gates": {"G5": "fail"}})";

TEST(History, OfTheSampleShowsTheShippedRows)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(storeSampleSessions(*store));
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_EQ(history->rows.size(), 7U);
    EXPECT_EQ(history->own.sessions, 0);
    EXPECT_FALSE(history->own.bestSpeedup);
    EXPECT_EQ(history->sample.bestSpeedup, 0.10);
    EXPECT_EQ(history->sample.savedQuoted, 190);
    EXPECT_EQ(history->sample.savedDerived, 64);
    EXPECT_FALSE(history->sample.savedMeasured);
    EXPECT_NEAR(*history->sample.costLow, 5.00, 1e-9);
    EXPECT_NEAR(*history->sample.costHigh, 7.24, 1e-9);
    EXPECT_TRUE(history->alerts.empty());
    EXPECT_FALSE(history->learningRate);
    ASSERT_EQ(history->planned.size(), 3U);
    EXPECT_EQ(history->planned[2].name, "N+6");
    EXPECT_EQ(history->mistakes.size(), 7U);
    EXPECT_EQ(history->sample.mistakes, 7);
    EXPECT_EQ(history->sample.repeated, 0);
    EXPECT_FALSE(history->convergence.sessions);
    EXPECT_FALSE(history->gap);
    ASSERT_FALSE(history->notes.empty());
    EXPECT_NE(history->notes[0].find("7.7×"), std::string::npos);
}

/// The table of the October 2025 documents, cell by cell, as it is shown: minutes, speedup, patterns, status, cost, learned, saved.
TEST(SampleHistory, ReproducesTheTableAndItsTotals)
{
    struct Row {
        const char* name;
        std::vector<double> minutes;
        std::vector<double> speedup;
        std::optional<int> patterns;
        SessionStatus status;
        std::vector<double> gpu;
        std::vector<double> assistant;
        std::size_t learned;
        std::vector<double> saved;
    };
    const std::vector<Row> table{{"N", {180, 510}, {0.09}, 0, SessionStatus::complete, {0.60, 2.70}, {}, 4, {0}},
                                 {"N+1", {60}, {0.12}, 2, SessionStatus::endedEarly, {0.20}, {}, 2, {120}},
                                 {"N+2", {110}, {0.10}, 3, SessionStatus::complete, {0.37}, {1.40}, 1, {70}},
                                 {"N+3", {67}, {}, 2, SessionStatus::endedEarly, {0.22}, {0.85}, 1, {0}},
                                 {"N+4", {30}, {0.034, 0.10}, 10, SessionStatus::complete, {}, {}, 1, {64}},
                                 {"N+5", {130}, {0.20}, 10, SessionStatus::complete, {}, {}, 2, {}},
                                 {"Loop 1", {420}, {}, {}, SessionStatus::complete, {1.36, 1.50}, {}, 0, {}}};
    const auto store = openStore(":memory:");
    ASSERT_TRUE(storeSampleSessions(*store));
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    ASSERT_EQ(history->rows.size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Row& want = table[i];
        const HistoryRow& have = history->rows[i];
        EXPECT_EQ(have.name, want.name);
        EXPECT_EQ(values(have.minutes), want.minutes) << want.name;
        EXPECT_EQ(values(have.speedup), want.speedup) << want.name;
        EXPECT_EQ(have.patternsApplied, want.patterns) << want.name;
        EXPECT_EQ(have.status, want.status) << want.name;
        EXPECT_EQ(values(have.money.gpu), want.gpu) << want.name;
        EXPECT_EQ(values(have.money.assistant), want.assistant) << want.name;
        EXPECT_EQ(have.learned.size(), want.learned) << want.name;
        EXPECT_EQ(values(have.savedMinutes), want.saved) << want.name;
        EXPECT_EQ(have.device, "NVIDIA L4");
        EXPECT_EQ(have.grade.kind, have.grade.letter.empty() ? FigureKind::measured : FigureKind::quoted) << want.name;
    }
    const HistoryTotals& totals = history->sample;
    EXPECT_EQ(totals.sessions, 7);
    EXPECT_EQ(totals.complete, 5);
    EXPECT_EQ(totals.minutesLow, 997);
    EXPECT_EQ(totals.minutesHigh, 1327);
    EXPECT_EQ(totals.savedQuoted, 190);
    EXPECT_EQ(totals.savedDerived, 64) << "never added to the quoted minutes";
    EXPECT_FALSE(totals.savedMeasured);
    EXPECT_NEAR(*totals.successRate, 5.0 / 7, 1e-12);
}

TEST(History, TheExpectedTrajectoryIsTheNotes)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(storeSampleSessions(*store));
    const Result<History> history = loadHistory(*store);
    ASSERT_EQ(history->expected.size(), 6U);
    EXPECT_EQ(history->expected.front(), (TrajectoryPoint{"N", 0, 510, 0.09}));
    EXPECT_EQ(history->expected.back(), (TrajectoryPoint{"N+10", 10, 90, 2.0}));
}

TEST(History, ReadsTheOutcomeEvent)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kKept);
    const Result<History> history = loadHistory(*store);
    const HistoryRow& own = history->rows.back();
    EXPECT_EQ(own.status, SessionStatus::complete);
    EXPECT_EQ(own.statusText, "kept");
    EXPECT_THAT(values(own.minutes), ElementsAre(40));
    EXPECT_EQ(findShownFigure(own.speedup)->kind, FigureKind::measured);
    EXPECT_EQ(own.budgetMinutes, 30);
    ASSERT_EQ(own.gates.size(), 2U);
    EXPECT_EQ(own.gates[1].result, "waived");
    EXPECT_THAT(own.patterns, ElementsAre("baseline-first"));
    EXPECT_TRUE(own.money.gpu.empty());
    EXPECT_NE(own.money.why, "") << "unknown is not 0";
    EXPECT_FALSE(own.money.next) << "it names no device that a price could be of";
    EXPECT_EQ(own.money.engineer, 20) << "40 minutes at $30 an hour";
    EXPECT_FALSE(own.sample);
    EXPECT_EQ(history->own.bestSpeedup, 1.5);
    EXPECT_FALSE(history->sample.bestSpeedup) << "the shipped sessions are in the sample database only";
}

TEST(History, ASpeedupThatWasNotMeasuredIsAbsent)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kReverted);
    EXPECT_TRUE(loadHistory(*store)->rows.back().speedup.empty());
}

TEST(History, AnOpenSessionOverItsBudgetRaisesAnAlert)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, "");
    EXPECT_TRUE(loadHistory(*store)->alerts.empty()) << "20 of 30 minutes";
    ASSERT_TRUE(store->appendEvent({"6"}, {3, "2026-03-01T09:45:00.000Z", "note", "{}"}));
    const Result<History> history = loadHistory(*store);
    ASSERT_EQ(history->alerts.size(), 1U);
    EXPECT_EQ(history->alerts[0].code, "over-budget");
    EXPECT_EQ(history->alerts[0].subject, "session:6");
    EXPECT_EQ(history->rows.back().status, SessionStatus::open);
    EXPECT_EQ(history->own.open, 1);
}

TEST(History, AReplayedSessionIsListedButNotLearnedFrom)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kKept);
    addSession(*store, "7", "2026-03-02", Source::sample, R"({"speedup": 9, "minutes": 0.1, "outcome": "kept"})");
    addSession(*store, "8", "2026-03-03", Source::live, kReverted);
    const Result<History> history = loadHistory(*store);
    EXPECT_EQ(history->own.sessions, 3);
    EXPECT_EQ(history->own.replayed, 1);
    EXPECT_EQ(history->own.bestSpeedup, 1.5);
    ASSERT_EQ(history->learning.size(), 1U);
    EXPECT_EQ(history->learning[0], (LearningStep{"N+8", "N+6", 0.25}));
    EXPECT_EQ(history->learningRate, 0.25);
}

TEST(History, AScriptedSessionIsListedButNotLearnedFrom)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kKept);
    addSession(*store, "7", "2026-03-02", Source::live, kKept);
    addSession(*store, "8", "2026-03-03", Source::live, kReverted);
    ASSERT_TRUE(store->setTag("session:7", kScriptedTag, true));
    ASSERT_TRUE(store->savePattern({"a", "", "A", "operational"}));
    ASSERT_TRUE(store->saveApplication({"u", "a", "7", "t", 12.0, 60.0, {}, false, ""}));
    const Result<History> history = loadHistory(*store);
    ASSERT_EQ(history->rows.size(), 3U);
    const HistoryRow& scripted = history->rows[1];
    EXPECT_TRUE(isScriptedKind(scripted.kind));
    EXPECT_EQ(findShownFigure(scripted.speedup)->value, 1.5) << "what it measured counts";
    EXPECT_FALSE(scripted.money.engineer);
    ASSERT_EQ(history->learning.size(), 1U);
    EXPECT_EQ(history->learning[0], (LearningStep{"N+8", "N+6", 0.25}));
    EXPECT_EQ(history->own.savedMeasured, 12);
    EXPECT_FALSE(history->own.savedQuoted || history->own.valueMeasured);
}

std::string dashboardText(const History& history, const std::string& id)
{
    const auto found = std::ranges::find(history.dashboard, id, &DashboardRow::id);
    return found == history.dashboard.end() ? "no row" : found->own;
}

TEST(History, TheDashboardHasWhatScriptedSessionsMeasured)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kKept);
    addSession(*store, "7", "2026-03-02", Source::live, kReverted);
    for (const char* subject : {"session:6", "session:7"})
        ASSERT_TRUE(store->setTag(subject, kScriptedTag, true));
    ASSERT_TRUE(store->savePattern({"a", "", "A", "operational"}));
    ASSERT_TRUE(store->saveApplication({"u", "a", "6", "t", 10.0, 60.0, {}, false, ""}));
    ASSERT_TRUE(store->saveCost({"c", "6", "t", "gpu", 3.5, ""}));
    ASSERT_TRUE(store->saveCost({"d", "7", "t", "gpu", 3.5, ""}));
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history);
    const ScriptedTotals script = computeScriptedTotals(history->rows);
    EXPECT_EQ(script.kept, 1);
    EXPECT_EQ(script.minutes, 70);
    EXPECT_EQ(script.saved, 10);
    EXPECT_NEAR(script.computeSavedShare().value_or(0), 0.125, 1e-12) << "10 of 80 minutes";
    EXPECT_NEAR(script.computeSavedCost().value_or(0), 1, 1e-12) << "10 minutes where 70 cost $7";
    for (const auto& [id, figure] : {std::pair{"time-saved", "12"}, {"cost-saved", "$1.00"}, {"average-gain", "×"}, {"return", "0.14×"}})
        EXPECT_THAT(dashboardText(*history, id), ::testing::HasSubstr(figure)) << id;
    EXPECT_FALSE(history->learningRate || history->own.valueMeasured) << "nothing about people";
}

TEST(History, SavingsComeFromApplicationsEachKindApart)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "2026-03-01", Source::live, kKept);
    addSession(*store, "7", "2026-03-02", Source::sample, kKept);
    ASSERT_TRUE(store->savePattern({"a", "", "A", "operational"}));
    ASSERT_TRUE(store->saveApplication({"u1", "a", "6", "t", 12.0, 60.0, {}, false, ""}));
    ASSERT_TRUE(store->saveApplication({"u2", "a", "7", "t", 500.0, {}, {}, false, ""}));
    const Result<History> history = loadHistory(*store);
    EXPECT_EQ(history->own.savedMeasured, 12);
    EXPECT_EQ(history->own.savedQuoted, 60);
    ASSERT_EQ(history->patterns.size(), 1U);
    EXPECT_EQ(history->patterns[0].applications, 2);
    EXPECT_EQ(history->patterns[0].measuredMinutes, 12) << "the replayed minutes do not count";
    EXPECT_EQ(history->patterns[0].measuredValue, 6) << "12 minutes at $30 an hour";
    EXPECT_EQ(history->own.valueMeasured, 6);
    EXPECT_EQ(history->own.valueQuoted, 30) << "the quoted hour has its own total";
}

TEST(History, SampleSessionsInTheStoreAreNotListedTwice)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(
        store->createSession({{"x"}, "N", "sample", "o", "attention", Source::sample, "2025-10-12", "{}"}, {1, "t", "opened", "{}"}));
    EXPECT_EQ(loadHistory(*store)->rows.size(), 7U);
}

TEST(WorkingMinutes, LeaveLongPausesOut)
{
    const std::vector<SessionEvent> events{{1, "2026-02-28T23:50:00.000Z", "opened", "{}"},
                                           {2, "2026-03-01T00:00:30.000Z", "note", "{}"},
                                           {3, "2026-03-01T09:00:00.000Z", "note", "{}"},
                                           {4, "not a time", "note", "{}"},
                                           {5, "2026-03-01T09:01:30.000Z", "note", "{}"}};
    EXPECT_THAT(computeWorkingMinutes(events, 120), ElementsAre(0, 10.5, 10.5, 10.5, 12));
    EXPECT_THAT(computeWorkingMinutes({}, 120), IsEmpty());
}

} // namespace
} // namespace kl
