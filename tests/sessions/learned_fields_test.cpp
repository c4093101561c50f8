// SPDX-License-Identifier: MIT
// Each field of what is learned from: the shipped history's file and its stored sessions, the cases of a database, the words of a tree.
#include "core/codec/json_read.h"
#include "sessions/learning/alerts.h"
#include "sessions/learning/figure_fields.h"
#include "sessions/learning/history_json.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/own_cases.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/events.h"
#include "tests/sessions/engine_support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kEveryField = R"({"origin": "notes", "kernel": "attention", "device": "L4",
  "mistakes": [{"id": "a", "text": "text", "cost": "cost", "prevention": "gate"}],
  "sessions": [{"name": "N", "date": "2025-10-12", "until": "2025-10-13", "date_source": "log", "objective": "objective",
    "minutes": [{"value": 90, "how": "quoted", "source": "guide"}], "budget_minutes": 60,
    "speedup": [{"value": 0.5, "how": "doubtful"}, {"value": 0.25, "how": "measured"}],
    "gates": [{"gate": "G1", "result": "pass", "how": "derived", "source": "log", "title": "Build"}],
    "patterns_applied": 3, "patterns_known": 10, "patterns_planned": true, "status": "ended-early", "status_text": "stopped",
    "gpu_cost": [{"value": 1, "how": "quoted"}], "assistant_cost": [{"value": 2, "how": "quoted"}], "learned": ["l"],
    "saved_minutes": [{"value": 7, "how": "derived"}], "patterns": ["p"], "blind": 2, "minutes_to_build": 120, "no_bottleneck": "none",
    "worked": ["w"], "failed": ["f"], "insights": ["i"], "next": ["x"], "graded": {"letter": "B", "reason": "r"}, "mistakes": ["a"]}],
  "planned": [{"name": "N+6", "objective": "o", "minutes_low": 30, "minutes_high": 60, "speedup": 1.5, "patterns": "10 of 10",
    "source": "plan", "became": "a session"}],
  "notes": ["note"], "trend": {"low": 0.1, "high": 0.2, "text": "t", "source": "s"},
  "goal": {"session": "N+10", "minutes": 90, "before": "N", "before_minutes": 510, "reduction": 0.8, "source": "g"},
  "economics": {"session": "N+9", "source": "e", "value": [{"what": "v", "dollars": 3}, {"what": "u", "dollars": 4}],
    "investment": [{"what": "c", "dollars": 5}], "quoted_return": 6},
  "dashboard": [{"id": "d", "title": "D", "text": "quoted", "source": "b"}]})";

TEST(SampleFields, EachIsReadToItsOwnPlace)
{
    const Result<SampleHistory> read = parseSampleHistory(kEveryField, "file");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_THAT(read->rows, SizeIs(1));
    const HistoryRow& row = read->rows[0];
    EXPECT_EQ(row.date + ' ' + row.until + ' ' + row.dateSource, "2025-10-12 2025-10-13 log");
    EXPECT_EQ(row.objective, "objective");
    EXPECT_EQ(row.minutes, (std::vector<Figure>{{90, FigureKind::quoted, "guide"}}));
    EXPECT_EQ(row.budgetMinutes, 60);
    EXPECT_EQ(row.speedup, (std::vector<Figure>{{0.5, FigureKind::doubtful, {}}, {0.25, FigureKind::measured, {}}}));
    EXPECT_EQ(row.gates, (std::vector<GateOutcome>{{"G1", "pass", FigureKind::derived, "log", "Build"}}));
    EXPECT_EQ(row.patternsApplied, 3);
    EXPECT_EQ(row.patternsKnown, 10);
    EXPECT_TRUE(row.patternsPlanned);
    EXPECT_EQ(row.status, SessionStatus::endedEarly);
    EXPECT_EQ(row.statusText, "stopped");
    EXPECT_EQ(row.money.gpu.at(0).value, 1);
    EXPECT_EQ(row.money.assistant.at(0).value, 2);
    EXPECT_DOUBLE_EQ(row.money.engineer.value_or(0), 1.5 * kEngineerRate);
    EXPECT_EQ(row.savedMinutes, (std::vector<Figure>{{7, FigureKind::derived, {}}}));
    EXPECT_EQ(row.blind, 2);
    EXPECT_EQ(row.minutesToBuild, 120);
    EXPECT_EQ(row.noBottleneck, "none");
    for (const auto& [list, text] : {std::pair{&row.learned, "l"}, std::pair{&row.patterns, "p"}, std::pair{&row.worked, "w"},
                                     std::pair{&row.failed, "f"}, std::pair{&row.insights, "i"}, std::pair{&row.nextTime, "x"}})
        EXPECT_THAT(*list, ElementsAre(text));
    EXPECT_EQ(row.grade, (Grade{"B", "r", FigureKind::quoted}));
    ASSERT_THAT(row.mistakes, SizeIs(1));
    EXPECT_EQ(row.mistakes[0].how, "text");
    EXPECT_EQ(read->mistakes.at(0).cost + ' ' + read->mistakes.at(0).prevention, "cost gate");
    const PlannedSession& plan = read->planned.at(0);
    EXPECT_EQ(plan.name + plan.objective + plan.patterns + plan.source + plan.became, "N+6o10 of 10plana session");
    EXPECT_EQ(plan.minutesLow, 30);
    EXPECT_EQ(plan.minutesHigh, 60);
    EXPECT_EQ(plan.speedup, 1.5);
    EXPECT_THAT(read->notes, ElementsAre("note"));
    EXPECT_EQ(read->trend.low, 0.1);
    EXPECT_EQ(read->trend.high, 0.2);
    EXPECT_EQ(read->trend.text + read->trend.source, "ts");
    EXPECT_EQ(read->goal.session + read->goal.before + read->goal.source, "N+10Ng");
    EXPECT_EQ(read->goal.minutes, 90);
    EXPECT_EQ(read->goal.beforeMinutes, 510);
    EXPECT_EQ(read->goal.reduction, 0.8);
    EXPECT_EQ(read->economics.session + read->economics.source + read->economics.value.at(1).what, "N+9eu");
    EXPECT_EQ(read->economics.valueSum(), 7);
    EXPECT_EQ(read->economics.investmentSum(), 5);
    EXPECT_EQ(read->economics.quotedReturn, 6);
    const DashboardRow& figure = read->dashboard.at(0);
    EXPECT_EQ(figure.id + figure.title + figure.quoted + figure.source + figure.own, "dDquotedb");
}

TEST(SampleFields, TheStoredSessionsHaveTheirFiguresAndDays)
{
    const auto store = support::openStore(":memory:");
    ASSERT_TRUE(storeSampleSessions(*store));
    const auto sessions = store->sessions();
    ASSERT_TRUE(sessions);
    ASSERT_THAT(*sessions, SizeIs(7));
    const auto findEvent = [&](const std::string& name, std::size_t i) {
        const auto header = std::ranges::find(*sessions, name, &SessionHeader::name);
        return store->events(header->id)->at(i);
    };
    const auto finished = [&](const std::string& name) { return *parseJson(findEvent(name, 1).dataJson, name); };
    const auto first = std::ranges::find(*sessions, "N", &SessionHeader::name);
    EXPECT_EQ(first->createdAt, "2025-10-12T00:00:00.000Z");
    EXPECT_EQ(first->kernel, "attention");
    EXPECT_EQ(first->source, Source::sample);
    EXPECT_EQ(findEvent("N", 1).at, "2025-10-13T00:00:00.000Z") << "its last day";
    EXPECT_EQ(findEvent("N+1", 1).at, "2025-10-12T00:00:00.000Z");
    EXPECT_EQ(finished("N")["speedup"], 0.09);
    EXPECT_EQ(finished("N")["minutes"], 180);
    EXPECT_EQ(finished("N")["outcome"], "complete");
    EXPECT_EQ(finished("N+1")["outcome"], "ended-early");
    EXPECT_EQ(finished("N+1")["speedup"], nullptr) << "a doubtful one is none";
    const auto rows = sampleHistory();
    ASSERT_TRUE(rows);
    std::size_t gates = 0;
    const Json file = *parseJson(support::readBytes(KL_SOURCE_DIR "/resources/sample-history.json"), "sample-history.json");
    for (const HistoryRow& row : *rows) {
        const auto header = std::ranges::find(*sessions, row.name, &SessionHeader::name);
        const auto reported = std::ranges::find_if(file["sessions"], [&](const Json& one) { return one["name"] == row.name; });
        ASSERT_NE(reported, file["sessions"].end()) << row.name;
        EXPECT_EQ(header->objective, (*reported)["objective"].get<std::string>()) << row.name;
        EXPECT_EQ(finished(row.name)["gates"].size(), row.gates.size());
        for (const GateOutcome& gate : row.gates)
            EXPECT_EQ(finished(row.name)["gates"][gate.gate], gate.result);
        gates += row.gates.size();
    }
    EXPECT_GT(gates, 0U);
    EXPECT_EQ((*parseJson(findEvent("N+1", 0).dataJson, "opened"))["status"], rows->at(1).statusText);
}

/// Uncoalesced below 60 % of DRAM's peak, with the estimate of its excess traffic; bank conflicts below 90 %; else balanced.
constexpr const char* kTwoFindings = R"({"schema": 1, "nodes": [
  {"id": "access", "title": "A", "class": "uncoalesced", "help": "h", "finding": "F.", "priority": 0, "confidence": 0.9,
   "estimate": "roof", "any": [{"all": [["dram_percent", "<", 60]]}],
   "fixes": [{"id": "coalesce", "title": "C", "why": "w", "confidence": 0.6}, {"id": "shared", "title": "S", "why": "w", "confidence": 0.2}]},
  {"id": "banks", "title": "B", "class": "bank-conflicts", "help": "h", "finding": "G.", "priority": 0, "confidence": 0.9,
   "any": [{"all": [["dram_percent", "<", 90]]}],
   "fixes": [{"id": "pad", "title": "P", "why": "w", "confidence": 0.8}, {"id": "shared", "title": "S", "why": "w", "confidence": 0.3}]},
  {"id": "rest", "title": "R", "class": "balanced", "help": "h", "finding": "N.", "priority": 3, "confidence": 0.5,
   "any": [{"all": []}], "fixes": []}]})";

class TrustOfATree : public testing::Test {
protected:
    /// A run that moves so many times its ideal bytes.
    FixState stateAt(double times) const
    {
        RunRecord run = support::timedRun("1", "naive", "2026-03-01T09:00:00.000Z", 100'000);
        run.idealBytes = 1e6;
        run.metrics.emplace();
        run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50.0},
                               {"dram__bytes_read.sum", times * 5e5},
                               {"dram__bytes_write.sum", times * 5e5}};
        return computeState(run, *tree);
    }
    Result<DiagnosisTree> tree = DiagnosisTree::parse(kTwoFindings, "two findings");
};

TEST_F(TrustOfATree, ASecondFindingCountsHalfAndPromisesNoMoreThanTheFirst)
{
    ASSERT_TRUE(tree) << tree.error().message;
    FixState state = stateAt(4.0 / 3);
    EXPECT_EQ(state.classId, "uncoalesced");
    EXPECT_NEAR(state.estimate.value_or(0), 0.25, 1e-9);
    EXPECT_DOUBLE_EQ(state.trust.at("coalesce").confidence, 0.6);
    EXPECT_EQ(state.trust.at("coalesce").estimate, state.estimate);
    EXPECT_DOUBLE_EQ(state.trust.at("pad").confidence, 0.4);
    EXPECT_EQ(state.trust.at("pad").estimate, state.estimate) << "no more than what limits the kernel";
    EXPECT_DOUBLE_EQ(state.trust.at("shared").confidence, 0.2) << "0.15 of the second one";
    state = stateAt(1.12);
    EXPECT_LT(state.estimate.value_or(1), 1 - 1 / kFixPays);
    EXPECT_EQ(state.trust.at("pad").estimate, std::nullopt) << "where the first promises nothing, the second counts";
    EXPECT_DOUBLE_EQ(state.trust.at("shared").confidence, 0.15) << "it promises more";
    const auto features = caseFeatures();
    ASSERT_EQ(state.features.size(), features.size());
    EXPECT_NEAR(*state.features[static_cast<std::size_t>(std::ranges::find(features, "dram_percent") - features.begin())], std::log(51.0),
                1e-12);
}

class CasesOfADatabase : public EngineTest {
protected:
    RunRecord runAt(const std::string& id, const std::string& kernel, const std::string& at, double us)
    {
        RunRecord run = support::timedRun(id, "naive", at, us * 1e3);
        run.kernel = unwrap(parseAddress(kernel));
        return run;
    }
    RunRecord profileAt(const std::string& id, const std::string& kernel, const std::string& at, double us)
    {
        RunRecord run = runAt(id, kernel, at, us);
        run.metrics.emplace();
        run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 10.0}};
        run.diagnosis = tree.diagnose(run, {});
        return run;
    }
    std::vector<FixState> own() { return unwrap(ownStates(*store, catalog, tree)); }
};

TEST_F(CasesOfADatabase, TheNewestProfileAndTheNewestTimeOfEachPointCount)
{
    ASSERT_TRUE(store->saveRun(profileAt("1", "transpose/naive", "2026-01-01T00:00:00.000Z", 800)));
    ASSERT_TRUE(store->saveRun(profileAt("2", "transpose/naive", "2026-01-02T00:00:00.000Z", 400)));
    ASSERT_TRUE(store->saveRun(runAt("3", "transpose/naive", "2026-01-03T00:00:00.000Z", 100)));
    ASSERT_TRUE(store->saveRun(runAt("4", "transpose/tiled", "2026-01-01T00:00:00.000Z", 50)));
    ASSERT_TRUE(store->saveRun(runAt("5", "transpose/tiled", "2026-01-02T00:00:00.000Z", 100)));
    RunRecord failed = runAt("6", "transpose/tiled", "2026-01-04T00:00:00.000Z", 1);
    failed.status = ResultStatus::validationFailed;
    ASSERT_TRUE(store->saveRun(failed));
    const std::vector<FixState> states = own();
    ASSERT_THAT(states, SizeIs(1));
    ASSERT_THAT(states[0].outcomes, SizeIs(1));
    EXPECT_NEAR(states[0].outcomes[0].gain, std::log(4.0), 1e-12) << "400 of the newest profile by 100 of the newest run";
}

TEST_F(CasesOfADatabase, SessionsOfScriptsRecordingsAndTheSampleTeachNothing)
{
    ASSERT_TRUE(store->saveRun(profileAt("1", "transpose/naive", "2026-01-01T00:00:00.000Z", 800)));
    Comparison comparison;
    comparison.id = {"c"};
    comparison.ratio = Ratio{2, 2, 2};
    ASSERT_TRUE(store->saveComparison(comparison));
    const auto session = [&](const std::string& id, const std::string& kind, Source source) {
        const SessionHeader header{{id}, "N " + id, kind, "", "transpose", source, "2026-01-02T00:00:00.000Z", "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "t", event::kOpened, "{}"}));
        ASSERT_TRUE(store->appendEvent({id}, {2, "t", event::kProfiled, R"({"run": "1"})"}));
        ASSERT_TRUE(store->appendEvent({id}, {3, "t", event::kFixChosen, R"({"candidate": "transpose/tiled"})"}));
        ASSERT_TRUE(store->appendEvent({id}, {4, "t", event::kEvaluated, R"({"comparison": "c"})"}));
    };
    session("scripted", "optimize", Source::live);
    ASSERT_TRUE(store->setTag("session:scripted", kScriptedTag, true));
    session("recorded", "optimize", Source::sample);
    session("shipped", "sample", Source::live);
    EXPECT_THAT(own(), IsEmpty());
    session("own", "optimize", Source::live);
    const std::vector<FixState> states = own();
    ASSERT_THAT(states, SizeIs(1));
    EXPECT_EQ(states[0].outcomes.at(0).to, "transpose/tiled");
    EXPECT_NEAR(states[0].outcomes.at(0).gain, std::log(2.0), 1e-12);
}

TEST_F(CasesOfADatabase, WhatIsReplayedIsWeighedByTheShippedModelAlone)
{
    for (int i = 0; i < 3; ++i) {
        const std::string problem = "M=64,N=" + std::to_string(64 + i);
        for (RunRecord run : {profileAt("p" + std::to_string(i), "transpose/naive", "2026-01-01T00:00:00.000Z", 800),
                              runAt("r" + std::to_string(i), "transpose/tiled", "2026-01-02T00:00:00.000Z", 50)}) {
            run.problem = unwrap(parseParams(problem));
            ASSERT_TRUE(store->saveRun(run));
        }
    }
    const DiagnosisTree embedded = unwrap(DiagnosisTree::loadEmbedded());
    TrainedRecommender recommender(*store, catalog, embedded);
    const auto confidence = [&](Source source) {
        RunRecord run = profileAt("x", "transpose/naive", "2026-01-03T00:00:00.000Z", 800);
        run.source = source;
        run.diagnosis->finding.fixes = {{"f", "F", {}, 0.5, "transpose/tiled", {}}};
        run.diagnosis->finding.fixes[0].kind = "stage-in-shared-memory";
        EXPECT_FALSE(recommender.weigh(run));
        return run.diagnosis->finding.fixes[0];
    };
    const Fix replayed = confidence(Source::sample), measured = confidence(Source::live);
    const RunRecord run = profileAt("x", "transpose/naive", "2026-01-03T00:00:00.000Z", 800);
    const FixState state = computeState(run, embedded);
    const FixChance shipped = unwrap(loadShippedModel())->estimateChance(state, "stage-in-shared-memory");
    const FixChance trained = unwrap(trainModel(*store, catalog, embedded))->estimateChance(state, "stage-in-shared-memory");
    EXPECT_DOUBLE_EQ(replayed.confidence, shipped.chance);
    EXPECT_EQ(replayed.gain, shipped.reduction());
    EXPECT_DOUBLE_EQ(measured.confidence, trained.chance);
    EXPECT_EQ(measured.cases, trained.cases);
    EXPECT_EQ(measured.gain, trained.reduction());
    EXPECT_NE(trained.gain, shipped.gain);
    EXPECT_DOUBLE_EQ(confidence(Source::import).confidence, shipped.chance) << "of a report";
}

TEST_F(CasesOfADatabase, FixesOfSecondFindingsAreWeighedTooAndThoseOfNoKindKeepTheirPlace)
{
    const RunRecord run = profileAt("1", "transpose/naive", "2026-01-01T00:00:00.000Z", 800);
    const auto makeFix = [](const char* id, const char* kind, const char* variant = "") {
        Fix fix{id, id, {}, 0.5, variant, {}};
        fix.kind = kind;
        return fix;
    };
    Diagnosis diagnosis = *run.diagnosis;
    Finding second;
    second.fixes = {makeFix("note", ""), makeFix("coalesce", "coalesce-accesses"), makeFix("ready", "vector-loads", "transpose/vector")};
    diagnosis.secondary = {second};
    const FixModel model = FixModel::makeTrained({});
    weigh(diagnosis, run, tree, model);
    const std::vector<Fix>& fixes = diagnosis.secondary[0].fixes;
    EXPECT_EQ(fixes[0].id, "note") << "before the changes, as the tree has it";
    EXPECT_EQ(fixes[0].confidence, 0.5);
    EXPECT_FALSE(fixes[0].gain);
    EXPECT_EQ(fixes[1].id, "ready") << "what a variant has comes before an edit";
    EXPECT_EQ(fixes[2].confidence, model.estimateChance(computeState(run, tree), "coalesce-accesses").chance);
    EXPECT_TRUE(fixes[1].gain && fixes[2].gain);
}

TEST_F(CasesOfADatabase, AlertsOfASessionAreItsOwn)
{
    const auto session = [&](const std::string& id, const std::string& kind) {
        const SessionHeader header{
            {id}, "N " + id, kind, "", "transpose", Source::live, "2026-01-02T00:00:00.000Z", R"({"budget_minutes": 10})"};
        ASSERT_TRUE(store->createSession(header, {1, "2026-01-02T09:00:00.000Z", event::kOpened, "{}"}));
        ASSERT_TRUE(store->appendEvent({id}, {2, "2026-01-02T09:30:00.000Z", event::kNote, "{}"}));
    };
    session("a", "optimize");
    session("b", "optimize");
    session("c", "sample");
    const std::vector<Alert> alerts = unwrap(sessionAlerts(*store, {"a"}));
    ASSERT_THAT(alerts, SizeIs(1));
    EXPECT_EQ(alerts[0].code, "over-budget");
    EXPECT_EQ(alerts[0].subject, "session:a");
    EXPECT_EQ(alerts[0].next->at(StepArgument::session), "a");
    EXPECT_THAT(unwrap(sessionAlerts(*store, {"c"})), IsEmpty());
    ASSERT_TRUE(store->appendEvent({"a"}, {3, "2026-01-02T09:31:00.000Z", event::kBuildValidated, R"({"status": "failed"})"}));
    ASSERT_TRUE(store->appendEvent({"a"}, {4, "2026-01-02T10:31:00.000Z", event::kBuildValidated, R"({"status": "failed"})"}));
    std::vector<std::string> codes;
    for (const Alert& alert : unwrap(sessionAlerts(*store, {"a"})))
        codes.push_back(alert.code);
    EXPECT_THAT(codes, ElementsAre("over-budget", "build-time-out", "build-history"));
    EXPECT_THAT(unwrap(sessionAlerts(*store, {"b"})), SizeIs(1));
}

TEST(HistoryFields, OfMistakesAndTotalsAreInTheJson)
{
    HistoryRow row;
    row.mistakes = {{"a", 3, 2, 1, "how"}};
    row.patternsPlanned = row.replayed = row.sample = true;
    Json json = historyRowToJson(row);
    EXPECT_EQ(json["mistakes"], (Json{{{"id", "a"}, {"count", 3}, {"caught", 2}, {"before", 1}, {"how", "how"}}}));
    for (const char* key : {"patterns_planned", "replayed", "sample"})
        EXPECT_EQ(json[key], true) << key;
    EXPECT_EQ(json["grade"], nullptr);
    HistoryTotals totals;
    totals.sessions = 1;
    totals.replayed = 2;
    totals.open = 3;
    totals.complete = 4;
    totals.successRate = 0.5;
    totals.bestSpeedup = 6;
    totals.savedMeasured = 7;
    totals.savedQuoted = 8;
    totals.savedDollarsQuoted = 9;
    totals.valueEntered = 10;
    totals.mistakes = 11;
    totals.blind = 12;
    totals.costHigh = 5;
    totals.valueMeasured = 20;
    json = totalsToJson(totals);
    const std::vector<std::pair<const char*, Json>> expected{{"sessions", 1},
                                                             {"replayed", 2},
                                                             {"open", 3},
                                                             {"complete", 4},
                                                             {"success_rate", 0.5},
                                                             {"best_speedup", 6.0},
                                                             {"blind_optimizations", 12}};
    for (const auto& [key, value] : expected)
        EXPECT_EQ(json[key], value) << key;
    EXPECT_EQ(json["saved_minutes"]["measured"], 7);
    EXPECT_EQ(json["saved_minutes"]["quoted"], 8);
    EXPECT_EQ(json["saved_dollars"]["quoted"], 9);
    EXPECT_EQ(json["value"]["entered"], 10);
    EXPECT_EQ(json["mistakes"]["count"], 11);
    EXPECT_EQ(json["return"]["measured"], 4);
    EXPECT_EQ(json["return_high"]["measured"], nullptr) << "no lowest cost is recorded";
    HistoryRow billed;
    billed.money.gpu = {{3, FigureKind::derived, {}}};
    EXPECT_TRUE(computeTotals({billed}, 60).costDerived);
    billed.money.gpu.insert(billed.money.gpu.begin(), {4, FigureKind::entered, {}});
    EXPECT_FALSE(computeTotals({billed}, 60).costDerived) << "a bill came";
}

TEST(ScriptedSessions, AreAllKnownHoweverManyThereAre)
{
    const auto store = support::openStore(":memory:");
    constexpr int kMany = 205;
    for (int i = 0; i < kMany; ++i) {
        const std::string id = "s" + std::to_string(i);
        const SessionHeader header{{id}, "N+" + id, "optimize", "", "transpose", Source::live, "2026-01-02T00:00:00.000Z", "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "2026-01-02T00:00:00.000Z", event::kOpened, "{}"}));
        ASSERT_TRUE(store->setTag("session:" + id, kScriptedTag, true));
    }
    const SessionHeader person{{"p"}, "N+p", "optimize", "", "transpose", Source::live, "2026-01-03T00:00:00.000Z", "{}"};
    ASSERT_TRUE(store->createSession(person, {1, "2026-01-03T00:00:00.000Z", event::kOpened, "{}"}));
    ASSERT_TRUE(store->setTag("session:s7", kScriptedTag, false));
    const Result<std::set<std::string>> scripted = listScriptedSessions(*store);
    ASSERT_TRUE(scripted) << scripted.error().message;
    EXPECT_THAT(*scripted, SizeIs(kMany - 1));
    EXPECT_TRUE(scripted->contains("s0")) << "the oldest";
    EXPECT_FALSE(scripted->contains("s7")) << "its mark was taken away";
    EXPECT_FALSE(scripted->contains("p"));
}

TEST(ScriptedSessions, HaveAKindOfTheirOwn)
{
    EXPECT_TRUE(isScriptedKind(nameScriptedKind("optimize")));
    EXPECT_TRUE(nameScriptedKind("optimize").starts_with("optimize"));
    EXPECT_FALSE(isScriptedKind("optimize"));
    EXPECT_FALSE(isScriptedKind(nameScriptedKind("optimize") + "x"));
}

TEST(ScriptedTotalsOf, AShareAndACostNeedTheirFigures)
{
    HistoryRow row;
    row.kind = nameScriptedKind("optimize");
    row.status = SessionStatus::complete;
    row.gain = 4;
    HistoryRow other = row;
    other.gain = 1;
    HistoryRow lost = row;
    lost.gain = 0;
    const ScriptedTotals bare = computeScriptedTotals({row, other, lost});
    EXPECT_EQ(bare.kept, 2);
    EXPECT_NEAR(bare.gain.value_or(0), 2, 1e-12) << "the geometric mean";
    EXPECT_FALSE(bare.computeSavedShare() || bare.computeSavedCost() || bare.cost);
    row.minutes = {{30, FigureKind::measured, ""}};
    row.savedMinutes = {{10, FigureKind::measured, ""}, {99, FigureKind::quoted, ""}};
    row.money.gpu = {{3, FigureKind::entered, ""}};
    const ScriptedTotals one = computeScriptedTotals({row});
    EXPECT_EQ(one.saved, 10);
    EXPECT_NEAR(one.computeSavedShare().value_or(0), 0.25, 1e-12);
    EXPECT_NEAR(one.computeSavedCost().value_or(0), 1, 1e-12);
    for (const auto& change :
         {+[](HistoryRow& out) { out.sample = true; }, +[](HistoryRow& out) { out.replayed = true; },
          +[](HistoryRow& out) { out.status = SessionStatus::open; }, +[](HistoryRow& out) { out.kind = "optimize"; }}) {
        HistoryRow left = row;
        change(left);
        EXPECT_EQ(computeScriptedTotals({row, left}).minutes, 30);
        EXPECT_EQ(computeScriptedTotals({row, left}).kept, 1);
    }
}

TEST_F(CasesOfADatabase, EachDeviceAndProblemIsAStateOfItsOwn)
{
    int number = 0;
    for (const char* device : {"NVIDIA H200", "NVIDIA A100-SXM4-80GB"})
        for (const char* problem : {"M=64,N=64", "M=64,N=128"}) {
            ++number;
            RunRecord before = profileAt("p" + std::to_string(number), "transpose/naive", "2026-01-01T00:00:00.000Z", 800);
            RunRecord after = runAt("r" + std::to_string(number), "transpose/tiled", "2026-01-02T00:00:00.000Z", 100.0 * number);
            for (RunRecord* run : {&before, &after}) {
                run->device.name = device;
                run->problem = unwrap(parseParams(problem));
                ASSERT_TRUE(store->saveRun(*run));
            }
        }
    std::map<std::string, double> gains;
    for (const FixState& state : own()) {
        EXPECT_TRUE(state.own);
        ASSERT_THAT(state.outcomes, SizeIs(1));
        gains[state.device + ' ' + state.problem] = std::exp(state.outcomes[0].gain);
    }
    ASSERT_EQ(gains.size(), 4U);
    EXPECT_NEAR(gains.at("NVIDIA H200 M=64,N=64"), 8, 1e-9);
    EXPECT_NEAR(gains.at("NVIDIA H200 M=64,N=128"), 4, 1e-9);
    EXPECT_NEAR(gains.at("NVIDIA A100-SXM4-80GB M=64,N=64"), 8.0 / 3, 1e-9);
    EXPECT_NEAR(gains.at("NVIDIA A100-SXM4-80GB M=64,N=128"), 2, 1e-9);
}

TEST_F(CasesOfADatabase, SessionsOnTwoDevicesAreTwoStates)
{
    RunRecord here = profileAt("here", "transpose/naive", "2026-01-01T00:00:00.000Z", 800);
    RunRecord there = profileAt("there", "transpose/naive", "2026-01-01T00:00:00.000Z", 800);
    here.device.name = "NVIDIA H200";
    there.device.name = "NVIDIA A100-SXM4-80GB";
    ASSERT_TRUE(store->saveRun(here));
    ASSERT_TRUE(store->saveRun(there));
    for (const auto& [run, ratio] : {std::pair{"here", 2.0}, std::pair{"there", 3.0}}) {
        Comparison comparison;
        comparison.id = {std::string("c-") + run};
        comparison.ratio = Ratio{ratio, ratio, ratio};
        ASSERT_TRUE(store->saveComparison(comparison));
        const SessionHeader header{{run},        std::string("N ") + run,    "optimize", "", "transpose",
                                   Source::live, "2026-01-02T00:00:00.000Z", "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "t", event::kOpened, "{}"}));
        ASSERT_TRUE(store->appendEvent({run}, {2, "t", event::kProfiled, encode(Json{{"run", run}})}));
        ASSERT_TRUE(store->appendEvent({run}, {3, "t", event::kFixChosen, R"({"candidate": "transpose/tiled"})"}));
        ASSERT_TRUE(store->appendEvent({run}, {4, "t", event::kEvaluated, encode(Json{{"comparison", comparison.id.text}})}));
    }
    std::map<std::string, double> gains;
    for (const FixState& state : own())
        for (const FixOutcome& outcome : state.outcomes)
            gains[state.device] += outcome.gain;
    ASSERT_EQ(gains.size(), 2U);
    EXPECT_NEAR(gains.at("NVIDIA H200"), std::log(2.0), 1e-12);
    EXPECT_NEAR(gains.at("NVIDIA A100-SXM4-80GB"), std::log(3.0), 1e-12);
}

TEST(HistoryFields, AReturnIsOfEachKindOfValueOnTheMostAndTheLeastThatWasSpent)
{
    HistoryTotals totals;
    totals.valueEntered = 100;
    totals.valueMeasured = 60;
    totals.valueQuoted = 40;
    totals.costLow = 2;
    totals.costHigh = 5;
    totals.engineer = 3;
    totals.engineerHigh = 15;
    const Json json = totalsToJson(totals);
    const double most = json["spent"].get<double>(), least = json["spent_low"].get<double>();
    EXPECT_LT(least, most);
    for (const auto& [kind, value] : {std::pair{"entered", 100}, std::pair{"measured", 60}, std::pair{"quoted", 40}}) {
        EXPECT_EQ(json["value"][kind], value);
        EXPECT_DOUBLE_EQ(json["return"][kind].get<double>(), value / most) << kind;
        EXPECT_DOUBLE_EQ(json["return_high"][kind].get<double>(), value / least) << kind;
    }
    EXPECT_EQ(json["cost"], (Json{{"low", 2.0}, {"high", 5.0}}));
    EXPECT_EQ(json["engineer"], 3);
    EXPECT_EQ(json["engineer_high"], 15);
}

TEST(HistoryFields, EachKindOfMoneyHasItsOwnFigures)
{
    SessionMoney money;
    money.gpu = {{1, FigureKind::derived, "g"}};
    money.assistant = {{2, FigureKind::entered, "a"}};
    money.other = {{3, FigureKind::quoted, "o"}};
    money.value = {{4, FigureKind::measured, "v"}};
    const Json json = moneyToJson(money);
    for (const auto& [key, value, how, source] :
         {std::tuple{"gpu", 1, FigureKind::derived, "g"}, std::tuple{"assistant", 2, FigureKind::entered, "a"},
          std::tuple{"other", 3, FigureKind::quoted, "o"}, std::tuple{"value", 4, FigureKind::measured, "v"}})
        EXPECT_EQ(json[key], (Json{{{"value", value}, {"how", toWord(how)}, {"source", source}}})) << key;
    EXPECT_EQ(json["engineer"], nullptr);
}

} // namespace
} // namespace kl::test
