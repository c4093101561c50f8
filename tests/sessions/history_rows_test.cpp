// SPDX-License-Identifier: MIT
// Rows of the history and failing attempts, from traces that are written down here; traces as they are read from the database.
#include "core/base/format.h"
#include "sessions/learning/build_alerts.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/session_trace.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <chrono>
#include <gmock/gmock.h>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TracedEvent happened(const std::string& type, double minutes, std::map<std::string, std::string> words = {})
{
    TracedEvent made;
    made.type = type;
    made.minutes = minutes;
    made.words = std::move(words);
    return made;
}

TracedEvent ranAt(const std::string& type, double minutes, ResultStatus status, CorrectnessResult result, const std::string& classId = {})
{
    TracedEvent made = happened(type, minutes);
    made.run = RunOutcome{status, result, "NVIDIA H200", classId};
    return made;
}

SessionTrace tracedSession(std::vector<TracedEvent> events)
{
    SessionTrace trace;
    trace.header = {{"s"}, "N+6", "optimize", "make it fast", "transpose", Source::live, "2026-01-02T03:04:05.000Z", {}};
    trace.events = std::move(events);
    trace.minutes = 50;
    trace.budgetMinutes = 240;
    trace.gateTitles = {{"G1", "Environment"}};
    return trace;
}

/// H200s cost $6 per hour, an engineer 30.
HistoryInput makeInput(std::vector<PatternApplication> applications = {})
{
    HistoryInput input;
    input.applications = std::move(applications);
    input.prices = {{"NVIDIA H200", 6, "2026-01", "own", "bill"}};
    return input;
}

TracedEvent finishedAt(double minutes, const std::string& outcome)
{
    TracedEvent finished =
        happened("finished", minutes,
                 {{"outcome", outcome}, {"gates.G1", "pass"}, {"gates.G9", "waived"}, {"patterns.0", "p"}, {"patterns.1", "p"}});
    finished.numbers = {{"speedup", 1.5}, {"ratio", 2.5}, {"minutes", 40}, {"measured_minutes.baseline", 12}};
    return finished;
}

TEST(HistoryRows, AFinishedSessionHasWhatItsLastEventSays)
{
    const HistoryRow row =
        historyRow(tracedSession({happened("opened", 0, {{"device", "NVIDIA H200"}}), finishedAt(50, "kept")}), makeInput());
    EXPECT_EQ(row.id, "s");
    EXPECT_EQ(row.name, "N+6");
    EXPECT_EQ(row.kind, "optimize");
    EXPECT_EQ(row.device, "NVIDIA H200");
    EXPECT_EQ(row.date, "2026-01-02T03:04:05.000Z");
    EXPECT_EQ(row.objective, "make it fast");
    EXPECT_EQ(row.kernel, "transpose");
    EXPECT_NE(row.origin, "");
    EXPECT_EQ(row.budgetMinutes, 240);
    EXPECT_EQ(row.status, SessionStatus::complete);
    EXPECT_EQ(row.statusText, "kept");
    EXPECT_EQ(row.gain, 2.5);
    EXPECT_EQ(row.speedup, (std::vector<Figure>{{1.5, FigureKind::measured, {}}}));
    EXPECT_EQ(row.minutes, (std::vector<Figure>{{40, FigureKind::measured, {}}}));
    EXPECT_EQ(row.gates, (std::vector<GateOutcome>{{"G1", "pass", FigureKind::measured, {}, "Environment"},
                                                   {"G9", "waived", FigureKind::measured, {}, ""}}));
    EXPECT_THAT(row.patterns, ElementsAre("p"));
    EXPECT_EQ(row.patternsApplied, 1);
    EXPECT_DOUBLE_EQ(row.money.gpu.at(0).value, 4) << "40 minutes, not 50";
    EXPECT_EQ(row.money.engineer, 20);
    EXPECT_FALSE(row.documented || row.replayed || row.sample);
}

TEST(HistoryRows, OutcomesDecideTheStatusAndTheGain)
{
    for (const auto& [outcome, status, text] :
         {std::tuple{"reverted", SessionStatus::complete, "reverted"}, std::tuple{"ended-early", SessionStatus::endedEarly, "ended-early"},
          std::tuple{"abandoned", SessionStatus::endedEarly, "abandoned"}, std::tuple{"", SessionStatus::complete, "complete"}}) {
        const HistoryRow row = historyRow(tracedSession({finishedAt(1, outcome)}), makeInput());
        EXPECT_EQ(row.status, status) << outcome;
        EXPECT_EQ(row.statusText, text) << outcome;
        EXPECT_EQ(nameOutcome(row), text);
        EXPECT_FALSE(row.gain) << outcome;
    }
    const HistoryRow open = historyRow(tracedSession({happened("opened", 0)}), makeInput());
    EXPECT_EQ(open.status, SessionStatus::open);
    EXPECT_EQ(open.statusText, "open");
    ASSERT_THAT(open.minutes, SizeIs(1));
    EXPECT_EQ(open.minutes[0].value, 50);
    EXPECT_EQ(open.minutes[0].kind, FigureKind::measured);
    EXPECT_NE(open.minutes[0].source, "") << "it goes on";
    EXPECT_NE(open.money.why, "");
    EXPECT_TRUE(open.money.engineer) << "its time is known";
    EXPECT_FALSE(open.money.next) << "but no device that a price could be of";
    HistoryRow shipped;
    shipped.sample = true;
    shipped.status = SessionStatus::complete;
    shipped.statusText = "kept";
    const std::string complete = nameOutcome(shipped);
    EXPECT_EQ(nameOutcome(historyRow(tracedSession({finishedAt(1, "")}), makeInput())), complete);
    shipped.status = SessionStatus::endedEarly;
    EXPECT_NE(nameOutcome(shipped), complete);
    EXPECT_NE(nameOutcome(shipped), shipped.statusText) << "a shipped one by its status";
}

TEST(HistoryRows, AReplayAndAScriptCostNoTimeOfPeople)
{
    SessionTrace trace = tracedSession({happened("opened", 0, {{"device", "NVIDIA H200"}}), finishedAt(50, "kept")});
    trace.header.source = Source::sample;
    const HistoryInput saved = makeInput({{"u", "a", "s", "t", 12.0, 60.0, 3.0, false, ""}});
    HistoryRow row = historyRow(trace, saved);
    EXPECT_TRUE(row.replayed);
    const std::string replayed = row.origin;
    EXPECT_THAT(row.money.gpu, IsEmpty());
    EXPECT_FALSE(row.money.engineer);
    EXPECT_NE(row.money.why, "");
    HistoryInput unpriced = saved;
    unpriced.prices.clear();
    EXPECT_EQ(historyRow(trace, unpriced).money.why, row.money.why) << "whatever its device costs";
    EXPECT_EQ(row.savedMinutes.size(), 1U) << "what is quoted, not what was replayed";
    EXPECT_EQ(row.savedMinutes[0].kind, FigureKind::quoted);
    HistoryInput billed = makeInput();
    billed.costs = {{"c", "s", "t", "gpu", 9, ""}};
    EXPECT_EQ(historyRow(trace, billed).money.gpu.at(0).value, 9);
    EXPECT_EQ(historyRow(trace, billed).money.why, "");
    trace.header.source = Source::live;
    EXPECT_NE(historyRow(trace, unpriced).money.why, row.money.why);
    const std::string people = historyRow(trace, makeInput()).origin;
    EXPECT_NE(people, replayed);
    trace.header.kind = "optimize, scripted";
    row = historyRow(trace, makeInput());
    EXPECT_NE(row.origin, people);
    EXPECT_NE(row.origin, replayed);
    EXPECT_DOUBLE_EQ(row.money.gpu.at(0).value, 4) << "its GPU time counts";
    EXPECT_FALSE(row.money.engineer);
}

TEST(HistoryRowTexts, SnapshotOfOriginsAndOutcomes)
{
    std::string text;
    const auto add = [&](const std::string& which, const HistoryRow& row) {
        const std::string minutes = row.minutes.empty() ? "" : row.minutes[0].source;
        text += which + ": " + nameOutcome(row) + " | " + row.origin + " | " + minutes + " | " + row.money.why + '\n';
    };
    SessionTrace trace = tracedSession({happened("opened", 0, {{"device", "NVIDIA H200"}})});
    add("open", historyRow(trace, makeInput()));
    trace = tracedSession({happened("opened", 0, {{"device", "NVIDIA H200"}}), finishedAt(50, "kept")});
    add("finished", historyRow(trace, makeInput()));
    add("without a price", historyRow(trace, {}));
    trace.header.kind = "optimize, scripted";
    add("scripted", historyRow(trace, makeInput()));
    trace.header.source = Source::sample;
    add("replayed", historyRow(trace, makeInput()));
    add("without an outcome", historyRow(tracedSession({finishedAt(1, "")}), makeInput()));
    HistoryRow shipped;
    shipped.sample = true;
    shipped.status = SessionStatus::complete;
    add("shipped", shipped);
    shipped.status = SessionStatus::endedEarly;
    add("shipped, ended early", shipped);
    test::expectSnapshot("texts/history-rows.txt", text);
}

TEST(HistoryRows, SavingsAreThoseOfItsOwnUses)
{
    const HistoryRow row = historyRow(tracedSession({finishedAt(1, "kept"), happened("pattern-applied", 1, {{"slug", "q"}})}),
                                      makeInput({{"1", "a", "s", "t", 12.0, 60.0, 3.0, false, ""},
                                                 {"2", "a", "s", "t", 3.0, {}, 4.0, false, ""},
                                                 {"3", "b", "other", "t", 500.0, 500.0, 500.0, false, ""}}));
    ASSERT_THAT(row.savedMinutes, SizeIs(2));
    EXPECT_EQ(row.savedMinutes[0].value, 15);
    EXPECT_EQ(row.savedMinutes[0].kind, FigureKind::measured);
    EXPECT_EQ(row.savedMinutes[1].value, 60);
    EXPECT_EQ(row.savedMinutes[1].kind, FigureKind::quoted);
    EXPECT_EQ(row.savedDollarsQuoted, 7);
    EXPECT_THAT(row.patterns, ElementsAre("p", "q", "a"));
    EXPECT_EQ(row.patternsApplied, 3);
    EXPECT_FALSE(historyRow(tracedSession({}), makeInput()).savedDollarsQuoted);
}

TEST(HistoryRows, MilestonesAreTheFirstOfTheirKind)
{
    const HistoryRow row =
        historyRow(tracedSession({ranAt("smallest-verified", 5, ResultStatus::compilationFailed, CorrectnessResult::notChecked),
                                  ranAt("smallest-verified", 6, ResultStatus::ok, CorrectnessResult::notChecked),
                                  ranAt("smallest-verified", 7, ResultStatus::ok, CorrectnessResult::incorrect),
                                  ranAt("smallest-verified", 8, ResultStatus::ok, CorrectnessResult::correct, "class of no profile"),
                                  ranAt("baseline-measured", 9, ResultStatus::ok, CorrectnessResult::correct), happened("profiled", 10),
                                  ranAt("profiled", 11, ResultStatus::ok, CorrectnessResult::correct, ""),
                                  ranAt("profiled", 12, ResultStatus::ok, CorrectnessResult::correct, "dram-bound"),
                                  ranAt("profiled", 13, ResultStatus::ok, CorrectnessResult::correct, "dram-bound")}),
                   makeInput());
    EXPECT_EQ(row.minutesToBuild, 8);
    EXPECT_EQ(row.minutesToBottleneck, 12);
    EXPECT_EQ(row.device, "NVIDIA H200") << "of its first run";
}

TEST(HistoryRows, TheNewestAnswersAndItsLessonsAreIts)
{
    HistoryInput input = makeInput();
    Pattern taught;
    taught.slug = "pad";
    taught.learnedIn = "s";
    Pattern other = taught;
    other.slug = "other";
    other.learnedIn = "t";
    input.patterns = {other, taught};
    const auto written = [](const char* question, const char* text) {
        return happened("written", 1, {{"question", question}, {"text", text}});
    };
    const HistoryRow row = historyRow(
        tracedSession({written("worked", "first"), written("worked", "padding"), written("failed", "tiles"), written("root-cause", "rows"),
                       written("next", "vector"), written("expert", "less"), happened("documented", 2)}),
        input);
    EXPECT_THAT(row.worked, ElementsAre("padding"));
    EXPECT_THAT(row.failed, ElementsAre("tiles"));
    EXPECT_THAT(row.insights, ElementsAre("rows"));
    EXPECT_THAT(row.nextTime, ElementsAre("vector"));
    EXPECT_THAT(row.learned, ElementsAre("pad"));
    EXPECT_TRUE(row.documented);
    const auto refused = [](const char* rule) { return happened("refused-attempt", 1, {{"rule", rule}, {"action", "choose-fix"}}); };
    const HistoryRow blind = historyRow(tracedSession({refused("stop-below-half"), refused("profile-before-optimizing")}), makeInput());
    EXPECT_EQ(blind.blind, 2);
    EXPECT_THAT(blind.mistakes, SizeIs(1));
    EXPECT_EQ(row.blind, 0);
}

TEST(HistoryRows, WrongPathsEndWithTheirChange)
{
    const auto chosen = [](double minutes, const char* candidate) { return happened("fix-chosen", minutes, {{"candidate", candidate}}); };
    const std::vector<WrongPath> paths =
        historyRow(
            tracedSession({happened("reverted", 1), chosen(2, "k/a"), chosen(5, "k/b"), happened("reverted", 9), happened("reverted", 20),
                           happened("hypothesis", 21, {{"text", "one"}}), happened("hypothesis", 25, {{"text", "two"}}), chosen(26, "k/c"),
                           happened("iteration-closed", 31), happened("reverted", 40), happened("iteration-closed", 50)}),
            makeInput())
            .wrongPaths;
    EXPECT_EQ(paths, (std::vector<WrongPath>{{"k/b", 4}, {"one", 10}}));
}

TEST(HistoryRows, PhaseTimesAreThoseOfFinishedLiveSessions)
{
    SessionTrace open = tracedSession({});
    SessionTrace replayed = tracedSession({finishedAt(1, "kept")});
    replayed.header.source = Source::sample;
    SessionTrace done = tracedSession({happened("pattern-applied", 1, {{"slug", "p"}, {"phase", "baseline"}}), finishedAt(1, "kept")});
    const std::vector<PhaseTimes> times = phaseTimes({open, replayed, done});
    ASSERT_THAT(times, SizeIs(1));
    EXPECT_EQ(times[0].session, "s");
    EXPECT_EQ(times[0].kind, "optimize");
    EXPECT_EQ(times[0].minutes, (std::map<std::string, double>{{"baseline", 12}}));
    EXPECT_THAT(times[0].applied, ElementsAre(std::pair<std::string, std::string>("p", "baseline")));
}

TEST(HistoryRows, OnlyTheNewestAreReadOldestFirst)
{
    const auto store = support::openStore(":memory:");
    for (int day = 1; day <= 4; ++day) {
        const std::string at = "2026-01-0" + std::to_string(day) + "T00:00:00.000Z";
        const SessionHeader header{{"id" + std::to_string(day)},
                                   "N+" + std::to_string(day),
                                   day == 4 ? "sample" : "optimize",
                                   "o",
                                   "k",
                                   Source::live,
                                   at,
                                   R"({"budget_minutes": 30, "idle_after_minutes": 7, "gates": [{"id": "G1", "title": "Build"}, 5]})"};
        ASSERT_TRUE(store->createSession(header, {1, at, "opened", "{}"}));
    }
    const auto names = [&](std::optional<int> newest) {
        std::vector<std::string> found;
        const auto read = ownTraces(*store, newest);
        for (const SessionTrace& trace : read->traces)
            found.push_back(trace.header.name);
        return found;
    };
    EXPECT_THAT(names({}), ElementsAre("N+1", "N+2", "N+3"));
    EXPECT_THAT(names(3), ElementsAre("N+2", "N+3")) << "the shipped one is among the three";
    EXPECT_TRUE(ownTraces(*store, 3)->more);
    EXPECT_FALSE(ownTraces(*store, 4)->more);
    EXPECT_FALSE(ownTraces(*store)->more);
    const SessionTrace trace = ownTraces(*store)->traces.front();
    EXPECT_EQ(trace.budgetMinutes, 30);
    EXPECT_EQ(trace.idleMinutes, 7);
    EXPECT_EQ(trace.gateTitles, (std::map<std::string, std::string>{{"G1", "Build"}}));
    EXPECT_EQ(parseSessionPlan("no json").idleMinutes, std::nullopt);
    EXPECT_EQ(parseSessionPlan("[1]").budgetMinutes, std::nullopt);
}

TEST(SessionTraces, ReadEachKindOfValueByItsName)
{
    const auto store = support::openStore(":memory:");
    ASSERT_TRUE(store->saveRun(support::profiledRun("r", "naive", "2026-01-01T00:00:00.000Z", 100)));
    Comparison comparison;
    comparison.id = {"c"};
    comparison.ratio = Ratio{2, 1.5, 2.5};
    ASSERT_TRUE(store->saveComparison(comparison));
    const SessionHeader header{{"s"}, "N", "optimize", "o", "k", Source::live, "2026-01-01T00:00:00.000Z", "{}"};
    ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", R"({"host": "gpu7", "a": {"b": [true, 2.5, "x", null]}})"}));
    ASSERT_TRUE(store->appendEvent({"s"}, {2, "2026-01-01T00:10:00.000Z", "profiled", R"({"run": "r"})"}));
    ASSERT_TRUE(store->appendEvent({"s"}, {3, "2026-01-01T00:20:00.000Z", "evaluated", R"({"comparison": "c"})"}));
    ASSERT_TRUE(store->appendEvent({"s"}, {4, "2026-01-01T00:25:00.000Z", "resumed", R"({"run": "gone", "comparison": "c"})"}));
    const Result<SessionTrace> trace = traceSession(*store, header);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_THAT(trace->events, SizeIs(4));
    const TracedEvent& opened = trace->events[0];
    EXPECT_EQ(opened.word("a.b.0"), "true");
    EXPECT_EQ(opened.number("a.b.1"), 2.5);
    EXPECT_EQ(opened.word("a.b.2"), "x");
    EXPECT_EQ(opened.word("a.b.3"), "");
    EXPECT_EQ(opened.number("a.b.2"), std::nullopt);
    EXPECT_EQ(trace->events[1].seq, 2);
    EXPECT_EQ(trace->events[1].minutes, 10);
    EXPECT_EQ(trace->events[1].run->classId, "uncoalesced");
    EXPECT_FALSE(trace->events[3].run);
    EXPECT_EQ(trace->events[3].ratio, comparison.ratio) << "though its run is missing";
    EXPECT_EQ(trace->events[2].ratio, comparison.ratio);
    EXPECT_EQ(trace->minutes, 20) << "the pause before it is not counted";
    EXPECT_EQ(trace->host(), "gpu7");
    EXPECT_EQ(trace->device(), "NVIDIA H200");
    EXPECT_FALSE(trace->finished());
    EXPECT_EQ(trace->last("opened")->seq, 1);
    ASSERT_TRUE(store->appendEvent({"s"}, {5, "2026-01-01T00:30:00.000Z", "evaluated", R"({"comparison": "gone"})"}));
    EXPECT_EQ(traceSession(*store, header).error().code, ErrorCode::notFound);
}

TEST(FailingAttemptsOf, BeginWithTheFirstFailureAndEndWithASuccess)
{
    const auto built = [](double minutes, const char* status, const char* unavailable = "") {
        return happened("build-validated", minutes, {{"status", status}, {"unavailable", unavailable}});
    };
    const TimePoint then = *parseIsoTime("2026-01-01T10:00:00.000Z");
    const auto failing = [&](std::vector<TracedEvent> events, double openMinutes = 0) {
        return findFailingAttempts(tracedSession(std::move(events)), then, then + std::chrono::minutes(static_cast<int>(openMinutes)), 120);
    };
    EXPECT_EQ(failing({built(10, "failed"), built(20, "failed")}), (FailingAttempts{2, 40, false})) << "50 minutes in all";
    EXPECT_EQ(failing({built(10, "failed")}, 120), (FailingAttempts{1, 160, false}));
    EXPECT_EQ(failing({built(10, "failed")}, 121), (FailingAttempts{1, 40, false})) << "a pause";
    EXPECT_EQ(failing({built(10, "failed", "not recorded")}), std::nullopt);
    EXPECT_EQ(failing({built(10, "failed"), built(20, "ok")}), std::nullopt);
    EXPECT_EQ(failing({built(10, "failed"), happened("kept", 20)}), std::nullopt);
    EXPECT_EQ(failing({built(10, "failed"), happened("reverted", 20)}), std::nullopt);
    EXPECT_EQ(failing({built(10, "failed"), built(20, "ok"), built(30, "failed")}), (FailingAttempts{1, 20, false}));
    EXPECT_EQ(failing({happened("history-looked", 5), built(10, "failed")}), (FailingAttempts{1, 40, false}))
        << "a look before it says nothing";
    EXPECT_EQ(failing({built(10, "failed"), happened("history-looked", 15)}), (FailingAttempts{1, 40, true}));
    EXPECT_EQ(failing({built(10, "failed"), happened("ticked", 15, {{"item", "history"}, {"note", ""}})}), (FailingAttempts{1, 40, false}));
    for (const char* check : {"smallest-verified", "start-verified", "minimal-verified", "candidate-verified"}) {
        const TracedEvent wrong = ranAt(check, 20, ResultStatus::ok, CorrectnessResult::incorrect);
        EXPECT_EQ(failing({wrong}), std::nullopt) << check << ": not an edit";
        EXPECT_EQ(failing({happened("edit-begun", 1), wrong}), (FailingAttempts{1, 30, false})) << check;
        EXPECT_EQ(failing({ranAt(check, 20, ResultStatus::compilationFailed, CorrectnessResult::notChecked)}),
                  (FailingAttempts{1, 30, false}))
            << check;
        EXPECT_EQ(failing({happened("edit-begun", 1), ranAt(check, 20, ResultStatus::computationFailed, CorrectnessResult::notChecked)}),
                  (FailingAttempts{1, 30, false}))
            << check;
        EXPECT_EQ(failing({built(10, "failed"), ranAt(check, 20, ResultStatus::ok, CorrectnessResult::correct)}), std::nullopt) << check;
    }
    EXPECT_EQ(failing({happened("edit-begun", 1), ranAt("baseline-measured", 20, ResultStatus::ok, CorrectnessResult::incorrect)}),
              std::nullopt)
        << "no check of the kernel";
}

} // namespace
} // namespace kl
