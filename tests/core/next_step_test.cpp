// SPDX-License-Identifier: MIT
#include "core/codec/json.h"
#include "core/codec/step_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

TEST(NextStep, TheTableIsInTheEnumerationsOrderAndWordsAreDistinct)
{
    std::set<std::string> words;
    for (std::size_t i = 0; i < stepKinds().size(); ++i) {
        const StepKind& kind = stepKinds()[i];
        EXPECT_EQ(static_cast<std::size_t>(kind.id), i) << kind.word;
        EXPECT_EQ(stepNamed(kind.word), kind.id);
        EXPECT_TRUE(words.insert(kind.word).second) << kind.word;
    }
    EXPECT_EQ(stepKinds().back().id, StepId::suggestPatterns) << "the enumeration has more than the table";
    EXPECT_FALSE(stepNamed("walk"));
}

TEST(NextStep, EveryArgumentHasAWord)
{
    for (const StepKind& kind : stepKinds())
        for (const StepArgument argument : kind.arguments)
            EXPECT_EQ(argumentNamed(toString(argument)), argument);
    EXPECT_FALSE(argumentNamed("hue"));
}

TEST(NextStep, AnArgumentIsSetOnceAndGoesWithAnEmptyValue)
{
    NextStep step{StepId::run};
    step.set(StepArgument::kernel, "a/b");
    step.set(StepArgument::kernel, "a/c");
    EXPECT_EQ(step.arguments.size(), 1U);
    EXPECT_EQ(step.at(StepArgument::kernel), "a/c");
    step.set(StepArgument::kernel, "");
    EXPECT_EQ(step, NextStep{StepId::run});
}

TEST(NextStep, ATitleNamesItsArguments)
{
    EXPECT_EQ(titleFor({StepId::profile, {{StepArgument::kernel, "transpose/naive"}}}), "Profile transpose/naive");
    EXPECT_EQ(titleFor({StepId::profile}), "Profile");
}

TEST(NextStep, ComesBackFromJson)
{
    const std::vector<NextStep> steps{
        {StepId::run, {{StepArgument::kernel, "a/b"}, {StepArgument::suite, "on"}}},
        {StepId::waiveGate, {{StepArgument::gate, "G1"}}, {{StepArgument::reason, "Why?", {"because", "so"}}}},
    };
    EXPECT_EQ(stepsFromJson(stepsToJson(steps)), steps);
}

TEST(NextStep, WhatAnotherVersionWroteIsLeftOut)
{
    Json json = stepsToJson({{StepId::run, {{StepArgument::kernel, "a/b"}}}, {StepId::listKernels}});
    json[0]["arguments"]["hue"] = "red";
    json[1]["id"] = "paint";
    json.push_back(7);
    EXPECT_EQ(stepsFromJson(json), (std::vector<NextStep>{{StepId::run, {{StepArgument::kernel, "a/b"}}}}));
    EXPECT_TRUE(stepsFromJson("run").empty());
}

TEST(NextStep, AnErrorCarriesItsStepsThroughJson)
{
    const Error error = Error{.code = ErrorCode::refused, .message = "no", .hint = "do", .where = "where"}
                            .leadingTo({StepId::stepSession})
                            .leadingTo({StepId::listCosts});
    ASSERT_EQ(error.next.size(), 2U);
    EXPECT_EQ(errorFromJson(errorToJson(error)), error);
}

} // namespace
} // namespace kl
