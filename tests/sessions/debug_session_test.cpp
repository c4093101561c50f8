// SPDX-License-Identifier: MIT
#include "tests/sessions/engine_support.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <set>
#include <utility>

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
        return unwrap(engine.create(request)).header.id;
    }
    std::set<SessionAction> offered(const SessionId& id)
    {
        std::set<SessionAction> actions;
        for (const NextAction& next : unwrap(engine.view(id)).next)
            actions.insert(next.action);
        return actions;
    }
    const std::vector<Params>& suite() const { return unwrap(catalog.family("transpose"))->suite; }
    std::string secondSize() const { return toText(suite().at(1)); }
};

TEST_F(DebugTest, TheSevenStepsLeadFromAWrongSizeToAFix)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    const SessionId id = openDebug();
    std::vector<std::string> actions;
    SessionView view = unwrap(engine.view(id));
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
    EXPECT_NE(row.analysis.find("1 of " + std::to_string(suite().size())), std::string::npos) << row.analysis;
    EXPECT_NE(row.analysis.find(secondSize()), std::string::npos) << row.analysis;
    EXPECT_NE(row.result.find(secondSize()), std::string::npos) << row.result;
    ASSERT_TRUE(view.candidateRun);
    EXPECT_EQ(view.candidateRun->correctness.result, CorrectnessResult::correct);
    EXPECT_EQ(findGate(view, "D1").result, GateResult::pass);
    EXPECT_EQ(findGate(view, "D2").result, GateResult::pass);
}

TEST_F(DebugTest, AFixThatFailsGoesRoundAgainWithWhatWasLearned)
{
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    gpu.kernels["transpose/tiled"].right = false;
    const SessionId id = openDebug();
    unwrap(engine.act(id, SessionAction::hypothesis, "the bound of the last tile"));
    stepUntil(id, SessionAction::repeat);
    SessionView view = unwrap(engine.view(id));
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(findGate(view, "D1").result, GateResult::fail);
    EXPECT_EQ(refusedAct(id, SessionAction::verifySuite).where, "smallest-first");
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
    view = unwrap(engine.act(id, SessionAction::repeat, "the tile is not it"));
    EXPECT_EQ(view.phase, "hypothesis");
    ASSERT_EQ(view.iterations.size(), 1U);
    EXPECT_EQ(view.iterations.front().believed, "the bound of the last tile");
    EXPECT_EQ(view.iterations.front().learned, "the tile is not it");
    EXPECT_FALSE(view.candidate);
    EXPECT_EQ(findGate(view, "D1").progress, GateProgress::stale);
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
    EXPECT_TRUE(gpu.requested.empty());
}

TEST_F(DebugTest, ARightKernelLeavesNothingToFix)
{
    const SessionView view = stepTo(openDebug(), "done");
    EXPECT_EQ(view.outcome, "nothing to fix");
    EXPECT_FALSE(view.failingProblem);
    EXPECT_NE(view.iterations.front().seen.find(std::to_string(suite().size())), std::string::npos) << "all sizes were tried";
}

TEST_F(DebugTest, TheFailingSizeShrinksBelowTheSuite)
{
    gpu.kernels["transpose/naive"].wrongOn = [](const Params& p) { return *numberIn(p, "M") > 16 && *numberIn(p, "N") >= 3; };
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::analyze);
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(toText(view.failingProblem.value_or(Params{})), "M=17,N=3");
    const auto first = std::ranges::find_if(suite(), gpu.kernels["transpose/naive"].wrongOn);
    ASSERT_NE(first, suite().end());
    const std::string& seen = view.iterations.back().seen;
    EXPECT_NE(seen.find(toText(*first)), std::string::npos) << "where it began: " << seen;
    EXPECT_NE(seen.find("out[0]: 4"), std::string::npos) << seen;
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
    const SessionView view = unwrap(engine.view(id));
    const auto own = std::find_if(view.next.begin(), view.next.end(), [](const NextAction& next) { return !next.step.inputs.empty(); });
    ASSERT_NE(own, view.next.end());
    EXPECT_EQ(own->action, SessionAction::hypothesis);
    EXPECT_EQ(own->step.inputs.front().argument, StepArgument::text);
    EXPECT_EQ(unwrap(engine.act(id, SessionAction::hypothesis, "an index is swapped")).iterations.front().believed, "an index is swapped");
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
    gpu.kernels["transpose/tiled"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(2));
    const SessionId id = openDebug();
    stepUntil(id, SessionAction::repeat);
    EXPECT_EQ(findGate(unwrap(engine.view(id)), "D1").result, GateResult::pass);
    const std::set<SessionAction> actions = offered(id);
    EXPECT_TRUE(actions.contains(SessionAction::verifySuite));
    EXPECT_FALSE(actions.contains(SessionAction::verifyMinimal));
    EXPECT_TRUE(actions.contains(SessionAction::revert));
    EXPECT_FALSE(actions.contains(SessionAction::keep));
}

class DebugIterationTexts : public DebugTest {};

TEST_F(DebugIterationTexts, SnapshotOfWhatEachFound)
{
    std::string text;
    const auto walk = [&](const std::string& which, SessionAction end) {
        const SessionId id = openDebug();
        SessionView view = unwrap(engine.view(id));
        for (int i = 0; i < 20 && !view.next.empty() && view.next.front().action != end; ++i) {
            const Result<SessionView> next = engine.step(id);
            view = next ? *next : unwrap(engine.act(id, view.next.front().action, "an index is swapped")); // what has no draft
        }
        for (const DebugIteration& one : view.iterations)
            for (const auto& [name, words] :
                 {std::pair{"believed", &one.believed}, std::pair{"instrument", &one.instrument}, std::pair{"seen", &one.seen},
                  std::pair{"sanitizer", &one.sanitizer}, std::pair{"analysis", &one.analysis}, std::pair{"fix", &one.fix},
                  std::pair{"result", &one.result}, std::pair{"learned", &one.learned}})
                if (!words->empty())
                    text += which + ", " + name + ": " + *words + '\n';
    };
    walk("nothing wrong", SessionAction::finish);
    gpu.kernels["transpose/naive"].wrongSize = secondSize();
    walk("fixed", SessionAction::finish);
    gpu.kernels["transpose/tiled"].wrongSize = toText(suite().at(2));
    walk("wrong at another size", SessionAction::repeat);
    gpu.kernels["transpose/tiled"].right = false;
    walk("still wrong", SessionAction::repeat);
    gpu.kernels["transpose/naive"].wrongOn = [](const Params& p) { return *numberIn(p, "M") > 16 && *numberIn(p, "N") >= 3; };
    walk("wrong at smaller sizes", SessionAction::chooseFix);
    expectSnapshot("texts/debug-iterations.txt", text);
}

} // namespace
} // namespace kl::test
