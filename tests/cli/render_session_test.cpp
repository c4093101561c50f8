// SPDX-License-Identifier: MIT
// Sessions, gates, environments, kernels and decisions in words.
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "text_rows.h"

#include <chrono>
#include <gmock/gmock.h>

namespace kl::cli {
namespace {

using test::rowOf;
using test::rowsOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CheckRow checkOf(const std::string& id, GateResult result)
{
    return {.id = id, .result = result, .found = "2 of " + id, .threshold = "at least 3", .fix = "Fix it.", .evidence = "run:7"};
}

TEST(RenderGate, ItsChecksHaveTheirFiguresAndTheFailedOnesTheirFix)
{
    GateView gate{.id = "G1",
                  .title = "Environment",
                  .rule = "It can measure.",
                  .result = GateResult::fail,
                  .progress = GateProgress::running,
                  .checks = {checkOf("gpu", GateResult::pass), checkOf("driver", GateResult::fail), checkOf("clock", GateResult::unknown)}};
    gate.checks[0].title = "A GPU";
    gate.checks[1].next = {{StepId::listCosts}};
    std::string text = renderGate(gate);
    EXPECT_EQ(rowsOf(text)[0], "G1 Environment: fail (waiting for you)");
    EXPECT_EQ(rowsOf(text)[1], "It can measure.");
    EXPECT_EQ(rowOf(text, "Check"), "Check | Found | Threshold | Evidence");
    EXPECT_EQ(rowOf(text, "A GPU"), "A GPU | pass | 2 of gpu | at least 3 | run:7");
    EXPECT_EQ(rowOf(text, "driver"), "driver | fail | 2 of driver | at least 3 | run:7");
    EXPECT_EQ(rowOf(text, "clock"), "clock | unknown | 2 of clock | at least 3 | run:7");
    EXPECT_EQ(rowOf(text, "driver: "), "driver: Fix it: kloop cost");
    EXPECT_EQ(rowOf(text, "gpu: ") + rowOf(text, "clock: "), "") << "only what fails is to fix";
    EXPECT_EQ(rowOf(text, "stale") + rowOf(text, "waived"), "");
    gate.checks[1].fix.clear();
    gate.checks[1].next.clear();
    EXPECT_EQ(rowOf(renderGate(gate), "driver: "), "");
    gate.verdict = "One check fails.";
    gate.staleReason = "another driver";
    gate.waivedReason = "no time";
    gate.checks.clear();
    text = renderGate(gate);
    EXPECT_EQ(rowsOf(text)[1], "One check fails.");
    EXPECT_EQ(rowOf(text, "stale"), "stale: another driver");
    EXPECT_EQ(rowOf(text, "waived"), "waived: no time");
    EXPECT_EQ(rowOf(text, "Check"), "");
}

TEST(RenderGate, ItsResultAndProgressHaveTheirWords)
{
    const std::pair<GateProgress, const char*> progresses[] = {{GateProgress::notStarted, "not started"},
                                                               {GateProgress::running, "waiting for you"},
                                                               {GateProgress::done, "done"},
                                                               {GateProgress::waived, "waived"},
                                                               {GateProgress::stale, "stale"}};
    for (const auto& [progress, word] : progresses)
        for (const auto& [result, found] :
             {std::pair{GateResult::pass, "pass"}, std::pair{GateResult::fail, "fail"}, std::pair{GateResult::unknown, "unknown"}})
            EXPECT_EQ(rowsOf(renderGate({.id = "G2", .title = "T", .result = result, .progress = progress}))[0],
                      std::string("G2 T: ") + found + " (" + word + ")");
}

class RenderSession : public testing::Test {
protected:
    void SetUp() override
    {
        view_.header = {.id = {"s1"}, .name = "N+6", .kind = "optimize", .objective = "Make it fast", .kernel = "transpose"};
        view_.minutes = 12;
        view_.budgetMinutes = 65;
        view_.phases = {
            {.id = "a", .title = "Begin", .budgetMinutes = 10, .elapsedMinutes = 8, .state = PhaseState::done, .gates = {"G1"}},
            {.id = "b", .title = "Measure", .budgetMinutes = 20, .elapsedMinutes = 4, .state = PhaseState::current, .gates = {"G2", "G3"}},
            {.id = "c", .title = "Keep", .budgetMinutes = 5, .elapsedMinutes = 0, .state = PhaseState::skipped},
            {.id = "d", .title = "Write", .budgetMinutes = 30, .elapsedMinutes = 0, .state = PhaseState::upcoming}};
        view_.gates = {{.id = "G1", .title = "First"}, {.id = "G2", .title = "Second"}};
        view_.gate = "G2";
    }
    std::string text() const { return renderSession(view_); }

    SessionView view_;
};

TEST_F(RenderSession, TheHeadAndTheStagesHaveTheirTimes)
{
    EXPECT_EQ(rowsOf(text())[0], "N+6 | Make it fast");
    EXPECT_EQ(rowsOf(text())[1], "optimize transpose, 12 min of 1 h 05 min");
    EXPECT_EQ(rowOf(text(), "Stage"), "Stage | Gates | Spent | Budget");
    EXPECT_EQ(rowOf(text(), "Begin"), "Begin | done | G1 | 8 min | 10 min");
    EXPECT_EQ(rowOf(text(), "Measure"), "Measure | current | G2 G3 | 4 min | 20 min");
    EXPECT_EQ(rowOf(text(), "Keep"), "Keep | skipped | 0 s | 5 min");
    EXPECT_EQ(rowOf(text(), "Write"), "Write | 30 min");
    EXPECT_THAT(text(), HasSubstr("G2 Second"));
    EXPECT_THAT(text(), Not(HasSubstr("G1 First")));
    view_.header.source = Source::sample;
    EXPECT_EQ(rowsOf(text())[1], "optimize transpose, 12 min of 1 h 05 min, on the recorded sample");
    for (const char* unsaid : {"Next", "Afterwards", "Blocked", "Outcome", "Claim", "Iteration", "Set aside", "Edit of", "Committed"})
        EXPECT_EQ(rowOf(text(), unsaid), "") << unsaid;
}

TEST_F(RenderSession, WhatBlocksItNamesItsRule)
{
    view_.why = "It is slower.";
    EXPECT_THAT(rowsOf(text()), Contains("It is slower."));
    EXPECT_EQ(rowOf(text(), "Blocked"), "");
    view_.blocked = true;
    EXPECT_EQ(rowOf(text(), "Blocked"), "Blocked: It is slower.");
    view_.rule = "one-variable";
    EXPECT_EQ(rowOf(text(), "Blocked"), "Blocked by one-variable: It is slower.");
}

TEST_F(RenderSession, NextActionsHaveTheirCommandOrWhyNot)
{
    view_.next = {{.title = "Profile it", .step = {StepId::stepSession, {{StepArgument::session, "s1"}}}},
                  {.title = "Keep it", .step = {StepId::listCosts}, .enabled = false, .reason = "not measured"}};
    view_.afterwards = {{StepId::listPatterns}};
    const std::vector<std::string> rows = rowsOf(text());
    const auto next = std::ranges::find(rows, "Next:");
    ASSERT_GE(rows.end() - next, 8);
    EXPECT_THAT(std::vector<std::string>(next + 1, next + 8),
                ElementsAre("Profile it", "kloop session step --session s1", "Keep it (unavailable: not measured)", "kloop cost", "",
                            "Afterwards:", titleFor({StepId::listPatterns})));
}

TEST_F(RenderSession, ClaimsIterationsAndParkedStepsAreTables)
{
    view_.claims = {{.claim = {"README", "1.5x", "baseline"}, .measured = "1.12×", .verdict = "missed"}};
    view_.iterations = {{.number = 2, .believed = "a race", .seen = "row 3", .fix = "a barrier", .learned = "mind it"}};
    view_.parked = {{.to = {"transpose", "tiled", {}}, .title = "Tile it", .ratio = {1.05, 1.02, 1.08}}};
    EXPECT_EQ(rowOf(text(), "Claim"), "Claim | About | Claimed | Measured");
    EXPECT_EQ(rowOf(text(), "README"), "README | baseline | 1.5x | 1.12× | missed");
    EXPECT_THAT(rowsOf(text()), Contains("Iteration 2"));
    EXPECT_EQ(rowOf(text(), "hypothesis"), "hypothesis | a race");
    EXPECT_EQ(rowOf(text(), "observed"), "observed | row 3");
    EXPECT_EQ(rowOf(text(), "fix"), "fix | a barrier");
    EXPECT_EQ(rowOf(text(), "learned"), "learned | mind it");
    EXPECT_EQ(rowOf(text(), "sanitizer") + rowOf(text(), "instrument") + rowOf(text(), "analysis") + rowOf(text(), "result"), "");
    EXPECT_EQ(rowOf(text(), "Set aside"), "Set aside | Old / new | Interval");
    EXPECT_EQ(rowOf(text(), "transpose/tiled"), "transpose/tiled | Tile it | 1.05× | 1.02× to 1.08×");
    EXPECT_EQ(rowOf(text(), "combined"), "");
    view_.parked.push_back(view_.parked[0]);
    view_.parkedRatio = Ratio{1.1, 1.04, 1.17};
    EXPECT_EQ(rowOf(text(), "combined"), "combined | 1.10× | 1.04× to 1.17×");
}

TEST_F(RenderSession, AnIterationNamesWhatEachWordIsOf)
{
    view_.iterations = {{.number = 1,
                         .believed = "1",
                         .instrument = "2",
                         .seen = "3",
                         .sanitizer = "4",
                         .analysis = "5",
                         .fix = "6",
                         .result = "7",
                         .learned = "8"}};
    int number = 0;
    for (const char* name : {"hypothesis", "instrument", "observed", "sanitizer", "analysis", "fix", "result", "learned"})
        EXPECT_EQ(rowOf(text(), name), std::string(name) + " | " + std::to_string(++number));
}

TEST_F(RenderSession, AnEditIsShownWithItsCommit)
{
    view_.sourceChange = SourceChange{.file = "k.cu", .summary = "+1 −1 lines", .diff = "-a\n+b\n"};
    view_.commit = "abc123";
    EXPECT_THAT(rowsOf(text()), Contains("Edit of k.cu, +1 −1 lines"));
    EXPECT_THAT(text(), HasSubstr("\n-a\n+b\n"));
    EXPECT_THAT(rowsOf(text()), Contains("Committed as abc123"));
}

TEST_F(RenderSession, TheOutcomeHasItsGainAndItsSpeedup)
{
    view_.outcome = "reverted";
    EXPECT_EQ(rowOf(text(), "Outcome"), "Outcome: reverted");
    view_.outcome = "kept";
    view_.kept = true;
    view_.evaluation = Comparison{.ratio = Ratio{1.5, 1.4, 1.6}};
    view_.speedup = 0.75;
    EXPECT_EQ(rowOf(text(), "Outcome"), "Outcome: kept, 1.50× faster than before, 0.75× over the baseline");
}

TEST_F(RenderSession, AFixHasTheTimeOfItsParts)
{
    EXPECT_THAT(text(), Not(HasSubstr("Time of the fix")));
    view_.events = {{.seq = 1, .at = "2026-01-01T08:00:00.000Z", .type = "fix-chosen", .dataJson = "{}"},
                    {.seq = 2, .at = "2026-01-01T08:10:00.000Z", .type = "candidate-verified", .dataJson = "{}"},
                    {.seq = 3, .at = "2026-01-01T08:15:00.000Z", .type = "evaluated", .dataJson = "{}"}};
    EXPECT_THAT(rowsOf(text()), Contains("Time of the fix: edit 10 min, test 0 s, measure 5 min"));
}

TEST_F(RenderSession, AnOldLogAsksForANote)
{
    const auto now = std::chrono::system_clock::now();
    view_.events = {{.seq = 1, .at = isoTime(now - std::chrono::minutes(45)), .type = "note"}};
    EXPECT_THAT(rowsOf(text()), Contains("kloop session note TEXT --session s1"));
    view_.events = {{.seq = 1, .at = isoTime(now), .type = "note"}};
    EXPECT_THAT(rowsOf(text()), Not(Contains("kloop session note TEXT --session s1")));
}

TEST(RenderDiff, KeepsEveryLineAndEndsEach)
{
    EXPECT_EQ(renderDiff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n");
    EXPECT_EQ(renderDiff("a\n\nb\n"), "a\n\nb\n");
    EXPECT_EQ(renderDiff(""), "");
}

TEST(RenderEnvironment, FailedChecksSayWhyAndWhatToDo)
{
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::pass, "an H200", "w1", "f1", {{StepId::listCosts}}},
                     {"torch", Requirement::optional, CheckResult::fail, "none", "Baselines need it.", "Install it.", {}},
                     {"ncu", Requirement::optional, CheckResult::skipped, "not asked", "w3", "f3", {}}};
    std::string text = renderEnvironment(report);
    EXPECT_EQ(rowsOf(text)[0], "Check | Found");
    EXPECT_EQ(rowOf(text, "pass"), "pass | gpu | required | an H200");
    EXPECT_EQ(rowOf(text, "fail"), "fail | torch | optional | none");
    EXPECT_EQ(rowOf(text, "skipped"), "skipped | ncu | optional | not asked");
    EXPECT_EQ(rowOf(text, "torch: "), "torch: Baselines need it.");
    EXPECT_THAT(rowsOf(text), Contains("Install it."));
    EXPECT_EQ(rowOf(text, "gpu: ") + rowOf(text, "ncu: "), "");
    EXPECT_THAT(rowsOf(text).back(), HasSubstr("is ready"));
    report.checks[0].result = CheckResult::fail;
    text = renderEnvironment(report);
    EXPECT_THAT(rowsOf(text), Contains("f1: kloop cost"));
    EXPECT_THAT(rowsOf(text).back(), HasSubstr("cannot measure"));
}

TEST(RenderKernels, AFamilyHasItsVariantsSizesAndOrigin)
{
    KernelFamily own;
    own.id = "mine";
    own.title = "My kernel";
    own.smallest = {{"N", std::int64_t{1}}};
    own.problems = {{{"N", std::int64_t{64}}}, {{"N", std::int64_t{128}}}};
    own.origin.descriptor = "/home/me/kernel.json";
    own.baseline.name = "cuBLAS";
    own.variants.resize(3);
    own.variants[0].id = "plain";
    own.variants[0].title = "One thread each";
    own.variants[0].expected = "dram-bound";
    own.variants[1].id = "broken";
    own.variants[1].title = "A race";
    own.variants[1].expected = "balanced";
    own.variants[1].fault = "no barrier";
    own.variants[2].id = "tma";
    own.variants[2].title = "Copies";
    own.variants[2].targets = {"sm_90a", "sm_100a"};
    KernelFamily plain = own;
    plain.id = "other";
    plain.baseline.name.clear();
    plain.origin = {};
    KernelFamily program;
    program.id = "solver";
    program.title = "A solver";
    program.programHash = "abc";
    program.origin.descriptor = "/home/me/kernelloop.json";
    Catalog catalog({own, plain});
    ASSERT_TRUE(catalog.add(program).ok());
    const std::vector<std::string> rows = rowsOf(renderKernels(catalog));
    EXPECT_THAT(rows, ElementsAre("mine | My kernel, baseline: cuBLAS", "your own: /home/me/kernel.json",
                                  "mine/plain | dram-bound | One thread each", "mine/broken | fault | A race",
                                  "mine/tma | Copies | (sm_90a, sm_100a only)", "sizes: N=64 | N=128 | (smallest N=1)", "",
                                  "other | My kernel", "other/plain | dram-bound | One thread each", "other/broken | fault | A race",
                                  "other/tma | Copies | (sm_90a, sm_100a only)", "sizes: N=64 | N=128 | (smallest N=1)", "",
                                  "solver | A solver, a program: for sessions", "your own: /home/me/kernelloop.json"));
}

TEST(RenderDecision, StepsAreNumberedWithTheirToolAndCommand)
{
    const std::vector<std::string> rows = rowsOf(
        renderDecision({"medium", "Look closer.", {{"See the costs", {StepId::listCosts}}, {"Then the lessons", {StepId::listPatterns}}}}));
    EXPECT_THAT(rows, ElementsAre("medium: Look closer.", "1. See the costs", "kloop cost: kloop cost", "2. Then the lessons",
                                  "kloop patterns: kloop patterns"));
}

} // namespace
} // namespace kl::cli
