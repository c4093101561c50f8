// SPDX-License-Identifier: MIT
#include "core/diagnosis/decide.h"

#include <gtest/gtest.h>

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
    EXPECT_NE(decision.action.find("stop"), std::string::npos);
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
    EXPECT_NE(shortKernel.action.find("launch overhead"), std::string::npos);
    EXPECT_EQ(decide(0.3, 0.010).next[0].step.id, StepId::profile);
    EXPECT_TRUE(shortKernel.action.ends_with("first."));
    EXPECT_TRUE(decide(0.3, 0.010).action.ends_with("set.")) << decide(0.3, 0.010).action;
}

TEST(Decide, MediumValidatesBeforeItProfiles)
{
    const Decision decision = decide(1.2, 1);
    EXPECT_NE(decision.next[0].action.find("orrectness"), std::string::npos);
    EXPECT_EQ(decision.next[0].step.id, StepId::run);
    EXPECT_EQ(decision.next[0].step.at(StepArgument::suite), "on");
    EXPECT_EQ(decision.next[2].step.id, StepId::profile);
}

TEST(Decide, FromTwoOnTheNextBottleneck)
{
    EXPECT_EQ(decide(1.99, 1).action.find("next bottleneck"), std::string::npos);
    EXPECT_NE(decide(2.0, 1).action.find("next bottleneck"), std::string::npos);
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

} // namespace
} // namespace kl
