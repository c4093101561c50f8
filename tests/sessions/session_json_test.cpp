// SPDX-License-Identifier: MIT
// Each field of a session's and of a pattern's JSON holds its own value, and a session's exit code its state.
#include "sessions/patterns/pattern_json.h"
#include "sessions/session/session_json.h"
#include "tests/support/store_support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using Expected = std::vector<std::pair<const char*, Json>>;

void expectFields(const Json& json, const Expected& fields)
{
    for (const auto& [key, value] : fields)
        EXPECT_EQ(json.value(key, Json("absent")), value) << key;
}

Address transposed(const std::string& name)
{
    return {"transpose", name, {}};
}

RunRecord runNamed(const std::string& id)
{
    return support::timedRun(id, "naive", "2026-01-01T00:00:00.000Z", 2000);
}

TEST(SessionJson, HasEachFieldOfTheState)
{
    SessionView view;
    view.header = {SessionId{"s1"}, "N", "optimize", "objective", "transpose", Source::sample, "2026-01-01T00:00:00.000Z", "{}"};
    view.phase = "evaluate";
    view.blocked = true;
    view.rule = "rule";
    view.why = "why";
    view.problem = {{"M", std::int64_t{64}}};
    view.start = transposed("naive");
    view.current = transposed("tiled");
    view.candidate = transposed("padded");
    view.fix = "pad";
    view.outcome = "kept";
    view.kept = true;
    view.speedup = 1.5;
    view.evaluation.emplace();
    view.evaluation->id = {"c1"};
    view.evaluation->ratio = Ratio{1.2, 1.1, 1.3};
    view.minutes = 12;
    view.budgetMinutes = 90;
    view.answers = {{"tools", "ncu"}};
    view.cumulative = true;
    view.git = false;
    view.parkedRatio = Ratio{1.05, 1.01, 1.09};
    view.failingProblem = Params{{"M", std::int64_t{3}}};
    view.sourceChange = SourceChange{.file = "k.cu", .before = "b", .after = "a", .summary = "+1", .diff = "d", .git = true};
    view.editing = BegunEdit{.file = "/k.cu"};
    view.commit = "abc";
    view.smallestRun = runNamed("r-smallest");
    view.startRun = runNamed("r-start");
    view.baselineRun = runNamed("r-baseline");
    view.profileRun = runNamed("r-profile");
    view.failingRun = runNamed("r-failing");
    view.minimalRun = runNamed("r-minimal");
    view.patternsApplied = {"p"};
    view.notes = {"note"};
    view.refusals = 3;
    view.stalls = {"stall"};
    view.retrospective = "retrospective";
    view.artifact = "artifact";
    view.events = {{7, "2026-01-02T00:00:00.000Z", "note", "{}"}};
    const Json json = sessionToJson(view);
    expectFields(json, {{"session", "s1"},
                        {"kind", "optimize"},
                        {"phase", "evaluate"},
                        {"blocked", true},
                        {"rule", "rule"},
                        {"why", "why"},
                        {"name", "N"},
                        {"objective", "objective"},
                        {"kernel", "transpose"},
                        {"source", "sample"},
                        {"created_at", "2026-01-01T00:00:00.000Z"},
                        {"problem", "M=64"},
                        {"start", "transpose/naive"},
                        {"current", "transpose/tiled"},
                        {"candidate", "transpose/padded"},
                        {"fix", "pad"},
                        {"outcome", "kept"},
                        {"speedup", 1.5},
                        {"gain", *computeGain(view)},
                        {"ratio", {{"value", 1.2}, {"low", 1.1}, {"high", 1.3}}},
                        {"comparison", "c1"},
                        {"minutes", 12},
                        {"budget_minutes", 90},
                        {"answers", {{"tools", "ncu"}}},
                        {"options", {{"cumulative", true}, {"git", false}}},
                        {"parked_ratio", {{"value", 1.05}, {"low", 1.01}, {"high", 1.09}}},
                        {"failing_problem", "M=3"},
                        {"source_change", {{"file", "k.cu"}, {"summary", "+1"}, {"diff", "d"}, {"git", true}}},
                        {"editing", "/k.cu"},
                        {"commit", "abc"},
                        {"patterns_applied", {"p"}},
                        {"notes", {"note"}},
                        {"refusals", 3},
                        {"stalls", {"stall"}},
                        {"retrospective", "retrospective"},
                        {"report", "artifact"}});
    expectFields(json["runs"], {{"smallest", "r-smallest"},
                                {"start_suite", "r-start"},
                                {"baseline", "r-baseline"},
                                {"profile", "r-profile"},
                                {"failing", "r-failing"},
                                {"minimal", "r-minimal"},
                                {"candidate", nullptr}});
    EXPECT_EQ(json["events"], Json::array({{{"seq", 7}, {"at", "2026-01-02T00:00:00.000Z"}, {"type", "note"}}}));
    EXPECT_TRUE(json["gate"].is_null());
}

TEST(SessionJson, HasEachFieldOfItsParts)
{
    SessionView view;
    PhaseView phase;
    phase.id = "profile";
    phase.title = "Profile";
    phase.purpose = "purpose";
    phase.budgetMinutes = 10;
    phase.elapsedMinutes = 4;
    phase.gates = {"G3"};
    phase.patterns = {"p"};
    for (const PhaseState state : {PhaseState::upcoming, PhaseState::current, PhaseState::done, PhaseState::skipped}) {
        phase.state = state;
        view.phases.push_back(phase);
    }
    view.claims = {{{"a blog", "2x", "baseline"}, "1.5×", 0.75, "missed", "run:1"}};
    DebugIteration iteration;
    iteration.number = 2;
    iteration.believed = "believed";
    iteration.instrument = "instrument";
    iteration.seen = "seen";
    iteration.sanitizer = "sanitizer";
    iteration.analysis = "analysis";
    iteration.fix = "fix";
    iteration.result = "result";
    iteration.learned = "learned";
    iteration.evidence = "run:2";
    view.iterations = {iteration};
    view.parked = {{transposed("naive"), transposed("tiled"), "Tile it", {"c1"}, {1.05, 1.01, 1.09}, {}}};
    const Json json = sessionToJson(view);
    const char* states[] = {"upcoming", "current", "done", "skipped"};
    ASSERT_EQ(json["phases"].size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(json["phases"][i]["state"], states[i]);
    expectFields(json["phases"][0], {{"id", "profile"},
                                     {"title", "Profile"},
                                     {"purpose", "purpose"},
                                     {"budget_minutes", 10},
                                     {"elapsed_minutes", 4},
                                     {"gates", {"G3"}},
                                     {"patterns", {"p"}}});
    expectFields(json["claims"][0], {{"source", "a blog"},
                                     {"figure", "2x"},
                                     {"about", "baseline"},
                                     {"measured", "1.5×"},
                                     {"reached", 0.75},
                                     {"verdict", "missed"},
                                     {"evidence", "run:1"}});
    expectFields(json["iterations"][0], {{"number", 2},
                                         {"believed", "believed"},
                                         {"instrument", "instrument"},
                                         {"seen", "seen"},
                                         {"sanitizer", "sanitizer"},
                                         {"analysis", "analysis"},
                                         {"fix", "fix"},
                                         {"result", "result"},
                                         {"learned", "learned"},
                                         {"evidence", "run:2"}});
    expectFields(json["parked"][0], {{"from", "transpose/naive"}, {"to", "transpose/tiled"}, {"title", "Tile it"}, {"comparison", "c1"}});
    EXPECT_EQ(json["parked"][0]["ratio"]["low"], 1.01);
}

GateView gateNamed(const std::string& id, GateResult result, GateProgress progress)
{
    GateView gate;
    gate.id = id;
    gate.result = result;
    gate.progress = progress;
    return gate;
}

TEST(GateJson, HasEachFieldOfAGateAndItsRows)
{
    GateView gate = gateNamed("G2", GateResult::fail, GateProgress::waived);
    gate.title = "Baseline";
    gate.rule = "rule";
    gate.requirement = Requirement::optional;
    gate.verdict = "verdict";
    gate.waivedReason = "waived because";
    gate.staleReason = "stale because";
    gate.canBeWaived = true;
    gate.blocks = true;
    gate.level = "high";
    CheckRow row;
    row.id = "speedup-level";
    row.requirement = Requirement::optional;
    row.result = GateResult::pass;
    row.title = "title";
    row.found = "found";
    row.threshold = "threshold";
    row.why = "why";
    row.fix = "fix";
    row.evidence = "run:1";
    row.blocks = false;
    gate.checks = {row};
    const Json json = gateToJson(gate);
    expectFields(json, {{"id", "G2"},
                        {"result", "fail"},
                        {"requirement", "optional"},
                        {"progress", "waived"},
                        {"title", "Baseline"},
                        {"rule", "rule"},
                        {"verdict", "verdict"},
                        {"waived_reason", "waived because"},
                        {"stale_reason", "stale because"},
                        {"can_be_waived", true},
                        {"blocks", true},
                        {"level", "high"}});
    expectFields(json["checks"][0], {{"id", "speedup-level"},
                                     {"requirement", "optional"},
                                     {"result", "pass"},
                                     {"title", "title"},
                                     {"found", "found"},
                                     {"threshold", "threshold"},
                                     {"why", "why"},
                                     {"fix", "fix"},
                                     {"evidence", "run:1"},
                                     {"blocks", false}});
    EXPECT_TRUE(gateToJson({})["level"].is_null());
    for (const auto& [progress, word] : {std::pair{GateProgress::notStarted, "not-started"}, std::pair{GateProgress::running, "running"},
                                         std::pair{GateProgress::done, "done"}, std::pair{GateProgress::stale, "stale"}})
        EXPECT_EQ(gateToJson(gateNamed("G1", GateResult::unknown, progress))["progress"], word);
    EXPECT_EQ(gateToJson(gateNamed("G1", GateResult::unknown, GateProgress::done))["result"], "unknown");
}

TEST(SessionJson, ShowsTheCurrentGateOrTheLastThatWasEvaluated)
{
    SessionView view;
    view.gates = {gateNamed("G1", GateResult::pass, GateProgress::done), gateNamed("G2", GateResult::unknown, GateProgress::waived),
                  gateNamed("G3", GateResult::unknown, GateProgress::notStarted)};
    EXPECT_EQ(sessionToJson(view)["gate"]["id"], "G2");
    EXPECT_EQ(sessionToJson(view)["gates"].size(), 3U);
    view.gate = "G3";
    EXPECT_EQ(sessionToJson(view)["gate"]["id"], "G3");
    view.gate = "G1";
    EXPECT_EQ(sessionToJson(view)["gate"]["id"], "G1");
    view.gate.clear();
    for (GateView& gate : view.gates)
        gate.progress = GateProgress::notStarted;
    EXPECT_EQ(sessionToJson(view)["gate"]["id"], "G1") << "the first, where none was evaluated";
}

TEST(SessionExitCode, IsThatOfTheGateThatBlocks)
{
    SessionView view;
    view.gates = {gateNamed("G1", GateResult::unknown, GateProgress::running), gateNamed("G2", GateResult::fail, GateProgress::running)};
    view.gate = "G1";
    EXPECT_EQ(chooseExitCode(view), 0) << "nothing blocks";
    view.blocked = true;
    EXPECT_EQ(chooseExitCode(view), 3);
    view.gate = "G2";
    EXPECT_EQ(chooseExitCode(view), 1);
    view.gate.clear();
    EXPECT_EQ(chooseExitCode(view), 1);
}

TEST(NextJson, HasEachFieldOfAnAction)
{
    const Json json =
        nextToJson({{SessionAction::profile, "argument", "title", {StepId::run, {{StepArgument::kernel, "k"}}}, false, "reason"}});
    ASSERT_EQ(json.size(), 1U);
    expectFields(json[0], {{"action", toString(SessionAction::profile)},
                           {"argument", "argument"},
                           {"title", "title"},
                           {"enabled", false},
                           {"reason", "reason"},
                           {"id", "run"},
                           {"arguments", {{"kernel", "k"}}}});
}

TEST(PatternJson, HasEachFieldOfAPatternItsUsesAndWhatItSaved)
{
    const Pattern pattern{"slug", "10", "title", "own", "problem", "advice", "finding", 5, 8, 3, "origin", "s1"};
    PatternReturn gained{"slug", "title"};
    gained.applications = 2;
    gained.measuredMinutes = 11;
    gained.quotedMinutes = 12;
    gained.derivedMinutes = 13;
    gained.quotedDollars = 14;
    gained.measuredValue = 15;
    gained.quotedValue = 16;
    gained.investedLow = 17;
    gained.investedHigh = 18;
    gained.measuredReturn = 0.5;
    gained.quotedReturn = 0.25;
    const Json json = patternToJson(pattern, gained);
    expectFields(json, {{"slug", "slug"},
                        {"label", "10"},
                        {"title", "title"},
                        {"kind", "own"},
                        {"when", "finding"},
                        {"problem", "problem"},
                        {"advice", "advice"},
                        {"quoted_minutes", 5},
                        {"quoted_minutes_high", 8},
                        {"quoted_dollars", 3},
                        {"origin", "origin"},
                        {"learned_in", "s1"},
                        {"applications", 2},
                        {"saved", {{"measured_minutes", 11}, {"quoted_minutes", 12}, {"derived_minutes", 13}, {"quoted_dollars", 14}}}});
    gained.learnedIn = "N+6";
    EXPECT_EQ(patternToJson(pattern, gained)["learned_in"], "N+6") << "its name, where it is known";
    expectFields(returnToJson(gained), {{"slug", "slug"},
                                        {"title", "title"},
                                        {"applications", 2},
                                        {"learned_in", "N+6"},
                                        {"invested_minutes", {{"low", 17}, {"high", 18}}},
                                        {"measured", {{"minutes", 11}, {"value", 15}, {"return", 0.5}}},
                                        {"quoted", {{"minutes", 12}, {"dollars", 14}, {"value", 16}, {"return", 0.25}}},
                                        {"derived_minutes", 13}});
    expectFields(applicationToJson({"id", "slug", "s1", "at", 1, 2, 3, true, "note"}), {{"pattern", "slug"},
                                                                                        {"session", "s1"},
                                                                                        {"at", "at"},
                                                                                        {"measured_minutes", 1},
                                                                                        {"quoted_minutes", 2},
                                                                                        {"quoted_dollars", 3},
                                                                                        {"derived", true},
                                                                                        {"note", "note"}});
    expectFields(suggestionToJson({"slug", "why", true}, {pattern}),
                 {{"slug", "slug"}, {"title", "title"}, {"why", "why"}, {"applied", true}});
    EXPECT_EQ(suggestionToJson({"other", "why", false}, {pattern})["title"], "");
}

} // namespace
} // namespace kl
