// SPDX-License-Identifier: MIT
#include "tests/sessions/engine_support.h"

#include <set>

namespace kl::test {
namespace {

class DebugTest : public EngineTest {
protected:
    SessionId openDebug(const std::string& kernel = "transpose/naive")
    {
        NewSession request;
        request.objective = "wrong on odd sizes";
        request.kernel = kernel;
        request.kind = "debug";
        return valueOf(engine.create(request)).header.id;
    }
    std::set<SessionAction> offered(const SessionId& id)
    {
        std::set<SessionAction> actions;
        for (const NextAction& next : valueOf(engine.view(id)).next)
            actions.insert(next.action);
        return actions;
    }
    std::string secondSize() const { return toText(valueOf(catalog.family("transpose"))->suite.at(1)); }
};

TEST_F(DebugTest, TheSevenStepsLeadFromAWrongSizeToAFix)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    const SessionId id = openDebug();
    std::vector<std::string> actions;
    SessionView view = valueOf(engine.view(id));
    while (view.phase != "done" && actions.size() < 20) {
        actions.push_back(toString(view.next.front().action));
        view = step(id);
    }
    EXPECT_EQ(actions, (std::vector<std::string>{"hypothesis", "instrument", "find-failing", "analyse", "choose-fix", "verify-minimal",
                                                 "verify-suite", "keep", "document", "finish"}));
    EXPECT_EQ(view.outcome, "kept");
    ASSERT_EQ(view.iterations.size(), 1U);
    const DebugIteration& row = view.iterations.front();
    EXPECT_NE(row.believed.find("wrong on odd sizes"), std::string::npos);
    EXPECT_NE(row.seen.find(secondSize()), std::string::npos);
    EXPECT_NE(row.seen.find("4.72"), std::string::npos);
    EXPECT_NE(row.analysis.find("Incorrect on 1 of"), std::string::npos);
    EXPECT_NE(row.result.find("correct on every size"), std::string::npos);
    EXPECT_EQ(gateOf(view, "D1").result, GateResult::pass);
    EXPECT_EQ(gateOf(view, "D2").result, GateResult::pass);
}

TEST_F(DebugTest, AFixThatFailsGoesRoundAgainWithWhatWasLearned)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    gpu.kernels["transpose/tiled"].right = false;
    const SessionId id = openDebug();
    valueOf(engine.act(id, SessionAction::hypothesis, "the bound of the last tile"));
    stepUntil(id, SessionAction::repeat);
    SessionView view = valueOf(engine.view(id));
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(gateOf(view, "D1").result, GateResult::fail);
    EXPECT_EQ(refusedAct(id, SessionAction::verifySuite).where, "smallest-first");
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
    view = valueOf(engine.act(id, SessionAction::repeat, "the tile is not it"));
    EXPECT_EQ(view.phase, "hypothesis");
    ASSERT_EQ(view.iterations.size(), 1U);
    EXPECT_EQ(view.iterations.front().believed, "the bound of the last tile");
    EXPECT_EQ(view.iterations.front().learned, "the tile is not it");
    EXPECT_FALSE(view.candidate);
    EXPECT_EQ(gateOf(view, "D1").progress, GateProgress::stale);
    view = step(id);
    ASSERT_EQ(view.iterations.size(), 2U);
    EXPECT_NE(view.iterations.back().believed.find("the tile is not it"), std::string::npos);
    EXPECT_EQ(stepTo(id, "done").outcome, "abandoned") << "no change is left to try";
}

TEST_F(DebugTest, StepsOutOfOrderAreRefused)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    const SessionId id = openDebug();
    EXPECT_EQ(refusedAct(id, SessionAction::findFailing).where, "hypothesis");
    step(id);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "instrument");
    EXPECT_TRUE(gpu.asked.empty());
}

TEST_F(DebugTest, ARightKernelLeavesNothingToFix)
{
    const SessionView view = stepTo(openDebug(), "done");
    EXPECT_EQ(view.outcome, "nothing to fix");
    EXPECT_FALSE(view.failingProblem);
    EXPECT_NE(view.iterations.front().seen.find("correct on all"), std::string::npos);
}

TEST_F(DebugTest, TheFailingSizeShrinksBelowTheSuite)
{
    gpu.kernels["transpose/naive"].wrongOn = [](const Params& p) { return *numberIn(p, "M") > 16 && *numberIn(p, "N") >= 3; };
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::analyze);
    const SessionView view = valueOf(engine.view(id));
    EXPECT_EQ(toText(view.failingProblem.value_or(Params{})), "M=17,N=3");
    EXPECT_NE(view.iterations.back().seen.find("the smallest failing size in the suite"), std::string::npos);
    EXPECT_NE(view.iterations.back().seen.find("first incorrect element out[0]: 4 instead of 3"), std::string::npos);
}

TEST_F(DebugTest, AFixIsVerifiedOnTheSizeThatFailed)
{
    gpu.kernels["transpose/naive"].wrongOn = [](const Params& p) { return *numberIn(p, "M") > 16 && *numberIn(p, "N") >= 3; };
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::verifyMinimal);
    const SessionView view = step(id);
    ASSERT_TRUE(view.minimalRun);
    EXPECT_EQ(toText(view.minimalRun->problem), "M=17,N=3");
}

TEST_F(DebugTest, WordsOfOnesOwnAreKept)
{
    const SessionId id = openDebug();
    const SessionView view = valueOf(engine.view(id));
    const auto own = std::find_if(view.next.begin(), view.next.end(), [](const NextAction& next) { return !next.step.inputs.empty(); });
    ASSERT_NE(own, view.next.end());
    EXPECT_EQ(own->action, SessionAction::hypothesis);
    EXPECT_EQ(own->step.inputs.front().argument, StepArgument::text);
    EXPECT_EQ(valueOf(engine.act(id, SessionAction::hypothesis, "an index is swapped")).iterations.front().believed, "an index is swapped");
}

TEST_F(DebugTest, AFixThatFailsOnTheSizeIsRunThereAgain)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    gpu.kernels["transpose/tiled"].right = false;
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::repeat);
    const std::set<SessionAction> actions = offered(id);
    EXPECT_TRUE(actions.contains(SessionAction::verifyMinimal));
    EXPECT_FALSE(actions.contains(SessionAction::verifySuite));
    EXPECT_TRUE(actions.contains(SessionAction::revert));
    EXPECT_FALSE(actions.contains(SessionAction::keep));
}

TEST_F(DebugTest, AFixThatFailsOnAnotherSizeIsRunOnTheSuiteAgain)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    gpu.kernels["transpose/tiled"].wrongSize = toText(valueOf(catalog.family("transpose"))->suite.at(2));
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::repeat);
    EXPECT_EQ(gateOf(valueOf(engine.view(id)), "D1").result, GateResult::pass);
    const std::set<SessionAction> actions = offered(id);
    EXPECT_TRUE(actions.contains(SessionAction::verifySuite));
    EXPECT_FALSE(actions.contains(SessionAction::verifyMinimal));
    EXPECT_TRUE(actions.contains(SessionAction::revert));
    EXPECT_FALSE(actions.contains(SessionAction::keep));
}

} // namespace
} // namespace kl::test
