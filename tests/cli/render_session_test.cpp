// SPDX-License-Identifier: MIT
// Sessions, gates, environments, kernels and decisions in words.
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <chrono>
#include <gmock/gmock.h>
#include <set>
#include <utility>

namespace kl::cli {
namespace {

using test::findRow;
using test::lacksRow;
using test::readFigures;
using test::readRows;
using test::withFigures;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CheckRow makeCheck(const std::string& id, GateResult result)
{
    return {.id = id, .result = result, .found = "2 of " + id, .threshold = "at least 3", .fix = "Fix it.", .evidence = "run:7"};
}

TEST(RenderGate, ItsChecksHaveTheirFiguresAndTheFailedOnesTheirFix)
{
    GateView gate{
        .id = "G1",
        .title = "Environment",
        .rule = "It can measure.",
        .result = GateResult::fail,
        .progress = GateProgress::running,
        .checks = {makeCheck("gpu", GateResult::pass), makeCheck("driver", GateResult::fail), makeCheck("clock", GateResult::unknown)}};
    gate.checks[0].title = "A GPU";
    gate.checks[1].next = {{StepId::listCosts}};
    std::string text = renderGate(gate);
    EXPECT_THAT(readRows(text)[0], StartsWith("G1 Environment: "));
    EXPECT_EQ(readRows(text)[1], "It can measure.");
    std::set<std::string> results;
    for (const auto& [label, id] : {std::pair{"A GPU", "gpu"}, std::pair{"driver", "driver"}, std::pair{"clock", "clock"}}) {
        const std::string begin = std::string(label) + " | ", end = std::string(" | 2 of ") + id + " | at least 3 | run:7";
        const std::string row = findRow(text, begin);
        ASSERT_THAT(row, EndsWith(end));
        results.insert(row.substr(begin.size(), row.size() - begin.size() - end.size()));
    }
    EXPECT_EQ(results.size(), 3U) << "it passes, it fails, it is not known";
    EXPECT_EQ(findRow(text, "driver: "), "driver: Fix it: kloop cost");
    EXPECT_TRUE(lacksRow(text, "gpu: ")) << "only what fails is to fix";
    EXPECT_EQ(findRow(text, "clock: "), "") << "only what fails is to fix";
    EXPECT_TRUE(lacksRow(text, "stale"));
    EXPECT_TRUE(lacksRow(text, "waived"));
    gate.checks[1].title = "NVIDIA's kernel module";
    EXPECT_EQ(findRow(renderGate(gate), "NVIDIA's kernel module: "), "NVIDIA's kernel module: Fix it: kloop cost");
    EXPECT_TRUE(lacksRow(renderGate(gate), "driver")) << "its label in place of its id";
    gate.checks[1].title.clear();
    gate.checks[1].fix.clear();
    gate.checks[1].next.clear();
    EXPECT_EQ(findRow(renderGate(gate), "driver: "), "");
    gate.verdict = "One check fails.";
    gate.staleReason = "another driver";
    gate.waivedReason = "no time";
    gate.checks.clear();
    text = renderGate(gate);
    EXPECT_EQ(readRows(text)[1], "One check fails.");
    EXPECT_EQ(findRow(text, "stale"), "stale: another driver");
    EXPECT_EQ(findRow(text, "waived"), "waived: no time");
    EXPECT_TRUE(lacksRow(text, "Check")) << "no table of no checks";
}

TEST(RenderGate, EveryResultAndProgressSnapshot)
{
    std::string text;
    for (const auto& [progress, name] :
         {std::pair{GateProgress::notStarted, "notStarted"}, std::pair{GateProgress::running, "running"},
          std::pair{GateProgress::done, "done"}, std::pair{GateProgress::waived, "waived"}, std::pair{GateProgress::stale, "stale"}})
        for (const auto& [result, found] :
             {std::pair{GateResult::pass, "pass"}, std::pair{GateResult::fail, "fail"}, std::pair{GateResult::unknown, "unknown"}})
            text += std::string(name) + ' ' + found + ": " +
                    renderGate({.id = "G2", .title = "T", .rule = "It holds.", .result = result, .progress = progress});
    test::expectSnapshot("render/gates.txt", text);
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
        view_.gates = {{.id = "G1", .title = "First"}, {.id = "G2", .title = "Second", .rule = "It holds."}};
        view_.gate = "G2";
    }
    std::string text() const { return renderSession(view_); }

    SessionView view_;
};

TEST_F(RenderSession, TheHeadAndTheStagesHaveTheirTimes)
{
    EXPECT_EQ(readRows(text())[0], "N+6 | Make it fast");
    EXPECT_THAT(readRows(text())[1], StartsWith("optimize transpose, "));
    EXPECT_EQ(readFigures(readRows(text())[1]), "12 min | 1 h | 05 min");
    const std::string live = readRows(text())[1];
    std::set<std::string> states;
    for (const auto& [stage, end] : {std::pair<std::string, std::string>{"Begin | ", " | G1 | 8 min | 10 min"},
                                     {"Measure | ", " | G2 G3 | 4 min | 20 min"},
                                     {"Keep | ", " | 0 s | 5 min"}}) {
        const std::string row = findRow(text(), stage);
        ASSERT_THAT(row, EndsWith(end));
        states.insert(row.substr(stage.size(), row.size() - stage.size() - end.size()));
    }
    EXPECT_EQ(states.size(), 3U) << "done, current, skipped";
    EXPECT_EQ(findRow(text(), "Write"), "Write | 30 min");
    EXPECT_THAT(text(), HasSubstr("G2 Second"));
    EXPECT_THAT(text(), Not(HasSubstr("G1 First")));
    view_.header.source = Source::sample;
    EXPECT_THAT(readRows(text())[1], StartsWith(live + ", ")) << "which is reported";
    EXPECT_THAT(text(), EndsWith('\n' + renderGate(view_.gates[1]))) << "nothing else";
}

TEST_F(RenderSession, WhatBlocksItNamesItsRule)
{
    view_.why = "why";
    EXPECT_THAT(readRows(text()), Contains("why"));
    EXPECT_TRUE(lacksRow(text(), "Blocked"));
    view_.blocked = true;
    EXPECT_THAT(findRow(text(), "Blocked"), EndsWith(": why"));
    view_.rule = "one-variable";
    EXPECT_THAT(findRow(text(), "Blocked"), EndsWith(" one-variable: why"));
}

TEST_F(RenderSession, NextActionsHaveTheirCommandOrWhyNot)
{
    view_.next = {{.title = "Profile it", .step = {StepId::stepSession, {{StepArgument::session, "s1"}}}},
                  {.title = "Keep it", .step = {StepId::listCosts}, .enabled = false, .reason = "not measured"}};
    view_.afterwards = {{StepId::listPatterns}};
    const std::vector<std::string> rows = readRows(text());
    const auto next = std::ranges::find(rows, "Profile it");
    ASSERT_GE(rows.end() - next, 7);
    EXPECT_THAT(std::vector<std::string>(next + 1, next + 7),
                ElementsAre("kloop session step --session s1", AllOf(StartsWith("Keep it ("), EndsWith(": not measured)")), "kloop cost",
                            "", StartsWith("Afterwards"), titleFor({StepId::listPatterns})));
}

TEST_F(RenderSession, ClaimsIterationsAndParkedStepsAreTables)
{
    view_.claims = {{.claim = {"README", "1.5x", "baseline"}, .measured = "1.12×", .verdict = "missed"}};
    view_.iterations = {{.number = 2, .believed = "a race", .seen = "row 3", .fix = "a barrier", .learned = "mind it"}};
    view_.parked = {{.to = {"transpose", "tiled", {}}, .title = "Tile it", .ratio = {1.05, 1.02, 1.08}}};
    EXPECT_EQ(findRow(text(), "README"), "README | baseline | 1.5x | 1.12× | missed");
    EXPECT_EQ(readFigures(findRow(text(), "Iteration")), "2");
    EXPECT_EQ(findRow(text(), "hypothesis"), "hypothesis | a race");
    EXPECT_EQ(findRow(text(), "observed"), "observed | row 3");
    EXPECT_EQ(findRow(text(), "fix"), "fix | a barrier");
    EXPECT_EQ(findRow(text(), "learned"), "learned | mind it");
    EXPECT_EQ(findRow(text(), "sanitizer") + findRow(text(), "instrument") + findRow(text(), "analysis") + findRow(text(), "result"), "");
    EXPECT_THAT(findRow(text(), "transpose/tiled"), StartsWith("transpose/tiled | Tile it | 1.05× | "));
    EXPECT_EQ(readFigures(findRow(text(), "transpose/tiled")), "1.05× | 1.02× | 1.08×");
    EXPECT_TRUE(lacksRow(text(), "combined"));
    view_.parked.push_back(view_.parked[0]);
    view_.parkedRatio = Ratio{1.1, 1.04, 1.17};
    EXPECT_EQ(readFigures(findRow(text(), "combined")), "1.10× | 1.04× | 1.17×");
}

TEST_F(RenderSession, EveryPartOfOneSnapshot)
{
    std::string both = text();
    view_.header.source = Source::sample;
    view_.claims = {{.claim = {"README", "1.5x", "baseline"}, .measured = "1.12×", .verdict = "missed"}};
    view_.iterations = {{.number = 2, .believed = "a race", .seen = "row 3", .fix = "a barrier", .learned = "mind it"}};
    view_.parked = {2, {.to = {"transpose", "tiled", {}}, .title = "Tile it", .ratio = {1.05, 1.02, 1.08}}};
    view_.parkedRatio = Ratio{1.1, 1.04, 1.17};
    view_.why = "It is slower.";
    view_.blocked = true;
    view_.rule = "one-variable";
    view_.next = {{.title = "Profile it", .step = {StepId::stepSession, {{StepArgument::session, "s1"}}}},
                  {.title = "Keep it", .step = {StepId::listCosts}, .enabled = false, .reason = "not measured"}};
    view_.afterwards = {{StepId::listPatterns}};
    view_.sourceChange = SourceChange{.file = "k.cu", .summary = "+1 −1 lines", .diff = "-a\n+b\n"};
    view_.commit = "abc123";
    view_.outcome = "kept";
    view_.kept = true;
    view_.evaluation = Comparison{.ratio = Ratio{1.5, 1.4, 1.6}};
    view_.speedup = 0.75;
    view_.events = {{.seq = 1, .at = "2026-01-01T08:00:00.000Z", .type = "fix-chosen", .dataJson = "{}"},
                    {.seq = 2, .at = "2026-01-01T08:10:00.000Z", .type = "candidate-verified", .dataJson = "{}"},
                    {.seq = 3, .at = "2026-01-01T08:15:00.000Z", .type = "evaluated", .dataJson = "{}"}};
    test::expectSnapshot("render/session.txt", both + text());
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
        EXPECT_EQ(findRow(text(), name), std::string(name) + " | " + std::to_string(++number));
}

TEST_F(RenderSession, AnEditIsShownWithItsCommit)
{
    view_.sourceChange = SourceChange{.file = "k.cu", .summary = "+1 −1 lines", .diff = "-a\n+b\n"};
    view_.commit = "abc123";
    EXPECT_THAT(findRow(text(), "Edit"), EndsWith(" k.cu, +1 −1 lines"));
    EXPECT_THAT(text(), HasSubstr("\n-a\n+b\n"));
    EXPECT_THAT(findRow(text(), "Committed"), EndsWith(" abc123"));
}

TEST_F(RenderSession, TheOutcomeHasItsGainAndItsSpeedup)
{
    view_.outcome = "reverted";
    EXPECT_EQ(findRow(text(), "Outcome"), "Outcome: reverted");
    view_.outcome = "kept";
    view_.kept = true;
    view_.evaluation = Comparison{.ratio = Ratio{1.5, 1.4, 1.6}};
    view_.speedup = 0.75;
    EXPECT_THAT(findRow(text(), "Outcome"), StartsWith("Outcome: kept, "));
    EXPECT_EQ(readFigures(findRow(text(), "Outcome")), "1.50× | 0.75×");
}

TEST_F(RenderSession, AFixHasTheTimeOfItsParts)
{
    const std::size_t without = readRows(text()).size();
    view_.events = {{.seq = 1, .at = "2026-01-01T08:00:00.000Z", .type = "fix-chosen", .dataJson = "{}"},
                    {.seq = 2, .at = "2026-01-01T08:10:00.000Z", .type = "candidate-verified", .dataJson = "{}"},
                    {.seq = 3, .at = "2026-01-01T08:15:00.000Z", .type = "evaluated", .dataJson = "{}"}};
    EXPECT_THAT(readRows(text()), Contains(withFigures("10 min | 0 s | 5 min"))) << "to edit, test and measure";
    EXPECT_EQ(readRows(text()).size(), without + 2) << "with the blank line before it";
}

TEST_F(RenderSession, AnOldLogAsksForANote)
{
    const auto now = std::chrono::system_clock::now();
    view_.events = {{.seq = 1, .at = isoTime(now - std::chrono::minutes(45)), .type = "note"}};
    EXPECT_THAT(readRows(text()), Contains("kloop session note TEXT --session s1"));
    view_.events = {{.seq = 1, .at = isoTime(now), .type = "note"}};
    EXPECT_THAT(readRows(text()), Not(Contains("kloop session note TEXT --session s1")));
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
    const std::string text = renderEnvironment(report);
    EXPECT_EQ(findRow(text, "pass"), "pass | gpu | required | an H200");
    EXPECT_EQ(findRow(text, "fail"), "fail | torch | optional | none");
    EXPECT_EQ(findRow(text, "skipped"), "skipped | ncu | optional | not asked");
    EXPECT_EQ(findRow(text, "torch: "), "torch: Baselines need it.");
    EXPECT_THAT(readRows(text), Contains("Install it."));
    EXPECT_TRUE(lacksRow(text, "gpu: "));
    EXPECT_EQ(findRow(text, "ncu: "), "");
    report.checks[0].result = CheckResult::fail;
    EXPECT_THAT(readRows(renderEnvironment(report)), Contains("f1: kloop cost"));
}

TEST(RenderEnvironment, ReadyOrNotSnapshot)
{
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::pass, "an H200", "w1", "f1", {}},
                     {"torch", Requirement::optional, CheckResult::fail, "none", "Baselines need it.", "Install it.", {}}};
    const std::string ready = renderEnvironment(report);
    report.checks[0].result = CheckResult::fail;
    test::expectSnapshot("render/environment.txt", ready + renderEnvironment(report));
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
    const std::vector<std::string> rows = readRows(renderKernels(catalog));
    const auto targets = [](const std::string& family) {
        return AllOf(StartsWith(family + "/tma | Copies | (sm_90a, sm_100a"), EndsWith(")"));
    };
    const auto sizes = AllOf(HasSubstr(" N=64 | N=128 | ("), EndsWith(" N=1)"));
    EXPECT_THAT(rows, ElementsAre(AllOf(StartsWith("mine | My kernel, "), EndsWith(": cuBLAS")), EndsWith(": /home/me/kernel.json"),
                                  "mine/plain | dram-bound | One thread each", "mine/broken | fault | A race", targets("mine"), sizes, "",
                                  "other | My kernel", "other/plain | dram-bound | One thread each", "other/broken | fault | A race",
                                  targets("other"), sizes, "", StartsWith("solver | A solver, "), EndsWith(": /home/me/kernelloop.json")));
}

TEST(RenderDecision, StepsAreNumberedWithTheirCommands)
{
    const std::vector<std::string> rows = readRows(
        renderDecision({"medium", "Look closer.", {{"See the costs", {StepId::listCosts}}, {"Then the lessons", {StepId::listPatterns}}}}));
    EXPECT_THAT(rows, ElementsAre("medium: Look closer.", "1. See the costs", "kloop cost", "2. Then the lessons", "kloop patterns"));
}

} // namespace
} // namespace kl::cli
