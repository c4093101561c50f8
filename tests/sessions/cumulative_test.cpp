// SPDX-License-Identifier: MIT
#include "tests/sessions/engine_support.h"

#include "core/stats/ab.h"
#include "core/stats/ratio_text.h"
#include "sessions/report/report.h"

#include <cmath>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <random>

namespace kl::test {
namespace {

/// A series of small steps: 1.12 × 1.12 = 1.25 in two, then nothing.
class CumulativeTest : public EngineTest {
protected:
    CumulativeTest()
    {
        gpu.kernels["transpose/naive"].gpuNs = 112'000;
        gpu.kernels["transpose/tiled"].gpuNs = 100'000;
        gpu.kernels["transpose/padded"] = {89'000, 50'000, true, "", 45};
        gpu.kernels["transpose/vector"] = {89'000, 50'000, true, "", 85};
        gpu.spread = 0.002;
    }
    SessionId openIt(bool cumulative)
    {
        NewSession request;
        request.objective = "small steps";
        request.kernel = "transpose/naive";
        request.cumulative = cumulative;
        return unwrap(engine.create(request)).header.id;
    }
};

TEST(Product, MultipliesTheEndsOfTheIntervals)
{
    std::vector<ParkedStep> steps(2);
    steps[0].ratio = {1.10, 1.08, 1.12};
    steps[1].ratio = {1.05, 1.02, 1.08};
    const Ratio product = computeProduct(steps, Ratio{1.08, 1.06, 1.10});
    EXPECT_NEAR(product.value, 1.10 * 1.05 * 1.08, 1e-12);
    EXPECT_NEAR(product.low, 1.08 * 1.02 * 1.06, 1e-12);
    EXPECT_NEAR(product.high, 1.12 * 1.08 * 1.10, 1e-12);
    EXPECT_EQ(computeProduct({}, {}).value, 1);
}

/// Ten blocks of one A/B with 1 % noise between blocks.
Ratio measured(double truth, std::mt19937& random)
{
    std::normal_distribution<double> noise(0, 0.01);
    std::vector<AbBlock> blocks;
    for (int i = 0; i < 10; ++i)
        blocks.push_back({{truth * std::exp(noise(random))}, {1.0}});
    return computeRatio(blocks);
}

// 3,000 trials: one of 1 % has a standard error of 0.2 percentage points.
TEST(Product, CoversTheTrueRatioThoughOnlyLuckyStepsAreParked)
{
    std::mt19937 random(4711);
    int trials = 0;
    int covered = 0;
    int keptBelow = 0;
    int keptAbove = 0;
    while (trials < 3000) {
        std::vector<ParkedStep> parked(2);
        std::vector<ParkedStep> stronger(2);
        bool all = true; // a step is parked only where its interval lies above 1
        for (std::size_t i = 0; i < 2; ++i) {
            parked[i].ratio = measured(1.055, random);
            stronger[i].ratio = measured(1.09, random);
            all = all && parked[i].ratio.low > 1;
        }
        if (!all)
            continue;
        ++trials;
        const Ratio product = computeProduct(parked, measured(1.055, random)); // 1.174 in truth
        covered += product.low <= 1.055 * 1.055 * 1.055 && product.high >= 1.055 * 1.055 * 1.055 ? 1 : 0;
        keptBelow += product.low >= 1.2 ? 1 : 0;
        keptAbove += computeProduct(stronger, measured(1.09, random)).low >= 1.2 ? 1 : 0; // 1.295
    }
    EXPECT_GE(covered, 2925) << "97.5 %";
    EXPECT_LE(keptBelow, 30) << "1 %";
    EXPECT_GE(keptAbove, 2940) << "98 %: what is clearly worth it is kept";
}

TEST_F(CumulativeTest, WithoutTheOptionASmallStepIsReverted)
{
    const SessionId id = openIt(false);
    stepUntil(id, SessionAction::revert);
    EXPECT_EQ(refusedAct(id, SessionAction::park).where, "G5");
    EXPECT_EQ(stepTo(id, "done").outcome, "reverted");
}

TEST_F(CumulativeTest, SmallSureStepsAreParkedAndKeptTogether)
{
    const SessionId id = openIt(true);
    SessionView view = stepUntil(id, SessionAction::park);
    EXPECT_FALSE(view.blocked);
    EXPECT_EQ(view.why, findGate(view, "G5").verdict);
    EXPECT_THAT(view.why, testing::HasSubstr(intervalText(*view.evaluation->ratio)));
    view = step(id);
    ASSERT_EQ(view.parked.size(), 1U);
    EXPECT_EQ(toText(view.current), "transpose/tiled");
    EXPECT_THAT(unwrap(sessionPlan(*store, catalog, id)).model.subtitle, testing::HasSubstr("transpose/naive")) << "where it began";
    EXPECT_EQ(findGate(view, "G3").progress, GateProgress::stale) << "the finding was about another variant";
    EXPECT_EQ(findGate(view, "G3").result, GateResult::pass);
    EXPECT_FALSE(view.blocked) << "stale evidence is to be measured again, nothing failed";
    EXPECT_EQ(view.next.front().action, SessionAction::profile);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).where, "profile-before-optimizing");
    EXPECT_EQ(refusedAct(id, SessionAction::finish).where, "one-variable") << "parked steps are to be decided";
    view = stepUntil(id, SessionAction::keep);
    EXPECT_EQ(toText(*view.candidate), "transpose/padded");
    const Ratio both = computeProduct(view.parked, view.evaluation->ratio);
    for (const std::string& part : {std::string(" 2 "), intervalText(both)})
        EXPECT_THAT(findGate(view, "G5").verdict, testing::HasSubstr(part)) << "both steps count";
    view = stepTo(id, "done");
    EXPECT_EQ(view.outcome, "kept");
    for (const SessionEvent& event : view.events)
        if (event.type == "kept") {
            const Json data = unwrap(parseJson(event.dataJson, "kept"));
            EXPECT_EQ(data["steps"], (Json{"transpose/tiled", "transpose/padded"}));
            EXPECT_NEAR(data["ratio"].get<double>(), 112.0 / 89.0, 0.01);
        }
    EXPECT_EQ(toText(unwrap(engine.view(open("transpose"))).start), "transpose/padded") << "the next session starts there";
}

TEST_F(CumulativeTest, StepsThatNeverReachItAreDroppedAsAWhole)
{
    gpu.kernels["transpose/padded"].gpuNs = 101'000; // slower than tiled
    const SessionId id = openIt(true);
    stepUntil(id, SessionAction::park);
    step(id);
    SessionView view = stepUntil(id, SessionAction::revert); // padded after tiled
    EXPECT_EQ(toText(*view.candidate), "transpose/padded");
    view = step(id);
    EXPECT_EQ(view.parked.size(), 1U) << "the parked step outlives the candidate that was given up";
    EXPECT_EQ(view.phase, "evaluate");
    EXPECT_EQ(view.next.front().action, SessionAction::revert);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "G5");
    EXPECT_EQ(engine.option(id, "cumulative", false).error().code, ErrorCode::badInput);
    view = stepTo(id, "done");
    EXPECT_EQ(view.outcome, "reverted");
    EXPECT_NEAR(*view.speedup, 50.0 / 112.0, 1e-9) << "the start is current";
    EXPECT_EQ(toText(view.profileRun->kernel), "transpose/naive") << "and what was found of it";
    EXPECT_EQ(findGate(view, "G3").result, GateResult::pass);
}

TEST_F(CumulativeTest, AWaivedGateKeepsParkedSteps)
{
    gpu.kernels["transpose/padded"].gpuNs = 101'000;
    const SessionId id = openIt(true);
    stepUntil(id, SessionAction::park);
    step(id);
    stepUntil(id, SessionAction::revert);
    step(id);
    unwrap(engine.waive(id, "G5", "the step also makes the code simpler"));
    const SessionView view = stepTo(id, "done");
    EXPECT_EQ(view.outcome, "kept");
    EXPECT_EQ(toText(*view.candidate), "transpose/tiled");
}

TEST_F(CumulativeTest, TheOptionIsSwitchedWithinASession)
{
    const SessionId id = openIt(false);
    EXPECT_TRUE(unwrap(engine.option(id, "cumulative", true)).cumulative);
    stepUntil(id, SessionAction::park);
    EXPECT_FALSE(unwrap(engine.option(id, "cumulative", false)).cumulative);
    EXPECT_EQ(unwrap(engine.view(id)).next.front().action, SessionAction::revert);
    EXPECT_EQ(engine.option(id, "turbo", true).error().code, ErrorCode::usage);
    NewSession request;
    request.kernel = "transpose";
    request.kind = "baseline";
    request.cumulative = true;
    EXPECT_EQ(engine.create(request).error().code, ErrorCode::usage);
}

} // namespace
} // namespace kl::test
