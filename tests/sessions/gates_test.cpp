// SPDX-License-Identifier: MIT
#include "sessions/session/gate.h"

#include "core/base/format.h"
#include "sessions/session/session_json.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/text_lines.h"

namespace kl::test {
namespace {

TEST_F(EngineTest, AFailedEnvironmentBlocksUntilItIsFixed)
{
    gpu.environment.checks.front().result = CheckResult::fail;
    gpu.environment.checks.front().fix = "install the driver";
    const SessionId id = open();
    SessionView view = step(id);
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.gate, "G1");
    EXPECT_EQ(findGate(view, "G1").result, GateResult::fail);
    EXPECT_EQ(findGate(view, "G1").checks.front().fix, "install the driver");
    EXPECT_EQ(view.next.front().action, SessionAction::checkEnvironment);
    EXPECT_EQ(refusedAct(id, SessionAction::verifySmallest).where, "G1");
    gpu.environment.checks.front().result = CheckResult::pass;
    view = step(id);
    EXPECT_FALSE(view.blocked);
    EXPECT_EQ(view.phase, "baseline");
}

TEST_F(EngineTest, ACriticalSpeedupFailsItsGateAndLeavesTheProfile)
{
    const SessionId id = open(); // transpose/naive is eight times slower than its baseline
    const SessionView view = stepTo(id, "profile");
    const GateView& speedup = findGate(view, "G2");
    EXPECT_EQ(speedup.result, GateResult::fail);
    EXPECT_EQ(speedup.level, "critical");
    EXPECT_FALSE(speedup.blocks);
    EXPECT_EQ(speedup.progress, GateProgress::done);
    EXPECT_FALSE(view.blocked) << "the profile is the way on";
    const Error refused = engine.waive(id, "G2", "why").error();
    EXPECT_EQ(refused.code, ErrorCode::badInput);
    const Error passed = engine.waive(id, "G1", "why").error();
    EXPECT_EQ(passed.code, ErrorCode::badInput);
    EXPECT_NE(withName(refused.message, "G2", "GATE"), withName(passed.message, "G1", "GATE")) << "it has not passed";
    EXPECT_EQ(view.next.front().action, SessionAction::profile);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "stop-below-half");
    const Json json = sessionToJson(stepTo(id, "done"));
    EXPECT_EQ(json["gates"][1]["result"], "fail");
    EXPECT_EQ(json["gates"][1]["level"], "critical");
    EXPECT_EQ(json["gates"][1]["blocks"], false);
}

TEST_F(EngineTest, ASpeedupOfHalfTheBaselineOrMorePassesItsGate)
{
    gpu.kernels["transpose/naive"] = {100'000, 50'000, true, "", 10};
    const SessionView view = stepTo(open(), "profile");
    EXPECT_EQ(findGate(view, "G2").result, GateResult::pass);
    EXPECT_EQ(findGate(view, "G2").level, "high");
}

TEST_F(EngineTest, AnEnvironmentThatStaysBrokenEndsTheSession)
{
    gpu.environment.checks.front().result = CheckResult::fail;
    EXPECT_EQ(stepTo(open(), "done").outcome, "abandoned");
}

TEST_F(EngineTest, AWaiverOpensTheGateAndKeepsItsReason)
{
    gpu.environment.checks.front().result = CheckResult::fail;
    const SessionId id = open();
    step(id);
    const SessionView view = unwrap(engine.waive(id, "G1", "the driver is being replaced"));
    EXPECT_EQ(findGate(view, "G1").progress, GateProgress::waived);
    EXPECT_EQ(findGate(view, "G1").result, GateResult::fail); // it is still what it was
    EXPECT_EQ(findGate(view, "G1").waivedReason, "the driver is being replaced");
    EXPECT_EQ(view.phase, "baseline");
    EXPECT_FALSE(view.blocked);
}

TEST_F(EngineTest, NewEvidenceOvertakesAWaiver)
{
    gpu.environment.checks.front().result = CheckResult::fail;
    const SessionId id = open();
    step(id);
    unwrap(engine.waive(id, "G1", "later"));
    const SessionView view = unwrap(engine.act(id, SessionAction::checkEnvironment));
    EXPECT_EQ(view.phase, "environment");
    EXPECT_TRUE(view.blocked);
}

TEST_F(EngineTest, AWaiverNeedsAReasonAndSomethingToWaive)
{
    const SessionId id = open();
    EXPECT_EQ(engine.waive(id, "G1", "  ").error().code, ErrorCode::usage);
    EXPECT_EQ(engine.waive(id, "G9", "why").error().code, ErrorCode::notFound);
    EXPECT_EQ(engine.waive(id, "G3", "no time").error().where, "profile-before-optimizing");
    step(id);
    EXPECT_EQ(engine.waive(id, "G1", "why").error().code, ErrorCode::badInput); // it has passed
}

TEST_F(EngineTest, AWrongKernelGetsNoSpeedup)
{
    gpu.kernels["transpose/naive"].right = false;
    const SessionId id = open();
    step(id);
    const SessionView view = step(id);
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(findGate(view, "G2").result, GateResult::fail);
    EXPECT_EQ(refusedAct(id, SessionAction::measureBaseline).where, "smallest-first");
    EXPECT_EQ(stepTo(id, "done").outcome, "abandoned");
}

TEST_F(EngineTest, AnUnavailableBaselineIsNeverANumber)
{
    gpu.kernels["transpose/naive"].baseline = false;
    const SessionId id = open();
    for (int i = 0; i < 3; ++i)
        step(id);
    const SessionView view = unwrap(engine.view(id));
    EXPECT_TRUE(view.blocked);
    EXPECT_FALSE(view.speedup);
    EXPECT_NE(findGate(view, "G2").verdict.find("torch is not installed"), std::string::npos);
    EXPECT_EQ(unwrap(engine.waive(id, "G2", "no torch on this host")).phase, "profile");
}

TEST_F(EngineTest, AProfileWithoutCountersIsNoFinding)
{
    gpu.kernels["transpose/naive"].counters = false;
    const SessionId id = open();
    stepTo(id, "profile");
    const SessionView view = step(id);
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.gate, "G3");
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "G3");
}

TEST_F(EngineTest, AWrongCandidateIsReverted)
{
    gpu.kernels["transpose/tiled"].wrongSize = "M=64,N=65";
    const SessionId id = open();
    stepUntil(id, SessionAction::verifySuite);
    const SessionView view = step(id);
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.rule, "correctness-first");
    EXPECT_EQ(findGate(view, "G4").result, GateResult::fail);
    EXPECT_NE(findGate(view, "G4").verdict.find("M=64,N=65"), std::string::npos);
    EXPECT_EQ(view.next.front().action, SessionAction::revert);
    const SessionView end = stepTo(id, "done");
    EXPECT_EQ(end.outcome, "reverted");
    EXPECT_NEAR(*end.speedup, 0.125, 1e-9); // the start is current
}

TEST_F(EngineTest, ASlowerCandidateIsReverted)
{
    gpu.kernels["transpose/tiled"].gpuNs = 500'000;
    const SessionId id = open();
    stepUntil(id, SessionAction::evaluate);
    const SessionView view = step(id);
    EXPECT_EQ(findGate(view, "G5").result, GateResult::fail);
    EXPECT_EQ(view.next.front().action, SessionAction::revert);
    EXPECT_EQ(chooseExitCode(view), 1);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "G5");
    EXPECT_EQ(chooseExitCode(step(id)), 0); // reverted, as the method recommends
    EXPECT_EQ(stepTo(id, "done").outcome, "reverted");
    EXPECT_EQ(toText(stepTo(open(), "profile").start), "transpose/naive"); // nothing was kept
}

TEST_F(EngineTest, AnInconclusiveEvaluationTakesTenMoreBlocksThenReverts)
{
    gpu.kernels["transpose/tiled"].gpuNs = 400'000 / 1.2;
    gpu.spread = 0.2;
    const SessionId id = open();
    stepUntil(id, SessionAction::evaluate);
    const SessionView view = step(id);
    EXPECT_EQ(view.evaluation->blocks, 20);
    EXPECT_EQ(findGate(view, "G5").result, GateResult::unknown);
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(chooseExitCode(view), 3);
    EXPECT_EQ(view.next.front().action, SessionAction::revert);
    const SessionView waived = unwrap(engine.waive(id, "G5", "the code is simpler"));
    EXPECT_EQ(waived.next.front().action, SessionAction::keep);
    EXPECT_EQ(stepTo(id, "done").outcome, "kept");
}

TEST_F(EngineTest, AfterARevertAnotherFixMayBeTried)
{
    gpu.kernels["transpose/tiled"].gpuNs = 500'000;
    const SessionId id = open();
    stepUntil(id, SessionAction::document);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "transpose/tiled").where, "one-variable"); // tried already
}

TEST_F(EngineTest, TheGateAloneOnlyEvaluates)
{
    const SessionId id = open();
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, "G1");
    EXPECT_EQ(unwrap(engine.gate(id, "G4")).progress, GateProgress::notStarted);
    EXPECT_EQ(engine.gate(id, "G7").error().code, ErrorCode::notFound);
    EXPECT_EQ(unwrap(engine.view(id)).events.size(), 1U);
}

TEST(Template, TheShippedOneIsValidAndHasTheMethodsBudgets)
{
    const Result<std::string> text = templateText("optimize");
    ASSERT_TRUE(text);
    const Result<SessionTemplate> plan = parseTemplate(*text, "optimize");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->budgetMinutes, 240);
    std::vector<double> budgets;
    for (const SessionTemplate::Phase& phase : plan->phases)
        budgets.push_back(phase.budgetMinutes);
    EXPECT_EQ(budgets, (std::vector<double>{10, 20, 30, 90, 20, 20}));
    EXPECT_EQ(plan->gates.size(), 5U);
    EXPECT_DOUBLE_EQ(plan->keepAt(), 1.2);
}

TEST(Template, FaultsAreNamed)
{
    const std::string text = *templateText("optimize");
    const auto spoilt = [&](const std::string& from, const std::string& to) {
        std::string changed = text;
        changed.replace(changed.find(from), from.size(), to);
        const Result<SessionTemplate> plan = parseTemplate(changed, "mine.json");
        return plan ? std::string("accepted") : plan.error().message;
    };
    EXPECT_NE(spoilt("\"suite-correct\"", "\"vibes\"").find("\"vibes\""), std::string::npos);
    EXPECT_NE(spoilt("\"gates\": [\"G3\"]", "\"gates\": [\"G8\"]").find("\"G8\""), std::string::npos);
    EXPECT_NE(spoilt("\"keep_improvement_min\": 0.2", "\"keep_improvement_min\": -1").find("keep_improvement_min"), std::string::npos);
    const std::string over = spoilt("\"budget_minutes\": 90", "\"budget_minutes\": 900");
    for (const char* figure : {"1000", "budget_minutes", "240"})
        EXPECT_NE(over.find(figure), std::string::npos) << over;
    EXPECT_NE(spoilt("\"budget_minutes\": 90", "\"budget_minutes\": \"long\"").find("budget_minutes"), std::string::npos);
}

TEST(Gate, LevelsFollowTheTable)
{
    const SessionTemplate plan = *parseTemplate(*templateText("optimize"), "optimize");
    EXPECT_EQ(chooseLevel(0.10, plan), "critical");
    EXPECT_EQ(chooseLevel(0.5, plan), "high");
    EXPECT_EQ(chooseLevel(1.0, plan), "medium");
    EXPECT_EQ(chooseLevel(1.5, plan), "medium");
    EXPECT_EQ(chooseLevel(1.51, plan), "success");
    const auto advice = [&](double speedup) { return withName(composeAdvice("success", speedup, plan), formatRatio(speedup), "RATIO"); };
    EXPECT_NE(advice(2.0).find("RATIO"), std::string::npos) << advice(2.0);
    EXPECT_EQ(advice(1.6), advice(1.99));
    EXPECT_NE(advice(1.99), advice(2.0)) << "from here on the next bottleneck";
    EXPECT_EQ(advice(2.0), advice(9));
}

} // namespace
} // namespace kl::test
