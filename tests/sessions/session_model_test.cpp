// SPDX-License-Identifier: MIT
// What follows from a session's facts: gates, stale evidence, times, drafts; each from a view made by hand.
#include "sessions/session/session_model.h"

#include "sessions/session/action_arguments.h"
#include "sessions/session/checklist.h"
#include "sessions/session/gate.h"
#include "sessions/session/kernel_figures.h"
#include "sessions/session/log_cadence.h"
#include "sessions/session/next_steps.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_names.h"
#include "sessions/session/session_outcome.h"
#include "sessions/session/stale_evidence.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/template_budget.h"
#include "sessions/session/template_library.h"
#include "sessions/session/waiver.h"
#include "tests/sessions/modeled_session.h"

#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is wrong with a template after a change of its JSON; empty if nothing is.
template <class Change> std::string faultAfter(Change change, const std::string& kind = "optimize")
{
    Json plan = *parseJson(*templateText(kind), kind);
    change(plan);
    const Result<SessionTemplate> read = parseTemplate(encode(plan), "mine.json");
    if (read)
        return {};
    EXPECT_EQ(read.error().code, ErrorCode::badInput);
    EXPECT_EQ(read.error().where, "mine.json");
    return read.error().message;
}

TEST(TemplateFaults, AreNamedWithWhatTheyAreOf)
{
    EXPECT_EQ(faultAfter([](Json&) {}), "");
    for (const char* required : {"kind", "phases", "gates"})
        EXPECT_THAT(faultAfter([&](Json& plan) { plan[required] = plan[required].is_string() ? Json("") : Json::array(); }),
                    HasSubstr("required"))
            << required;
    EXPECT_THAT(faultAfter([](Json& plan) { plan["idle_after_minutes"] = 0; }), HasSubstr("idle_after_minutes"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["thresholds"]["gross_error"] = -0.1; }), HasSubstr("thresholds.gross_error"));
    EXPECT_EQ(faultAfter([](Json& plan) { plan["thresholds"]["gross_error"] = 0; }), "");
    EXPECT_THAT(faultAfter([](Json& plan) { plan["gates"][0]["checks"] = Json::array(); }), HasSubstr("\"G1\" has no checks"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["gates"].push_back(plan["gates"][0]); }), HasSubstr("\"G1\" appears twice"));
    EXPECT_THAT(faultAfter([](Json& plan) {
                    plan["gates"].push_back(plan["gates"][0]);
                    plan["gates"][5]["id"] = "";
                }),
                HasSubstr("a gate has no id"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][1]["gates"].push_back("G1"); }), HasSubstr("\"G1\" must close exactly one"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][0]["gates"] = Json::array(); }), HasSubstr("\"G1\" must close exactly one"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][0]["budget_minutes"] = 0; }), HasSubstr("\"environment\""));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][0]["steps"] = {"dance"}; }), HasSubstr("\"dance\""));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][0]["steps"] = {"keep"}; }), HasSubstr("\"keep\"")) << "gathers nothing";
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][5]["steps"] = {"evaluate"}; }), HasSubstr("the last phase, \"document\""));
    EXPECT_THAT(faultAfter([](Json& plan) {
                    const Json idle{{"id", "idle"}, {"title", "t"}, {"budget_minutes", 1}};
                    plan["phases"].insert(plan["phases"].begin(), idle);
                }),
                HasSubstr("\"idle\" needs a gate or a step"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][1]["id"] = "environment"; }), HasSubstr("\"environment\" appears twice"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][1]["id"] = "done"; }), HasSubstr("reserved"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][1]["id"] = ""; }), HasSubstr("a phase has no id"));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["budget_minutes"] = 189; }), HasSubstr("more than budget_minutes"));
    EXPECT_EQ(faultAfter([](Json& plan) { plan["budget_minutes"] = 190; }), "") << "the sum of the phases";
    EXPECT_THAT(faultAfter([](Json& plan) { plan["mood"] = 1; }), HasSubstr("\"mood\""));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["phases"][2]["mood"] = 1; }), HasSubstr("\"phases[2].mood\""));
    EXPECT_THAT(faultAfter([](Json& plan) { plan["gates"][0]["mood"] = 1; }), HasSubstr("\"gates[0].mood\""));
}

TEST(TemplateFaults, WhatRestsOnSomethingNeedsIt)
{
    const auto without = [](Json& plan, const std::string& phase) {
        for (std::size_t i = 0; i < plan["phases"].size(); ++i)
            if (plan["phases"][i]["id"] == phase) {
                for (const Json& gate : plan["phases"][i]["gates"])
                    for (std::size_t g = plan["gates"].size(); g-- > 0;)
                        if (plan["gates"][g]["id"] == gate)
                            plan["gates"].erase(g);
                plan["phases"].erase(i);
                return;
            }
    };
    EXPECT_EQ(faultAfter([&](Json& plan) { without(plan, "environment"); }), "");
    for (const char* phase : {"baseline", "profile", "fix", "evaluate"})
        EXPECT_NE(faultAfter([&](Json& plan) { without(plan, phase); }), "") << phase;
    EXPECT_THAT(faultAfter([&](Json& plan) {
                    without(plan, "evaluate");
                    plan["phases"][3]["steps"] = {"evaluate"};
                }),
                HasSubstr("\"improvement\""))
        << "nothing judges it";
    EXPECT_THAT(faultAfter([&](Json& plan) { without(plan, "evaluate"); }), HasSubstr("must be evaluated"));
    EXPECT_EQ(faultAfter([](Json&) {}, "debug"), "") << "which is not evaluated, but has a failing case";
}

TEST(Template, KnowsWhatItsPhasesAndGatesGather)
{
    using enum Evidence;
    const SessionTemplate plan = shipped("optimize");
    EXPECT_THAT(plan.evidenceOf(*plan.gate("G2")), ElementsAre(smallest, baseline));
    EXPECT_THAT(plan.evidenceOf(*plan.gate("G4")), ElementsAre(candidate, memory));
    EXPECT_THAT(plan.evidenceOf(plan.phases.back()), IsEmpty());
    EXPECT_EQ(plan.gateOf(baseline)->id, "G2");
    EXPECT_EQ(plan.gateOf(memory)->id, "G4");
    EXPECT_EQ(plan.gateOf(failingCase), nullptr);
    EXPECT_EQ(plan.phaseOf(smallest)->id, "baseline");
    EXPECT_EQ(plan.phaseOf(evaluation)->id, "evaluate");
    EXPECT_FALSE(plan.asksFor(build));
    EXPECT_EQ(plan.gate("G9"), nullptr);
    const SessionTemplate debug = shipped("debug");
    for (const Evidence kind : {hypothesis, instrument, failingCase, analysis, minimalCase, candidate})
        EXPECT_TRUE(debug.asksFor(kind)) << static_cast<int>(kind);
    EXPECT_FALSE(debug.asksFor(evaluation));
    SessionTemplate two = plan; // one phase with two gates, one that only the second asks for
    two.phases[1].gates = {"G1", "G2"};
    two.phases[0].gates.clear();
    EXPECT_EQ(two.phaseOf(environment)->id, "baseline");
    EXPECT_EQ(two.phaseOf(baseline)->id, "baseline");
    EXPECT_EQ(unknownThreshold(plan), "");
    two.thresholds["mood"] = 1;
    EXPECT_EQ(unknownThreshold(two), "mood");
}

TEST(TemplateBudget, EachStageGetsItsShareInTenthsOfAMinute)
{
    const std::string text = *templateText("optimize");
    const SessionTemplate third = *parseTemplate(*withBudget(text, 80), "t");
    EXPECT_DOUBLE_EQ(third.phases[0].budgetMinutes, 3.3);
    EXPECT_DOUBLE_EQ(third.phases[1].budgetMinutes, 6.6);
    EXPECT_EQ(third.budgetMinutes, 80);
    EXPECT_TRUE(withBudget(text, 24)) << "a minute for the shortest";
    EXPECT_FALSE(withBudget(text, 23));
    EXPECT_TRUE(withBudget(text, 7 * 24 * 60));
    EXPECT_FALSE(withBudget(text, 7 * 24 * 60 + 1));
    EXPECT_EQ(withBudget(text, std::numeric_limits<double>::quiet_NaN()).error().where, "budget");
}

TEST_F(ModeledSession, TheMethodGoesOnFromWhatIsThere)
{
    using enum Evidence;
    EXPECT_EQ(next(), "evaluate: keep revert");
    EXPECT_FALSE(model.view.blocked);
    EXPECT_EQ(model.view.gate, "G5");
    forget({evaluation});
    EXPECT_EQ(next(), "evaluate: evaluate revert");
    forget({memory});
    EXPECT_EQ(next(), "fix: check-memory revert");
    forget({candidate});
    EXPECT_EQ(next(), "fix: verify-suite revert");
    EXPECT_EQ(model.view.gate, "G4");
    EXPECT_FALSE(model.view.blocked) << "nothing is known yet";
    dropCandidate();
    EXPECT_EQ(next(), "document: document");
    model.view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", "", 0.5, "transpose/tiled"}, {"g", "By hand", "", 0.5, ""}};
    EXPECT_EQ(next(), "fix: choose-fix=f choose-fix=g! document");
    model.view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(next(), "document: document");
    forget({profile});
    EXPECT_EQ(next(), "profile: profile");
    EXPECT_EQ(model.view.rule, "profile-before-optimising");
    model.view.baselineRun->speedup = 0.49;
    EXPECT_EQ(next(), "profile: profile");
    EXPECT_EQ(model.view.rule, "stop-below-half");
    forget({baseline});
    EXPECT_EQ(next(), "baseline: measure-baseline");
    forget({smallest});
    EXPECT_EQ(next(), "baseline: verify-smallest");
    forget({environment});
    EXPECT_EQ(next(), "environment: check-environment");
    EXPECT_EQ(model.view.gate, "G1");
}

TEST_F(ModeledSession, WhatFailsBlocksAndCanBeWaived)
{
    SessionView& view = model.view;
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(next(), "fix: revert verify-suite waive=G4");
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.rule, "correctness-first");
    view.candidateRun->correctness.suite.back().pass = true;
    view.memoryCheck->found = 1;
    EXPECT_EQ(next(), "fix: revert waive=G4") << "the same code is not checked twice";
    view.memoryCheck->found = 0;
    view.evaluation->ratio = Ratio{1.1, 1.05, 1.15};
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    EXPECT_TRUE(view.blocked);
    view.cumulative = true;
    EXPECT_EQ(next(), "evaluate: park revert keep! evaluate waive=G5");
    EXPECT_FALSE(view.blocked) << "a small step is not a dead end";
    view.cumulative = false;
    view.evaluation->ratio = Ratio{1.25, 1.1, 1.4};
    view.evaluation->blocks = 20;
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    EXPECT_TRUE(view.blocked) << "an inconclusive one blocks, too";
    dropCandidate();
    view.profileRun->metrics.reset();
    EXPECT_EQ(next(), "profile: document profile waive=G3");
    view.baselineRun->baseline->gpu.reset();
    EXPECT_EQ(next(), "baseline: document measure-baseline waive=G2");
    view.environment->checks[0].result = CheckResult::fail;
    view.failedEnvironments = 1;
    EXPECT_EQ(next(), "environment: check-environment document waive=G1");
    view.failedEnvironments = 2;
    EXPECT_EQ(next(), "environment: document check-environment waive=G1") << "repeating did not fix it";
}

TEST_F(ModeledSession, ADecidedSessionIsDocumentedThenFinished)
{
    SessionView& view = model.view;
    view.kept = true;
    view.decision = LastDecision{10, true, "", "", ""};
    EXPECT_EQ(next(), "document: document undo");
    view.documented = true;
    EXPECT_EQ(next(), "document: finish undo");
    view.decision.reset();
    view.finished = true;
    view.outcome = "kept";
    EXPECT_EQ(next(), "done:");
    EXPECT_EQ(view.gate, "");
    for (const PhaseView& phase : view.phases)
        EXPECT_EQ(phase.state, PhaseState::done) << phase.id;
    EXPECT_EQ(openNext(view.header).at(StepArgument::kernel), "transpose");
    EXPECT_EQ(openNext(view.header).at(StepArgument::source), "");
    view.header.source = Source::sample;
    EXPECT_EQ(openNext(view.header).at(StepArgument::source), "sample");
}

TEST_F(ModeledSession, PhasesBehindAreDoneOrWereSkipped)
{
    using enum Evidence;
    forget({environment, evaluation});
    model.view.environment.reset();
    model.view.waivers["G1"] = {"no driver", 1};
    evaluate();
    std::vector<PhaseState> states;
    for (const PhaseView& phase : model.view.phases)
        states.push_back(phase.state);
    EXPECT_THAT(states, ElementsAre(PhaseState::skipped, PhaseState::done, PhaseState::done, PhaseState::done, PhaseState::current,
                                    PhaseState::upcoming));
}

TEST_F(ModeledSession, ParkedStepsCountWithTheCandidateAndAreDecidedWithoutOne)
{
    SessionView& view = model.view;
    ParkedStep step{view.start, {"transpose", "tiled", {}}, "Tile", {"c0"}, Ratio{1.15, 1.1, 1.2}, {}};
    view.parked = {step};
    view.current = step.to;
    view.parkedRatio = step.ratio;
    view.candidate = Address{"transpose", "padded", {}};
    view.candidateRun->kernel = *view.candidate;
    view.candidateRun->sourceHash = hashOf(*view.candidate);
    view.profileRun->kernel = view.current;
    view.evaluation->ratio = Ratio{1.12, 1.1, 1.15};
    EXPECT_EQ(next(), "evaluate: keep revert") << "1.1 by 1.1 is above 1.2";
    view.evaluation->ratio = Ratio{1.06, 1.05, 1.07};
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    dropCandidate();
    view.profileRun->diagnosis->finding.fixes.clear();
    EXPECT_EQ(next(), "evaluate: revert keep! waive=G5");
    EXPECT_TRUE(checkWaivable(model, *model.gate("G5"))) << "they were measured, each by itself";
    view.waivers["G5"] = {"simpler code", 20};
    EXPECT_EQ(next(), "evaluate: keep revert");
    view.documented = true;
    EXPECT_EQ(next(), "document: finish");
}

TEST_F(ModeledSession, KeepingOffersACommitWhereTheEditIsInGit)
{
    SessionView& view = model.view;
    view.candidate = view.current;
    view.candidateRun->kernel = view.current;
    view.sourceChange = SourceChange{"k.cu", hashOf(view.current), hashOf(view.current), "+1", "", "", "", true, ""};
    view.candidateRun->sourceHash = hashOf(view.current);
    view.memoryCheck->sourceHash = hashOf(view.current);
    EXPECT_EQ(next(), std::string("evaluate: keep keep=") + kKeepWithGit + " revert");
    view.git = true;
    EXPECT_EQ(next(), std::string("evaluate: keep keep=") + kKeepWithoutGit + " revert");
    view.sourceChange->git = false;
    EXPECT_EQ(next(), "evaluate: keep revert");
}

TEST_F(ModeledSession, TheChecklistIsTickedByEvidenceElseByANote)
{
    SessionView& view = model.view;
    const auto item = [&](std::string_view id) {
        evaluate();
        const std::vector<ChecklistItem> items = checklistOf(model);
        return *std::ranges::find(items, id, &ChecklistItem::id);
    };
    const auto state = [&](std::string_view id) { return std::string(toString(item(id).state)); };
    for (const char* done : {"clean-build", "dependencies", "loads", "smoke", "compared", "launch-overhead", "G1", "G5"})
        EXPECT_EQ(state(done), "done") << done;
    for (const std::string_view open : {std::string_view("verbose-build"), std::string_view("warnings"), std::string_view(kHistoryItem)})
        EXPECT_EQ(state(open), "open") << open;
    EXPECT_EQ(item("clean-build").evidence, "run:r1") << "it compiled for its first run";
    EXPECT_EQ(item("launch-overhead").evidence, "run:r2");
    EXPECT_FALSE(item("smoke").next) << "done";
    view.build = BuildFacts{"ok", "", "log", "sm_90", 1, 2, ""};
    view.evidence[Evidence::build] = 3;
    EXPECT_EQ(item("clean-build").evidence, "event:3");
    EXPECT_EQ(state("verbose-build"), "done");
    EXPECT_EQ(item("verbose-build").evidence, "artifact:log");
    EXPECT_EQ(state("warnings"), "failed");
    view.build->warnings = 0;
    EXPECT_EQ(state("warnings"), "done");
    view.build->status = "compilation_failed";
    view.build->reason = "an error";
    EXPECT_EQ(state("clean-build"), "failed");
    EXPECT_EQ(item("clean-build").found, "an error");
    view.build->unavailable = "not recorded";
    EXPECT_EQ(state("warnings"), "open");
    EXPECT_EQ(state("verbose-build"), "open");
    EXPECT_EQ(state("clean-build"), "done") << "the run proves it";
    view.smallestRun->correctness.unwritten = 1;
    EXPECT_EQ(state("smoke"), "failed");
    view.smallestRun->correctness.unwritten = 0;
    view.smallestRun->correctness.nonfinite = 1;
    EXPECT_EQ(state("smoke"), "failed");
    view.smallestRun->correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(state("compared"), "failed");
    view.smallestRun->status = ResultStatus::validationFailed;
    EXPECT_EQ(state("loads"), "done") << "it launched";
    view.smallestRun->status = ResultStatus::computationFailed;
    EXPECT_EQ(state("loads"), "failed");
    view.smallestRun->correctness = {};
    EXPECT_EQ(state("smoke"), "open");
    view.smallestRun->status = ResultStatus::compilationFailed;
    EXPECT_EQ(state("clean-build"), "failed");
    view.baselineRun->timing->gpu.median = 9'999;
    EXPECT_EQ(state("launch-overhead"), "failed") << "below ten microseconds";
    view.environment->checks[0].result = CheckResult::fail;
    EXPECT_EQ(state("dependencies"), "failed");
    EXPECT_EQ(state("G1"), "failed");
    EXPECT_TRUE(item("dependencies").next);
    view.ticks = {{"smoke", "seen"}, {"loads", "odd"}};
    EXPECT_EQ(state("smoke"), "done");
    EXPECT_TRUE(item("smoke").byNote);
    EXPECT_EQ(state("loads"), "failed") << "a note does not overrule evidence";
    EXPECT_EQ(item("loads").note, "odd");
    view.historySeq = 4;
    view.historyFound = "abc";
    EXPECT_EQ(state(kHistoryItem), "done");
    EXPECT_EQ(item(kHistoryItem).evidence, "event:4");
    view.waivers["G1"] = {"known", 9};
    EXPECT_EQ(state("G1"), "done");
    EXPECT_EQ(item("G1").note, "known");
    EXPECT_TRUE(item("G1").byNote);
}

TEST_F(ModeledSession, TheCalculatorsTakeTheNewestRunOfTheCurrentVariant)
{
    SessionView& view = model.view;
    EXPECT_EQ(figuresOf(model)->run, "r3") << "the profile";
    view.profileRun->kernel.variant = "padded";
    EXPECT_EQ(figuresOf(model)->run, "r2");
    view.baselineRun->launches = {{"small", 16, 256, 32, 0, 1024, 0}, {"large", 16, 64, 40, 0, 1024, 2048}};
    KernelFigures figures = *figuresOf(model);
    EXPECT_EQ(figures.smem, 3072) << "of several launches, that with the most";
    EXPECT_EQ(figures.registers, 40);
    EXPECT_EQ(figures.threads, 64);
    EXPECT_EQ(figures.cost->kernelUs, 20);
    EXPECT_FALSE(figures.launchMeasured);
    EXPECT_EQ(figures.cost->launchUs, 5) << "the documents' figure";
    view.baselineRun->timing->host = 27'000;
    EXPECT_TRUE(figuresOf(model)->launchMeasured);
    EXPECT_EQ(figuresOf(model)->cost->launchUs, 7);
    view.baselineRun->timing->host = 20'000;
    EXPECT_FALSE(figuresOf(model)->launchMeasured) << "no time is left for the launch";
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun})
        (*run)->launches.clear();
    figures = *figuresOf(model);
    EXPECT_FALSE(figures.compiled);
    EXPECT_EQ(figures.run, "");
    EXPECT_EQ(figures.gpu, "") << "none is known";
    EXPECT_FALSE(figures.fit);
    view.device = "NVIDIA H200";
    EXPECT_TRUE(figuresOf(model)->fit->fits);
    EXPECT_FALSE(figuresOf(model)->occupancy) << "registers are not known";
    view.baselineRun.reset();
    EXPECT_FALSE(figuresOf(model)->cost);
    model.catalog = nullptr;
    EXPECT_FALSE(figuresOf(model));
}

TEST_F(ModeledSession, TunablesAreSearchedOnAGpuAlone)
{
    SessionView& view = model.view;
    dropCandidate();
    model.family = *catalog.family("attention");
    view.header.kernel = "attention";
    view.start = view.current = {"attention", "fused", {}};
    view.problem = model.family->problems.front();
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.profileRun}) {
        (*run)->kernel = view.current;
        (*run)->problem = view.problem;
        (*run)->sourceHash = hashOf(view.current);
        (*run)->correctness.suite.clear();
    }
    view.profileRun->diagnosis->finding.fixes = {{"f", "Pad", "", 0.5, "attention/fused@SWIZZLE=pad"}};
    EXPECT_EQ(next(), std::string("fix: choose-fix=f choose-fix=") + kSearchFix + " document");
    view.header.source = Source::sample;
    EXPECT_EQ(next(), "fix: choose-fix=f document") << "a recording has no times of a space";
}

TEST_F(ModeledSession, EachDebuggingStepIsProposedInItsIteration)
{
    using enum Evidence;
    SessionView& view = model.view;
    dropCandidate();
    model.plan = shipped("debug");
    view.evidence[hypothesis] = view.evidence[instrument] = view.evidence[failingCase] = view.evidence[analysis] = 5;
    view.failingProblem = model.family->smallest;
    view.failingRun = view.smallestRun;
    view.iterations = {{.number = 1, .learned = "It is not an index."}, {.number = 2, .believed = "a bound"}};
    view.iterationOpen = true;
    const auto actions = [&] {
        evaluate();
        std::string text;
        for (const NextAction& action : view.next)
            text += std::string(toString(action.action)) + ' ';
        return text;
    };
    const std::string write = std::string(toString(SessionAction::analyze)) + ' ';
    EXPECT_EQ(next().substr(0, 4), "fix:");
    view.evidence.erase(analysis);
    EXPECT_EQ(actions(), "sanitize " + write + write + "document ");
    EXPECT_THAT(view.why, HasSubstr("Iteration 2"));
    view.iterations.back().sanitizer = "nothing";
    EXPECT_EQ(actions(), write + "sanitize " + write + "document ") << "what was run comes later";
    view.header.source = Source::sample;
    EXPECT_EQ(actions(), write + write + "document ") << "a recording runs no kernel";
    view.evidence.erase(failingCase);
    EXPECT_EQ(actions(), "find-failing document ");
    view.evidence.erase(instrument);
    EXPECT_EQ(actions(), "instrument instrument document ");
    view.evidence.erase(hypothesis);
    view.iterationOpen = false;
    EXPECT_EQ(actions(), "hypothesis hypothesis document ");
    EXPECT_THAT(view.why, HasSubstr("Iteration 3"));
    EXPECT_THAT(proposedWords(model, SessionAction::hypothesis), HasSubstr("It is not an index.")) << "what was learned last";
    view.failingRun->correctness.suite = {{"M=1", false, 2, 0, 1, 3}, {"M=2", true}};
    const std::string seen = proposedWords(model, SessionAction::analyze);
    EXPECT_THAT(seen, HasSubstr("1 of 2 sizes (M=1)"));
    EXPECT_THAT(seen, HasSubstr("3 elements unwritten, 1 non-finite"));
    view.failingRun->correctness.suite[1].pass = false;
    EXPECT_NE(proposedWords(model, SessionAction::analyze), seen);
    EXPECT_EQ(proposedWords(model, SessionAction::keep), "");
}

TEST_F(ModeledSession, GatesRunAreDoneOrAreWaivedByWhatCameLast)
{
    using enum Evidence;
    SessionView& view = model.view;
    EXPECT_EQ(gate("G4").progress, GateProgress::done);
    EXPECT_EQ(gate("G2").level, "medium");
    EXPECT_EQ(gate("G3").level, "");
    EXPECT_EQ(gate("G4").title, model.plan.gate("G4")->title);
    EXPECT_EQ(gate("G4").rule, model.plan.gate("G4")->rule);
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(gate("G4").progress, GateProgress::running);
    EXPECT_TRUE(gate("G4").blocks);
    view.waivers["G4"] = {"known", 9};
    EXPECT_EQ(gate("G4").progress, GateProgress::waived);
    EXPECT_EQ(gate("G4").waivedReason, "known");
    for (const int overtaken : {8, 7}) {
        view.waivers["G4"].seq = overtaken;
        EXPECT_EQ(gate("G4").progress, GateProgress::running) << "before the memory check";
    }
    view.waivers["G4"].seq = 9;
    view.fixSeq = 9;
    EXPECT_EQ(gate("G4").progress, GateProgress::running) << "of the fix before";
    view.fixSeq = 6;
    view.conditionsSeq = 10;
    EXPECT_EQ(gate("G4").progress, GateProgress::running) << "on another device";
    view.conditionsSeq = 0;
    view.candidateRun->correctness.suite.back().pass = true;
    EXPECT_EQ(gate("G4").progress, GateProgress::done) << "it passes by itself";
    EXPECT_EQ(gate("G4").waivedReason, "");
    view.stale[candidate] = "changed";
    EXPECT_EQ(gate("G4").progress, GateProgress::waived) << "given for stale evidence";
    view.waivers.clear();
    EXPECT_EQ(gate("G4").progress, GateProgress::stale);
    EXPECT_EQ(gate("G4").staleReason, "changed");
    EXPECT_FALSE(model.settled(candidate));
    view.stale.clear();
    dropCandidate();
    EXPECT_EQ(gate("G4").progress, GateProgress::notStarted);
    EXPECT_EQ(gate("G4").verdict, "");
    view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(gate("G4").progress, GateProgress::stale);
    EXPECT_THAT(gate("G4").staleReason, HasSubstr("transpose/tiled"));
    EXPECT_EQ(gate("G3").progress, GateProgress::done) << "its evidence is not a candidate's";
    view.tried.clear();
    view.parked.push_back({view.start, {"transpose", "padded", {}}, "", {}, {}, {}});
    EXPECT_THAT(gate("G5").staleReason, HasSubstr("transpose/padded"));
}

TEST_F(ModeledSession, ARequiredRowDecidesAndAnOptionalOneDoesNot)
{
    SessionView& view = model.view;
    view.baselineRun->speedup = 0.4;
    EXPECT_EQ(gate("G2").result, GateResult::fail);
    EXPECT_FALSE(gate("G2").blocks) << "the way on is the profile";
    EXPECT_EQ(gate("G2").level, "critical");
    view.baselineRun->speedup.reset();
    EXPECT_EQ(gate("G2").result, GateResult::pass) << "a speedup that is unknown is not judged";
    EXPECT_EQ(gate("G2").level, "");
    view.baselineRun.reset();
    EXPECT_EQ(gate("G2").result, GateResult::unknown);
    EXPECT_TRUE(gate("G2").blocks);
    view.profileRun->metrics->plan.ran = 1;
    EXPECT_EQ(gate("G3").result, GateResult::pass) << "passes-complete is optional";
    view.environment->checks.push_back({"torch", Requirement::optional, CheckResult::fail, "", "", ""});
    EXPECT_EQ(gate("G1").result, GateResult::pass);
    view.environment->checks[1].requirement = Requirement::required;
    EXPECT_EQ(gate("G1").result, GateResult::fail);
}

TEST_F(ModeledSession, AProgramsRowsClaimNoFiguresThatItsCommandDoesNotGive)
{
    KernelFamily program = *model.family;
    program.programHash = "h";
    program.checkedByCommand = true;
    model.family = &program;
    model.view.candidateRun->correctness.suite.back().unwritten = 1;
    const auto rowOf = [&](const std::string& gateId, const std::string& id) {
        const std::vector<CheckRow> rows = gate(gateId).checks;
        return *std::ranges::find(rows, id, &CheckRow::id);
    };
    EXPECT_EQ(rowOf("G4", "written").result, GateResult::unknown);
    EXPECT_EQ(rowOf("G4", "written").requirement, Requirement::optional);
    EXPECT_EQ(rowOf("G4", "suite-right").requirement, Requirement::required);
    const std::string passed = rowOf("G2", "kernel-right").found;
    EXPECT_EQ(passed.find(toText(model.view.problem)), std::string::npos) << passed;
    model.view.baselineRun->correctness.result = CorrectnessResult::incorrect;
    model.view.baselineRun->correctness.reason = "it differs";
    EXPECT_EQ(rowOf("G2", "kernel-right").result, GateResult::fail);
    EXPECT_THAT(rowOf("G2", "kernel-right").found, HasSubstr("it differs"));
    EXPECT_THAT(rowOf("G2", "kernel-right").next, IsEmpty()) << "a worker cannot run it";
    program.checkedByCommand = false;
    EXPECT_EQ(rowOf("G4", "written").result, GateResult::fail);
    model.family = *catalog.family("transpose");
    EXPECT_FALSE(rowOf("G2", "kernel-right").next.empty());
}

TEST_F(ModeledSession, EvidenceIsStaleByWhatChangedSince)
{
    using enum Evidence;
    SessionView& view = model.view;
    const auto stale = [&] {
        std::vector<Evidence> kinds;
        for (const auto& [kind, why] : staleEvidence(view, catalog)) {
            EXPECT_FALSE(why.empty());
            kinds.push_back(kind);
        }
        return kinds;
    };
    EXPECT_THAT(stale(), IsEmpty());
    view.candidateRun->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(candidate, memory, evaluation)) << "what rests on it, too";
    EXPECT_EQ(staleEvidence(view, catalog).at(memory), staleEvidence(view, catalog).at(candidate)) << "for the same reason";
    view.memoryCheck->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(candidate, memory, evaluation));
    view.candidateRun->sourceHash = "";
    view.memoryCheck->sourceHash = "";
    EXPECT_THAT(stale(), IsEmpty()) << "an old record has no hash";
    view.candidateRun->sourceHash = hashOf(*view.candidate);
    EXPECT_THAT(stale(), ElementsAre(memory)) << "the check was of another text";
    view.memoryCheck->sourceHash = view.candidateRun->sourceHash;
    view.baselineRun->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(baseline));
    view.header.source = Source::sample;
    EXPECT_THAT(stale(), IsEmpty()) << "a recording does not change";
    view.header.source = Source::live;
    view.baselineRun->sourceHash = hashOf(view.start);
    view.current = {"transpose", "tiled", {}};
    EXPECT_THAT(stale(), ElementsAre(profile)) << "it is of the variant before";
    view.current = view.start;
    view.conditionsSeq = 7;
    view.conditionsChanged = "another driver";
    view.evidence[hypothesis] = view.evidence[instrument] = view.evidence[analysis] = 2;
    EXPECT_THAT(stale(), ElementsAre(environment, smallest, baseline, profile)) << "what was measured before";
    EXPECT_EQ(staleEvidence(view, catalog).at(smallest), "another driver");
    view.finished = true;
    EXPECT_THAT(stale(), IsEmpty());
}

TEST_F(ModeledSession, WhileTheFilesHoldAnEditItsStartIsNotStale)
{
    using enum Evidence;
    SessionView& view = model.view;
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.profileRun})
        (*run)->sourceHash = "before";
    view.sourceChange = SourceChange{"k.cu", "before", "after", "", "", "", "", false, ""};
    view.candidate = view.current;
    view.candidateRun->kernel = view.current;
    view.candidateRun->sourceHash = view.memoryCheck->sourceHash = hashOf(view.current);
    EXPECT_THAT(staleEvidence(view, catalog), IsEmpty());
    view.sourceChange->before = "another";
    EXPECT_TRUE(staleEvidence(view, catalog).contains(profile));
    view.sourceChange.reset();
    EXPECT_TRUE(staleEvidence(view, catalog).contains(baseline)) << "without the edit the text is another";
    view.editing = BegunEdit{"k.cu", "before", "", false, "", ""};
    EXPECT_FALSE(staleEvidence(view, catalog).contains(baseline));
    view.editing.reset();
    ParkedStep step{view.start, view.start, "", {}, {}, SourceChange{"k.cu", "before", hashOf(view.start), "", "", "", "", false, ""}};
    view.parked = {step};
    const auto stale = staleEvidence(view, catalog);
    EXPECT_FALSE(stale.contains(baseline)) << "it is of the start";
    EXPECT_TRUE(stale.contains(profile)) << "the parked edit is to be profiled";
    view.parked[0].to = {"transpose", "padded", {}};
    EXPECT_TRUE(staleEvidence(view, catalog).contains(baseline)) << "the edit was of another variant";
}

TEST_F(ModeledSession, FixesAreReadyThatChangeOneThingAndWereNotTried)
{
    SessionView& view = model.view;
    const auto ready = [&] {
        std::string ids;
        for (const Fix& fix : model.readyFixes())
            ids += fix.id + ' ';
        return ids;
    };
    view.profileRun->diagnosis->finding.fixes = {{"tile", "", "", 0, "transpose/tiled"},
                                                 {"none", "", "", 0, ""},
                                                 {"two", "", "", 0, "transpose/padded"},
                                                 {"same", "", "", 0, "transpose/naive"},
                                                 {"odd", "", "", 0, "no//address"}};
    EXPECT_EQ(ready(), "tile ");
    view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(ready(), "");
    view.tried.clear();
    model.family = nullptr;
    EXPECT_EQ(ready(), "");
    model.family = *catalog.family("transpose");
    view.profileRun->diagnosis.reset();
    EXPECT_EQ(ready(), "");
    model.plan = shipped("debug");
    EXPECT_EQ(ready(), "transpose/tiled ") << "the variants that follow the start";
    EXPECT_FALSE(model.editable()) << "a kernel of the catalog is not the user's";
    EXPECT_EQ(model.sourceNow(), hashOf(view.current));
    model.catalog = nullptr;
    EXPECT_EQ(model.sourceNow(), "");
    EXPECT_EQ(ready(), "");
}

TEST_F(ModeledSession, AnEditHasMovedWhereTheFileIsNotAsItWasTaken)
{
    SessionView& view = model.view;
    EXPECT_FALSE(model.editMoved()) << "there is none";
    view.sourceChange = SourceChange{"k.cu", "before", hashOf(view.current), "", "", "", "", false, ""};
    EXPECT_FALSE(model.editMoved());
    view.sourceChange->after = "other";
    EXPECT_TRUE(model.editMoved());
    view.kept = true;
    EXPECT_FALSE(model.editMoved()) << "decided";
    view.kept = false;
    ParkedStep step{view.start, view.start, "", {}, {}, view.sourceChange};
    view.sourceChange.reset();
    view.parked = {step};
    EXPECT_FALSE(model.editMoved()) << "the candidate is a variant";
    view.candidate.reset();
    EXPECT_TRUE(model.editMoved());
    view.parked[0].source->after = hashOf(view.current);
    EXPECT_FALSE(model.editMoved());
}

TEST_F(ModeledSession, AGateIsWaivedOnceItWasAskedAndNotPassed)
{
    using enum Evidence;
    evaluate();
    const auto refused = [&](const char* id) {
        evaluate();
        const Status status = checkWaivable(model, *model.gate(id));
        return status ? std::string() : status.error().where;
    };
    EXPECT_EQ(refused("G4"), "G4") << "it has passed";
    model.view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(refused("G4"), "");
    dropCandidate();
    EXPECT_EQ(refused("G4"), "correctness-first");
    EXPECT_EQ(refused("G5"), "correctness-first");
    forget({profile});
    EXPECT_EQ(refused("G3"), "profile-before-optimising");
    forget({baseline, smallest});
    EXPECT_EQ(refused("G2"), "baseline-first");
    forget({environment});
    model.view.environment.reset();
    EXPECT_EQ(refused("G1"), "") << "a machine without tools is known before it is asked";
    model.view.finished = true;
    EXPECT_FALSE(checkWaivable(model, *model.gate("G1")));
}

TEST_F(ModeledSession, OutcomesAreWordsOfTheHistory)
{
    using enum Evidence;
    evaluate();
    EXPECT_EQ(outcomeOf(model), "nothing to fix");
    model.view.profileRun->diagnosis->finding.fixes = {{"tile", "", "", 0, "transpose/tiled"}};
    EXPECT_EQ(outcomeOf(model), "abandoned");
    model.view.reverted = true;
    EXPECT_EQ(outcomeOf(model), "reverted");
    model.view.kept = true;
    EXPECT_EQ(outcomeOf(model), "kept");
    model.view.kept = model.view.reverted = false;
    for (const auto& [kind, word] : {std::pair{"baseline", "baseline measured"}, std::pair{"profile", "profiled"}}) {
        model.plan = shipped(kind);
        evaluate();
        EXPECT_EQ(outcomeOf(model), word);
        model.view.gates.back().progress = GateProgress::stale;
        EXPECT_EQ(outcomeOf(model), "abandoned");
    }
    model.plan = shipped("debug");
    EXPECT_EQ(outcomeOf(model), "abandoned");
    model.view.evidence[failingCase] = 5;
    EXPECT_EQ(outcomeOf(model), "nothing to fix");
    model.view.failingProblem = model.view.problem;
    EXPECT_EQ(outcomeOf(model), "abandoned");
}

TEST_F(ModeledSession, StepsNameTheSessionAndWhereItIsKept)
{
    const auto named = [&](const std::string& location) {
        std::vector<NextStep> steps{{StepId::stepSession}, {StepId::checkEnvironment}};
        nameSession(steps, model.view.header, location);
        EXPECT_EQ(steps[1].at(StepArgument::session), "") << "it is of no session";
        return steps[0];
    };
    EXPECT_EQ(named(Store::defaultLocation()).at(StepArgument::session), "s1");
    EXPECT_EQ(named(Store::defaultLocation()).at(StepArgument::database), "");
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::database), "/elsewhere/kl.db");
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::source), "");
    model.view.header.source = Source::sample;
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::source), "sample");
    EXPECT_EQ(finishedAlready(model.view.header).code, ErrorCode::refused);
    next();
    EXPECT_EQ(model.view.next.at(0).step.id, StepId::stepSession) << "the recommended one";
    EXPECT_EQ(model.view.next.at(1).step.id, StepId::actInSession);
    EXPECT_EQ(model.view.next.at(1).step.at(StepArgument::action), "revert");
}

TEST(LogCadence, IsDueAfterThreeMinutesOfWorkAndNotInAPause)
{
    SessionView view;
    const TimePoint start = *parseIsoTime("2026-01-01T00:00:00.000Z");
    const auto due = [&](int seconds) { return logDueSince(view, start + std::chrono::seconds(seconds)); };
    EXPECT_FALSE(due(600)) << "there is no log";
    view.events = {{1, "2025-12-31T00:00:00.000Z", "opened", "{}"}, {2, "2026-01-01T00:00:00.000Z", "note", "{}"}};
    EXPECT_FALSE(due(180));
    EXPECT_DOUBLE_EQ(due(186).value_or(0), 3.1);
    EXPECT_TRUE(due(120 * 60));
    EXPECT_FALSE(due(120 * 60 + 1));
    view.finished = true;
    EXPECT_FALSE(due(186));
    view.finished = false;
    view.events.back().at = "odd";
    EXPECT_FALSE(due(186));
}

TEST_F(ModeledSession, TheFixIsTimedFromItsChoiceToItsDecision)
{
    SessionView& view = model.view;
    const auto at = [](int minute) { return "2026-01-01T00:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":00.000Z"; };
    const auto minutes = [&] {
        std::vector<double> all;
        for (const FixPart& part : fixParts(view))
            all.push_back(part.minutes.value_or(-1));
        return all;
    };
    view.candidateRun->workerSeconds = 120;
    view.events = {{1, at(0), "opened", "{}"}, {2, at(1), "kept", "{}"}, {3, at(5), "fix-chosen", "{}"}};
    EXPECT_THAT(minutes(), ElementsAre(-1, -1, -1, -1, -1));
    EXPECT_EQ(fixPartsText(view), "");
    view.events.push_back({4, at(25), "candidate-verified", R"({"build_seconds":180})"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, -1, -1)) << "less its build and its run";
    view.events.push_back({5, at(35), "evaluated", "{}"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, 10, -1));
    view.events.push_back({6, at(39), "parked", "{}"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, 10, 4));
    view.events[1].type = "edit-begun";
    EXPECT_THAT(minutes(), ElementsAre(19, 3, 2, 10, 4)) << "an edit begins before it is taken";
    view.header.source = Source::sample;
    EXPECT_THAT(minutes(), ElementsAre(21, 3, 0, 10, 4)) << "nothing ran";
    view.header.source = Source::live;
    view.candidateRun->workerSeconds = 3600;
    EXPECT_THAT(minutes(), ElementsAre(0, 3, 24, 10, 4)) << "no longer than all of it";
    view.minimalRun = view.candidateRun;
    view.minimalRun->workerSeconds = 60;
    view.events[3].type = "minimal-verified";
    EXPECT_THAT(minutes(), ElementsAre(20, 3, 1, 10, 4));
    std::vector<double> planned;
    for (const FixPart& part : fixParts(view))
        planned.push_back(part.planned);
    EXPECT_THAT(planned, ElementsAre(45, 5, 15, 20, 5));
    view.events = {{1, at(0), "opened", "{}"}};
    EXPECT_THAT(fixParts(view), IsEmpty());
}

TEST_F(ModeledSession, TheDocumentIsDraftedFromWhatHappened)
{
    SessionView& view = model.view;
    evaluate();
    const auto draft = [&](const char* question) { return draftAnswer(view, question); };
    EXPECT_EQ(draft("root-cause"), view.profileRun->diagnosis->finding.title);
    EXPECT_EQ(draft("worked"), "");
    EXPECT_EQ(draft("failed"), "");
    EXPECT_EQ(draft("expert"), "");
    view.profileRun->diagnosis->finding.fixes = {{"f1", "First fix"}, {"f2", "Second fix"}};
    EXPECT_THAT(draft("next"), HasSubstr("First fix"));
    view.fix = "f1";
    EXPECT_THAT(draft("next"), HasSubstr("Second fix"));
    view.kept = true;
    view.profileRun->diagnosis->secondary = {{"a", "First finding"}, {"b", "Second finding"}};
    EXPECT_THAT(draft("next"), HasSubstr("First finding"));
    EXPECT_THAT(draft("worked"), HasSubstr("transpose/tiled"));
    EXPECT_THAT(draft("worked"), HasSubstr("1.30"));
    view.patternsApplied = {"baseline-first"};
    EXPECT_THAT(draft("worked"), HasSubstr("baseline-first"));
    view.tried = {{"transpose", "padded", {}}};
    view.gates[2].result = GateResult::fail;
    EXPECT_THAT(draft("failed"), HasSubstr("transpose/padded"));
    EXPECT_THAT(draft("failed"), HasSubstr("G3"));
    EXPECT_THAT(draft("failed"), testing::Not(HasSubstr("G4")));
    view.waivers["G5"] = {"simple", 3};
    view.refusals = 1;
    EXPECT_THAT(draft("expert"), HasSubstr("G5 (simple)"));
    const std::string one = draft("expert");
    view.refusals = 2;
    EXPECT_NE(draft("expert"), one);
    view.phases[3].elapsedMinutes = view.phases[3].budgetMinutes;
    EXPECT_THAT(draft("expert"), testing::Not(HasSubstr("One fix")));
    view.phases[3].elapsedMinutes += 1;
    EXPECT_THAT(draft("expert"), HasSubstr("One fix"));
    view.iterations = {{.number = 1, .believed = "An index.", .analysis = "old", .learned = "No."},
                       {.number = 2, .believed = "A bound.", .analysis = "new", .learned = "Yes."},
                       {.number = 3}};
    EXPECT_EQ(draft("root-cause"), "new") << "the newest analysis";
    EXPECT_THAT(draft("failed"), HasSubstr("An index. No."));
    view.iterations.pop_back();
    EXPECT_THAT(draft("failed"), testing::Not(HasSubstr("A bound."))) << "the last one worked";
    view.written["next"] = "Rest.";
    const std::vector<DocumentAnswer> answers = documentOf(view);
    ASSERT_EQ(answers.size(), 5U);
    EXPECT_EQ(answers[4].text, "Rest.");
    EXPECT_FALSE(answers[4].drafted);
    EXPECT_TRUE(answers[0].drafted);
    EXPECT_EQ(answers[0].text, "new");
    view.profileRun.reset();
    view.why = "Go on.";
    EXPECT_EQ(draft("next"), "Go on.");
    view.finished = true;
    EXPECT_EQ(draft("next"), "");
    EXPECT_EQ(documentQuestion("failed")->id, "failed");
    EXPECT_EQ(documentQuestion("mood"), nullptr);
}

} // namespace
} // namespace kl::test
