// SPDX-License-Identifier: MIT
#include "core/diagnosis/decide.h"

#include "core/base/format.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

TEST(Decide, TheNotesCaseIsCriticalAndNamesToolAndCommand)
{
    const Decision decision = decide(0.10, 0.50);
    EXPECT_EQ(decision.level, "critical");
    ASSERT_FALSE(decision.next.empty());
    EXPECT_EQ(decision.next[0].step.id, StepId::profile);
    EXPECT_EQ(decision.next[0].step.inputs.front().argument, StepArgument::kernel);
    ASSERT_GE(decision.next.size(), 2U);
    EXPECT_EQ(decision.next[1].step.id, StepId::profileWithNcu);
    EXPECT_NE(decision.action.find(formatRatio(0.10)), std::string::npos) << decision.action;
}

TEST(Decide, LevelsAtTheirBounds)
{
    EXPECT_EQ(decide(0.499, 1).level, "critical");
    EXPECT_EQ(decide(0.5, 1).level, "high");
    EXPECT_EQ(decide(0.999, 1).level, "high");
    EXPECT_EQ(decide(1.0, 1).level, "medium");
    EXPECT_EQ(decide(1.5, 1).level, "medium");
    EXPECT_EQ(decide(1.501, 1).level, "success");
}

TEST(Decide, AShortKernelIsCheckedForLaunchOverheadFirst)
{
    const Decision shortKernel = decide(0.3, 0.0099);
    EXPECT_EQ(shortKernel.next[0].step.id, StepId::run);
    EXPECT_EQ(shortKernel.next[1].step.id, StepId::traceWithNsys);
    EXPECT_NE(shortKernel.action.find(formatTime(9900)), std::string::npos) << shortKernel.action;
    EXPECT_EQ(decide(0.3, 0.010).next[0].step.id, StepId::profile);
    const std::string usual = decide(0.3, 0.010).action;
    EXPECT_EQ(usual.find(formatTime(10'000)), std::string::npos) << usual;
    EXPECT_TRUE(usual.ends_with('.')) << usual;
    EXPECT_TRUE(shortKernel.action.starts_with(usual.substr(0, usual.size() - 1))) << shortKernel.action;
    EXPECT_TRUE(shortKernel.action.ends_with('.')) << shortKernel.action;
}

TEST(Decide, MediumValidatesBeforeItProfiles)
{
    const Decision decision = decide(1.2, 1);
    EXPECT_EQ(decision.next[0].step.id, StepId::run);
    EXPECT_EQ(decision.next[0].step.at(StepArgument::suite), "on");
    EXPECT_EQ(decision.next[2].step.id, StepId::profile);
}

TEST(Decide, FromTwoOnTheNextBottleneck)
{
    const auto withoutRatio = [](double speedup) {
        std::string text = decide(speedup, 1).action;
        const std::string ratio = formatRatio(speedup);
        const std::size_t at = text.find(ratio);
        return at == std::string::npos ? "no ratio: " + text : text.erase(at, ratio.size());
    };
    EXPECT_EQ(withoutRatio(1.501), withoutRatio(1.99));
    EXPECT_NE(withoutRatio(1.99), withoutRatio(2.0));
    EXPECT_EQ(withoutRatio(2.0), withoutRatio(9));
}

TEST(Decide, SnapshotOfWhatIsAdvised)
{
    std::string text;
    for (const double ms : {1.0, 0.001})
        for (const double speedup : {0.4, 0.7, 1.2, 1.7, 3.0}) {
            const Decision decision = decide(speedup, ms);
            text += formatRatio(speedup) + " in " + formatTime(ms * 1e6) + " | " + decision.level + " | " + decision.action + '\n';
            for (const Decision::Step& step : decision.next)
                text += "  " + step.action + '\n';
        }
    test::expectSnapshot("texts/decisions.txt", text);
}

TEST(Decide, EveryStepSaysWhatAndCanBeTaken)
{
    for (const double speedup : {0.1, 0.7, 1.2, 1.7, 3.0})
        for (const double ms : {0.005, 0.5})
            for (const Decision::Step& step : decide(speedup, ms).next) {
                EXPECT_FALSE(step.action.empty());
                EXPECT_FALSE(step.step.arguments.empty() && step.step.inputs.empty());
            }
}

TEST(Decide, FromTwiceTheBaselineOnTheNextBottleneckIsLookedFor)
{
    const auto second = [](double speedup) { return decide(speedup, 1).next.at(1).step.id; };
    EXPECT_EQ(second(1.99), StepId::run);
    EXPECT_EQ(second(2), StepId::profile);
}

TEST(Decide, StepsAreInTheirOrder)
{
    const auto decideSteps = [](double speedup, double ms) {
        std::vector<StepId> ids;
        for (const Decision::Step& one : decide(speedup, ms).next)
            ids.push_back(one.step.id);
        return ids;
    };
    using enum StepId;
    using Ids = std::vector<StepId>;
    EXPECT_EQ(decideSteps(0.4, 1), (Ids{profile, profileWithNcu}));
    EXPECT_EQ(decideSteps(0.7, 1), (Ids{profile, profileWithNcu}));
    EXPECT_EQ(decideSteps(1.2, 1), (Ids{run, run, profile, profileWithNcu}));
    EXPECT_EQ(decideSteps(1.7, 1), (Ids{actInSession, run, profile}));
    EXPECT_EQ(decideSteps(3, 1), (Ids{actInSession, profile, profileWithNcu, run}));
    EXPECT_EQ(decideSteps(3, 0.001), (Ids{run, traceWithNsys, actInSession, profile, profileWithNcu, run}));
}

TEST(Decide, EachStepAsksForWhatItNeeds)
{
    const auto requested = [](const Decision::Step& one) {
        std::vector<StepArgument> arguments;
        for (const StepInput& input : one.step.inputs) {
            arguments.push_back(input.argument);
            EXPECT_FALSE(input.question.empty());
        }
        return arguments;
    };
    using Asked = std::vector<StepArgument>;
    const Decision medium = decide(1.2, 1);
    EXPECT_EQ(requested(medium.next.at(0)), Asked{StepArgument::kernel});
    EXPECT_EQ(requested(medium.next.at(1)), (Asked{StepArgument::kernel, StepArgument::problem}));
    EXPECT_EQ(medium.next.at(1).step.at(StepArgument::suite), "") << "the sizes are the user's";
    EXPECT_EQ(requested(medium.next.at(2)), Asked{StepArgument::kernel});
    EXPECT_EQ(requested(medium.next.at(3)), Asked{StepArgument::program});
    const Decision success = decide(1.7, 0.001);
    EXPECT_EQ(requested(success.next.at(0)), Asked{StepArgument::kernel});
    EXPECT_EQ(success.next.at(0).step.at(StepArgument::suite), "");
    EXPECT_EQ(requested(success.next.at(1)), Asked{StepArgument::program});
    EXPECT_EQ(success.next.at(2).step.at(StepArgument::action), "keep");
}

} // namespace
} // namespace kl
