// SPDX-License-Identifier: MIT
// What rows, items and words of a session name: figures, steps and times; each from a session made by hand.
#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/check_functions.h"
#include "sessions/session/checklist.h"
#include "sessions/session/event_words.h"
#include "sessions/session/events.h"
#include "sessions/session/kernel_figures.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_json.h"
#include "sessions/session/session_outcome.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/modeled_session.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class GateRows : public ModeledSession {
protected:
    CheckRow row(const std::string& check) const { return evaluateCheck(check, {model.plan, model.view, model.family}).front(); }
    std::string found(const std::string& check) const { return row(check).found; }
};

TEST_F(GateRows, WhatFailsLeadsToTheCommandThatShowsIt)
{
    SessionView& view = model.view;
    for (const char* check : {"smallest-correct", "kernel-correct", "speedup-level", "metrics-measured", "suite-correct"})
        EXPECT_THAT(row(check).next, IsEmpty()) << check;
    view.smallestRun->problem = model.family->smallest;
    view.smallestRun->correctness.result = CorrectnessResult::incorrect;
    EXPECT_THAT(row("smallest-correct").next,
                ElementsAre(NextStep{
                    StepId::run, {{StepArgument::kernel, "transpose/naive"}, {StepArgument::problem, toText(model.family->smallest)}}}));
    view.baselineRun->speedup = 0.3;
    EXPECT_THAT(row("speedup-level").next, ElementsAre(NextStep{StepId::profile, {{StepArgument::kernel, "transpose/naive"}}}));
    view.profileRun->metrics.reset();
    EXPECT_THAT(row("metrics-measured").next, ElementsAre(NextStep{StepId::checkEnvironment}));
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_THAT(row("suite-correct").next,
                ElementsAre(NextStep{StepId::run, {{StepArgument::kernel, "transpose/tiled"}, {StepArgument::suite, "on"}}}));
    view.environment.reset();
    EXPECT_THAT(row("environment").next, ElementsAre(NextStep{StepId::checkEnvironment}));
}

TEST_F(GateRows, OfTheEnvironmentAreItsChecks)
{
    const NextStep step{StepId::listKernels};
    model.view.environment = EnvReport{{{"gpu", Requirement::required, CheckResult::pass, "H200", "nothing runs", "install it"},
                                        {"ncu", Requirement::optional, CheckResult::fail, "none", "to compare", "add it", {step}}},
                                       ""};
    const std::vector<CheckRow> rows = evaluateCheck("environment", {model.plan, model.view, model.family});
    ASSERT_THAT(rows, SizeIs(2));
    EXPECT_EQ(rows[0].id, "gpu");
    EXPECT_EQ(rows[0].requirement, Requirement::required);
    EXPECT_EQ(rows[0].result, GateResult::pass);
    EXPECT_EQ(rows[1].requirement, Requirement::optional);
    EXPECT_EQ(rows[1].result, GateResult::fail);
    EXPECT_EQ(rows[1].title, "ncu");
    EXPECT_EQ(rows[1].found, "none");
    EXPECT_EQ(rows[1].why, "to compare");
    EXPECT_EQ(rows[1].fix, "add it");
    EXPECT_THAT(rows[1].next, ElementsAre(step));
}

TEST_F(GateRows, NameTheFiguresThatDecide)
{
    SessionView& view = model.view;
    const Timing& timing = *view.baselineRun->timing;
    EXPECT_THAT(found("baseline-measured"), HasSubstr("transpose/naive " + formatTime(timing.gpu.median)));
    EXPECT_THAT(found("baseline-measured"), HasSubstr(formatTime(view.baselineRun->baseline->gpu->median)));
    view.baselineRun->speedup = 0.8;
    EXPECT_THAT(found("speedup-level"), HasSubstr(formatRatio(0.8)));
    EXPECT_THAT(row("speedup-level").threshold, HasSubstr(formatRatio(0.5)));
    EXPECT_THAT(found("speedup-target"), HasSubstr(formatRatio(1.2 / 0.8))) << "what is left";
    EXPECT_THAT(row("speedup-target").threshold, HasSubstr(formatRatio(1.2)));
    view.profileRun->metrics->plan = {.passes = 19, .ran = 18};
    EXPECT_EQ(valueText(found("passes-complete")), "\"18 19\"");
    EXPECT_EQ(row("passes-complete").threshold, "19");
    EXPECT_EQ(found("metrics-measured").substr(0, 2), "1 ") << "a value that is missing is none";
    EXPECT_THAT(found("metrics-measured"), HasSubstr(" 2 "));
    EXPECT_THAT(found("finding-classified"), HasSubstr("P0 uncoalesced"));
    view.candidateRun->correctness.nonfinite = 2;
    view.candidateRun->correctness.unwritten = 5;
    view.candidateRun->correctness.suite.front().nonfinite = 10;
    view.candidateRun->correctness.suite.back().unwritten = 100;
    EXPECT_EQ(found("finite").substr(0, 3), "12 ");
    EXPECT_EQ(found("written").substr(0, 4), "105 ");
    const std::size_t sizes = model.family->suite.size();
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_THAT(valueText(found("suite-correct")), StartsWith('"' + std::to_string(sizes - 1) + ' ' + std::to_string(sizes)));
    view.smallestRun->correctness.nonfinite = 3;
    EXPECT_EQ(found("smoke").substr(0, 2), "3 ");
    view.smallestRun->launches = {{"first", 16, 256, 32, 0, 1024, 512}, {"second", 16, 256, 40, 8, 0, 0}};
    view.smallestRun->launches[1].theoreticalOccupancy = 62;
    EXPECT_THAT(found("build-resources"), testing::ContainsRegex("first: 32 .*" + formatBytes(0) + ".*" + formatBytes(1536)));
    EXPECT_THAT(found("build-resources"), testing::ContainsRegex("second: 40 .*" + formatBytes(8) + ".*" + formatBytes(0)));
    EXPECT_THAT(found("build-resources"), HasSubstr(formatPercent(62)));
    view.build = BuildFacts{"ok", "no", "", "sm_90", 1.5, 7, ""};
    EXPECT_THAT(found("build-clean"), HasSubstr("sm_90"));
    EXPECT_THAT(found("build-clean"), HasSubstr(formatTime(1.5e9)));
    EXPECT_EQ(found("build-warnings"), "7");
    view.build->status = "compilation_failed";
    EXPECT_EQ(found("build-clean"), "no");
    view.smallestRun->status = ResultStatus::computationFailed;
    view.smallestRun->reason = "no kernel image";
    EXPECT_EQ(found("module-loads"), "no kernel image");
    view.minimalRun = view.candidateRun;
    view.minimalRun->correctness.maxAbs = 0.25;
    view.failingProblem = view.minimalRun->problem;
    EXPECT_EQ(found("failing-case-fixed").substr(0, toText(view.problem).size()), toText(view.problem));
    EXPECT_THAT(found("failing-case-fixed"), HasSubstr("0.25"));
    EXPECT_THAT(row("failing-case-fixed").threshold, HasSubstr(toText(view.problem)));
}

TEST_F(GateRows, VerdictsNameWhatTheirGateIsAbout)
{
    SessionView& view = model.view;
    EXPECT_EQ(gate("G3").verdict, view.profileRun->diagnosis->finding.title);
    EXPECT_THAT(gate("G2").verdict, HasSubstr(formatRatio(1.3)));
    EXPECT_THAT(gate("G4").verdict, HasSubstr("transpose/tiled"));
    EXPECT_THAT(gate("G5").verdict, HasSubstr(formatRatio(1.3)));
    EXPECT_THAT(gate("G5").verdict, HasSubstr(intervalText(Ratio{1.3, 1.25, 1.4})));
    EXPECT_THAT(gate("G5").verdict, HasSubstr(" 10 "));
    view.evaluation->ratio = Ratio{1.1, 1.08, 1.12};
    view.parked = {{view.start, view.start, "", {}, Ratio{1.2, 1.15, 1.25}, {}}, {view.start, view.start, "", {}, Ratio{1, 1, 1}, {}}};
    EXPECT_THAT(gate("G5").verdict, HasSubstr(formatRatio(1.1 * 1.2)));
    EXPECT_THAT(gate("G5").verdict, HasSubstr(" 3 "));
    view.parked.clear();
    view.evaluation->ratio.reset();
    view.evaluation->verdict = Verdict::notComparable;
    EXPECT_FALSE(gate("G5").verdict.empty());
    view.baselineRun->baseline->gpu.reset();
    EXPECT_THAT(gate("G2").verdict, HasSubstr(row("baseline-measured").title + ": " + found("baseline-measured")));
    EXPECT_THAT(gate("G2").verdict, HasSubstr(row("baseline-measured").threshold));
}

class ChecklistSteps : public ModeledSession {
protected:
    /// "item=action " for each that an action would tick.
    std::string steps(const std::string& kind)
    {
        model.plan = shipped(kind);
        evaluate();
        std::string text;
        for (const ChecklistItem& item : makeChecklist(model))
            if (item.next)
                text += item.id + '=' + item.next->at(StepArgument::action) + ' ';
        return text;
    }
    ChecklistItem item(std::string_view id)
    {
        evaluate();
        const std::vector<ChecklistItem> items = makeChecklist(model);
        return *std::ranges::find(items, id, &ChecklistItem::id);
    }
};

TEST_F(ChecklistSteps, AreTheActionsThatGatherTheEvidence)
{
    const SessionView whole = model.view;
    model.view = {};
    model.view.header = whole.header;
    model.view.start = model.view.current = whole.start;
    model.view.problem = whole.problem;
    EXPECT_EQ(steps("expert"), "clean-build=validate-build dependencies=check-environment verbose-build=validate-build "
                               "warnings=validate-build loads=verify-smallest smoke=verify-smallest compared=verify-smallest "
                               "occupancy=verify-smallest launch-overhead=measure-baseline ");
    EXPECT_EQ(steps("baseline"), "clean-build=verify-smallest dependencies=check-environment loads=verify-smallest smoke=verify-smallest "
                                 "compared=verify-smallest occupancy=verify-smallest launch-overhead=measure-baseline ");
    EXPECT_EQ(steps("debug"), "");
    model.view.finished = true;
    EXPECT_EQ(steps("expert"), "");
    model.view = whole;
    KernelFamily own = *model.family;
    own.origin.descriptor = "/p/kernel.json";
    model.family = &own;
    model.view.baselineRun->timing->gpu.median = 100;
    EXPECT_EQ(steps("optimize"), "launch-overhead=measure-baseline git-history=bisect ") << "what failed can be measured again";
}

TEST_F(ChecklistSteps, TheConfigurationFailsAtItsLimits)
{
    SessionView& view = model.view;
    EXPECT_THAT(valueText(item("dependencies").found), StartsWith("\"1 1"));
    EXPECT_EQ(item("dependencies").evidence, "event:1");
    view.device = "NVIDIA H200";
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.profileRun}) {
        (*run)->device.name = "NVIDIA H200";
        (*run)->device.ccMajor = 9;
        (*run)->device.smCount = 132;
        (*run)->launches = {{"kernel", 16, 1024, 64, 0, 0, 0}};
    }
    ASSERT_TRUE(gatherFigures(model)->occupancy);
    EXPECT_EQ(gatherFigures(model)->occupancy->percent, 50);
    EXPECT_EQ(item("occupancy").state, TickState::done) << "at the limit";
    EXPECT_EQ(item("occupancy").evidence, "run:r3");
    EXPECT_THAT(item("occupancy").found, testing::ContainsRegex(" 1024 [^0-9]+ 64 [^0-9]+ 0 ")) << "threads, registers, bytes";
    view.profileRun->launches = {{"kernel", 16, 256, 64, 0, 0, 100'000}};
    EXPECT_EQ(item("occupancy").state, TickState::failed);
    EXPECT_THAT(item("occupancy").found, testing::ContainsRegex(" 256 [^0-9]+ 64 [^0-9]+ 100000 "));
    EXPECT_EQ(item("shared-memory").state, TickState::done);
    view.profileRun->launches = {{"kernel", 16, 256, 64, 0, 1, 232'448}};
    EXPECT_EQ(item("shared-memory").state, TickState::failed) << "a byte too many";
    view.profileRun->launches.back().staticSmem = 0;
    EXPECT_EQ(item("shared-memory").state, TickState::done);
    view.baselineRun->timing->gpu.median = 15'000;
    view.baselineRun->timing->host = 20'000;
    EXPECT_THAT(item("launch-overhead").found, HasSubstr(formatPercent(25))) << "5 of 20 microseconds";
}

TEST_F(ChecklistSteps, FiguresNameTheBlockTheProblemAndTheGpu)
{
    const KernelFigures figures = *gatherFigures(model);
    EXPECT_EQ(figures.problem, toText(model.view.problem));
    EXPECT_EQ(figures.kernel, "transpose/naive");
    EXPECT_EQ(figures.gpu, "NVIDIA H200");
    EXPECT_EQ(figures.block, "32 × 8");
    model.view.smallestRun.reset();
    model.view.baselineRun.reset();
    model.view.profileRun.reset();
    EXPECT_EQ(gatherFigures(model)->threads, 256) << "as planned";
    model.view.current = {"copy", "coalesced", {}};
    model.view.problem = {};
    EXPECT_EQ(gatherFigures(model)->block, "256") << "sides of one are left out";
}

TEST_F(ModeledSession, AProgramsProfileMayAlwaysBeAReport)
{
    KernelFamily program = *model.family;
    program.programHash = "h";
    model.family = &program;
    dropCandidate();
    model.view.profileRun->diagnosis->finding.fixes.clear();
    const auto offered = [&] {
        evaluate();
        std::string text;
        for (const NextAction& action : model.view.next)
            text += std::string(toString(action.action)) + (action.step.inputs.empty() ? " " : "? ");
        return text;
    };
    model.view.profileRun->kernel.variant = "padded";
    EXPECT_EQ(offered(), "profile profile? waive? ") << "a stale one";
    model.view.profileRun->kernel.variant = "naive";
    model.view.profileRun->metrics.reset();
    EXPECT_EQ(offered(), "document profile profile? waive? ") << "one without counters";
    forget({Evidence::profile});
    EXPECT_EQ(offered(), "profile profile? ");
    model.family = *catalog.family("transpose");
    EXPECT_EQ(offered(), "profile ");
}

TEST_F(ModeledSession, AnotherFixIsOfferedWhereTheLoopIsOpen)
{
    using enum Evidence;
    SessionView& view = model.view;
    dropCandidate();
    model.plan = shipped("debug");
    view.evidence[hypothesis] = view.evidence[instrument] = view.evidence[failingCase] = 5;
    view.iterations = {{.number = 1}};
    view.iterationOpen = true;
    EXPECT_EQ(next(), "document: document choose-fix=transpose/tiled") << "nothing fails";
    view.iterationOpen = false;
    EXPECT_EQ(next(), "document: document");
    model.plan = shipped("optimize");
    view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", "", 0.5, "transpose/tiled"}};
    view.documented = true;
    EXPECT_EQ(next(), "document: finish choose-fix=f");
    view.kept = true;
    view.candidate = Address{"transpose", "tiled", {}};
    EXPECT_EQ(next(), "document: finish");
}

TEST_F(ModeledSession, TheRetrospectiveNamesWhatHappened)
{
    SessionView& view = model.view;
    view.kept = true;
    view.commit = "abcdef";
    view.refusals = 17;
    view.claims = {{{"a blog", "9x", "kernel"}, "7×", 0.7, "missed", ""}};
    view.iterations = {{.number = 1, .believed = "An index.", .seen = "M=7 fails.", .result = "still", .learned = "It is not."},
                       {.number = 2, .believed = "A bound.", .seen = "M=9 fails.", .result = "correct then"}};
    view.parked = {{view.start, {"transpose", "padded", {}}, "Pad it", {}, Ratio{1.07, 1.05, 1.09}, {}}};
    evaluate();
    const std::string text = composeRetrospective(model);
    for (const std::string& part : {std::string("Be fast"),
                                    std::string("transpose/naive"),
                                    formatRatio(1.3),
                                    view.profileRun->diagnosis->finding.title,
                                    std::string("a blog"),
                                    std::string("9x"),
                                    std::string("7×"),
                                    std::string("missed"),
                                    std::string("An index."),
                                    std::string("M=7 fails."),
                                    std::string("It is not."),
                                    std::string("A bound."),
                                    std::string("M=9 fails."),
                                    std::string("correct then"),
                                    std::string("Pad it"),
                                    std::string("transpose/padded"),
                                    formatRatio(1.07),
                                    std::string("Stage the tile"),
                                    std::string("transpose/tiled"),
                                    ratioText(*view.evaluation->ratio),
                                    nameOutcome(model),
                                    std::string("abcdef"),
                                    std::string("17")})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, testing::Not(HasSubstr("still"))) << "what was learned replaces it";
    view.commit.clear();
    view.refusals = 0;
    EXPECT_EQ(std::ranges::count(composeRetrospective(model), '\n') + 2, std::ranges::count(text, '\n'));
}

TEST_F(ModeledSession, TheJsonHasEachFieldOfDocumentChecklistAndFixParts)
{
    SessionView& view = model.view;
    evaluate();
    view.written["failed"] = "Nothing.";
    view.checklist = {{"smoke", "Build validation", "Smoke test", TickState::failed, "3 non-finite", "run:r1", "odd", true,
                       NextStep{StepId::stepSession}},
                      {"loads", "g", "t"}};
    view.events = {{1, "2026-01-01T00:00:00.000Z", event::kFixChosen, "{}"}};
    const Json json = sessionToJson(view);
    ASSERT_EQ(json["checklist"].size(), 2U);
    Json item = json["checklist"][0];
    EXPECT_EQ(item["next_steps"][0]["id"], "step-session");
    item.erase("next_steps");
    EXPECT_EQ(item, (Json{{"id", "smoke"},
                          {"group", "Build validation"},
                          {"title", "Smoke test"},
                          {"state", "failed"},
                          {"found", "3 non-finite"},
                          {"evidence", "run:r1"},
                          {"note", "odd"},
                          {"by_note", true}}));
    EXPECT_THAT(json["checklist"][1]["next_steps"], IsEmpty());
    ASSERT_EQ(json["document"].size(), 5U);
    const DocumentQuestion& question = *documentQuestion("failed");
    const auto row = std::ranges::find_if(json["document"], [](const Json& one) { return one["id"] == "failed"; });
    EXPECT_EQ(*row,
              (Json{{"id", "failed"}, {"title", question.title}, {"question", question.text}, {"text", "Nothing."}, {"drafted", false}}));
    ASSERT_EQ(json["fix_parts"].size(), 5U);
    EXPECT_EQ(json["fix_parts"][3],
              (Json{{"id", "measure"}, {"title", fixParts(view)[3].title}, {"planned_minutes", 20.0}, {"minutes", nullptr}}));
}

TEST_F(EngineTest, WorkingTimeBelongsToThePhaseOfTheEventThatEndsIt)
{
    SessionHeader header = unwrap(engine.view(open())).header;
    header.id.text = "timed";
    header.name = "timed";
    int seq = 0;
    const auto at = [&](const std::string& time, const char* type, const std::string& data = "{}") {
        const SessionEvent event{++seq, "2026-01-01T" + time + ":00.000Z", type, data};
        ASSERT_TRUE(seq == 1 ? store->createSession(header, event) : store->appendEvent(header.id, event));
    };
    at("10:00", event::kOpened, R"({"start": "transpose/naive", "problem": "M=64,N=64"})");
    at("10:05", event::kEnvironmentChecked, R"({"checks": []})");
    at("10:07", event::kNote, R"({"text": "a"})");
    at("10:10", event::kSmallestVerified);
    at("10:30", event::kProfiled);
    at("11:00", event::kResumed);
    at("11:10", event::kFixChosen, R"({"candidate": "transpose/tiled"})");
    at("11:12", event::kCandidateVerified);
    at("11:17", event::kReverted);
    at("11:20", event::kNote, R"({"text": "b"})");
    const auto minutesByPhase = [&] {
        std::vector<double> all;
        const SessionView view = unwrap(engine.view(header.id));
        double sum = 0;
        for (const PhaseView& phase : view.phases) {
            all.push_back(phase.elapsedMinutes);
            sum += phase.elapsedMinutes;
        }
        EXPECT_DOUBLE_EQ(sum, view.minutes);
        return all;
    };
    EXPECT_THAT(minutesByPhase(), ElementsAre(5, 5, 20, 12, 8, 0)) << "what fits no phase yet is in the last one";
    at("13:20", event::kDocumented);
    EXPECT_THAT(minutesByPhase(), ElementsAre(5, 5, 20, 12, 5, 123)) << "two hours still count as work";
    at("15:21", event::kNote, R"({"text": "c"})");
    EXPECT_THAT(minutesByPhase(), ElementsAre(5, 5, 20, 12, 5, 123));
    at("15:31", event::kFinished, R"({"outcome": "reverted"})");
    at("15:41", event::kNote, R"({"text": "d"})");
    EXPECT_THAT(minutesByPhase(), ElementsAre(5, 5, 20, 12, 5, 123)) << "nothing is added at or after the end";
}

TEST_F(GateRows, AProfileOfAnIncorrectKernelSaysWhatWasIncorrect)
{
    const std::string plain = found("profile-taken");
    EXPECT_THAT(plain, AllOf(StartsWith("transpose/naive"), testing::EndsWith(toText(model.view.problem))));
    EXPECT_EQ(row("profile-taken").result, GateResult::pass);
    model.view.profileRun->correctness.result = CorrectnessResult::incorrect;
    model.view.profileRun->correctness.reason = "element 7";
    EXPECT_EQ(row("profile-taken").result, GateResult::fail);
    EXPECT_TRUE(found("profile-taken").starts_with(plain + ": ")) << found("profile-taken");
    EXPECT_THAT(found("profile-taken"), HasSubstr("element 7"));
}

TEST(EventWords, NameTheFieldThatMatters)
{
    const std::vector<std::pair<const char*, const char*>> fields{{event::kOpened, "start"},
                                                                  {event::kHypothesis, "text"},
                                                                  {event::kInstrumented, "text"},
                                                                  {event::kFailingCaseFound, "seen"},
                                                                  {event::kAnalyzed, "text"},
                                                                  {event::kIterationClosed, "learned"},
                                                                  {event::kParked, "to"},
                                                                  {event::kClaimAdded, "figure"},
                                                                  {event::kOptionSet, "name"},
                                                                  {event::kConditionsChanged, "what"},
                                                                  {event::kStalled, "text"},
                                                                  {event::kFixChosen, "title"},
                                                                  {event::kEditBegun, "file"},
                                                                  {event::kUndone, "what"},
                                                                  {event::kKept, "variant"},
                                                                  {event::kReverted, "variant"},
                                                                  {event::kFinished, "outcome"},
                                                                  {event::kWaived, "reason"},
                                                                  {event::kWritten, "text"},
                                                                  {event::kNote, "text"},
                                                                  {event::kPatternApplied, "slug"},
                                                                  {event::kProgress, "text"},
                                                                  {event::kAttempted, "summary"},
                                                                  {event::kHistoryLooked, "found"},
                                                                  {event::kRefusedAttempt, "message"}};
    std::set<std::string> heads;
    for (const auto& [type, field] : fields) {
        const std::string text = describeEvent({1, "", type, std::string("{\"other\":\"not this\",\"") + field + "\":\"the value\"}"});
        EXPECT_TRUE(text.ends_with("the value") || text.find("the value ") != std::string::npos) << type << ": " << text;
        EXPECT_EQ(text.find("not this"), std::string::npos) << type;
        EXPECT_TRUE(heads.insert(text).second || text == "the value") << text << " is of two types";
    }
    for (const char* type : {event::kEnvironmentChecked, event::kBuildValidated, event::kStartVerified, event::kMinimalVerified,
                             event::kResumed, event::kSmallestVerified, event::kBaselineMeasured, event::kProfiled,
                             event::kCandidateVerified, event::kMemoryChecked, event::kSanitized, event::kEvaluated, event::kDocumented}) {
        const std::string text = describeEvent({1, "", type, "{}"});
        EXPECT_NE(text, type) << "it has words";
        EXPECT_EQ(text.find('{'), std::string::npos) << text;
        EXPECT_TRUE(heads.insert(text).second) << text;
    }
    for (const char* damaged : {"{", "[]", "7"})
        EXPECT_EQ(describeEvent({1, "", event::kNote, damaged}), describeEvent({1, "", event::kNote, "{}"})) << damaged;
    EXPECT_EQ(describeEvent({1, "", "of a later version", "{}"}), "of a later version");
}

TEST(EventWords, NameEveryFieldOfAWaiverAnOptionAndATick)
{
    const auto words = [](const char* type, const char* data) { return describeEvent({1, "", type, data}); };
    EXPECT_THAT(words(event::kWaived, R"({"gate":"G1","reason":"borrowed"})"), AllOf(HasSubstr("G1"), HasSubstr("borrowed")));
    const std::string on = words(event::kOptionSet, R"({"name":"git","value":true})");
    EXPECT_THAT(on, HasSubstr("git"));
    EXPECT_THAT(words(event::kOptionSet, R"({"name":"git","value":false})"), AllOf(HasSubstr("git"), testing::Ne(on)));
    const std::string ticked = words(event::kTicked, R"({"item":"tail","note":"seen"})");
    const std::string taken = words(event::kTicked, R"({"item":"tail","note":""})");
    EXPECT_THAT(ticked, AllOf(HasSubstr("tail"), HasSubstr("seen")));
    EXPECT_THAT(taken, AllOf(HasSubstr("tail"), testing::Not(testing::EndsWith(" "))));
}

TEST(EventWords, SnapshotOfOptionsAndTicks)
{
    std::string text;
    for (const auto& [type, data] :
         {std::pair{event::kOptionSet, R"({"name":"git","value":true})"}, std::pair{event::kOptionSet, R"({"name":"git","value":false})"},
          std::pair{event::kTicked, R"({"item":"tail","note":"seen"})"}, std::pair{event::kTicked, R"({"item":"tail","note":""})"}})
        text += describeEvent({1, "", type, data}) + '\n';
    expectSnapshot("texts/session-events.txt", text);
}

} // namespace
} // namespace kl::test
