// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/step_commands.h"

#include "core/base/error.h"
#include "core/codec/step_codec.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

TEST(StepCommands, EveryStepHasACommandThatTakesAllItsArguments)
{
    for (const StepKind& kind : stepKinds()) {
        NextStep step{kind.id};
        for (const StepArgument argument : kind.arguments)
            step.set(argument, std::string("the-") + toString(argument));
        const std::vector<std::string> argv = argvOf(step);
        ASSERT_GE(argv.size(), 2U) << kind.word;
        for (const StepArgument argument : kind.arguments) {
            const std::string word = argument == StepArgument::suite ? "--suite" : step.at(argument);
            EXPECT_NE(std::ranges::find(argv, word), argv.end()) << kind.word << ' ' << word;
        }
    }
}

TEST(StepCommands, ASessionsCommandNamesItsSessionDeviceAndDatabase)
{
    const NextStep step{StepId::stepSession,
                        {{StepArgument::session, "s1"}, {StepArgument::source, "sample"}, {StepArgument::database, "my runs.db"}}};
    EXPECT_EQ(argvOf(step),
              (std::vector<std::string>{"kloop", "session", "step", "--session", "s1", "--on", "sample", "--db", "my runs.db"}));
    EXPECT_EQ(commandOf(step), "kloop session step --session s1 --on sample --db 'my runs.db'");
}

TEST(StepCommands, WhatTheUserGivesStandsInCapitals)
{
    const NextStep waive{StepId::waiveGate, {{StepArgument::gate, "G1"}}, {{StepArgument::reason, "Why?"}}};
    EXPECT_EQ(argvOf(waive), (std::vector<std::string>{"kloop", "session", "waive", "G1", "--reason", "REASON"}));
    Json answer{{"next", stepsToJson({waive})}};
    addStepCommands(answer);
    EXPECT_EQ(answer["next"][0]["inputs"][0]["placeholder"], "REASON");
    EXPECT_EQ(answer["next"][0]["argv"].back(), "--json");
}

TEST(StepCommands, WhatFollowsTwoDashesIsTheProgramsOwn)
{
    Json answer{{"next_steps", stepsToJson({{StepId::profileProgram, {{StepArgument::program, "./a.out"}}}})}};
    addStepCommands(answer);
    EXPECT_EQ(answer["next_steps"][0]["argv"], Json({"kloop", "profile", "--json", "--", "./a.out"}));
}

TEST(StepCommands, TheToolIsKloopsCommandOrAnotherProgram)
{
    EXPECT_EQ(toolOf({StepId::profile}), "kloop profile");
    EXPECT_EQ(toolOf({StepId::profileWithNcu}), "ncu");
}

TEST(StepCommands, AHintEndsInItsCommands)
{
    EXPECT_EQ(withCommands("See them.", {{StepId::listCosts}}), "See them: kloop cost");
    EXPECT_EQ(withCommands("", {{StepId::listCosts}, {StepId::checkDatabase}}), "kloop cost, or kloop db check");
    EXPECT_EQ(withCommands("Free some space.", {}), "Free some space.");
    EXPECT_EQ(withCommands("See them: kloop cost", {{StepId::listCosts}}), "See them: kloop cost") << "an answer that is read again";
}

TEST(StepCommands, AnErrorsHintIsCompletedInJson)
{
    Json answer = errorToJson(Error{.code = ErrorCode::notFound, .message = "none", .hint = "See them."}.leadingTo({StepId::listCosts}));
    addStepCommands(answer);
    EXPECT_EQ(answer["error"]["hint"], "See them: kloop cost");
    EXPECT_EQ(answer["error"]["next_steps"][0]["id"], "list-costs");
    EXPECT_EQ(answer["error"]["next_steps"][0]["command"], "kloop cost");
}

TEST(StepCommands, ACommandKeepsTheDatabaseThatWasGiven)
{
    keepStepsIn("my.db");
    EXPECT_EQ(commandOf({StepId::listCosts}), "kloop cost --db my.db");
    EXPECT_EQ(commandOf({StepId::stepSession, {{StepArgument::session, "s"}, {StepArgument::database, "its.db"}}}),
              "kloop session step --session s --db its.db");
    EXPECT_EQ(commandOf({StepId::profileProgram, {{StepArgument::program, "./a.out"}}}), "kloop profile --db my.db -- ./a.out");
    EXPECT_EQ(argvOf({StepId::traceWithNsys, {{StepArgument::program, "./a.out"}}}).back(), "./a.out") << "another program's command";
    keepStepsIn({});
    EXPECT_EQ(commandOf({StepId::listCosts}), "kloop cost");
}

} // namespace
} // namespace kl::cli
