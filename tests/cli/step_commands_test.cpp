// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/step_commands.h"

#include "core/base/error.h"
#include "core/codec/step_codec.h"

#include <algorithm>
#include <gmock/gmock.h>
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
        const std::vector<std::string> argv = makeArgv(step);
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
    EXPECT_EQ(makeArgv(step),
              (std::vector<std::string>{"kloop", "session", "step", "--session", "s1", "--on", "sample", "--db", "my runs.db"}));
    EXPECT_EQ(formatCommand(step), "kloop session step --session s1 --on sample --db 'my runs.db'");
}

TEST(StepCommands, WhatTheUserGivesStandsInCapitals)
{
    const NextStep waive{StepId::waiveGate, {{StepArgument::gate, "G1"}}, {{StepArgument::reason, "Why?"}}};
    EXPECT_EQ(makeArgv(waive), (std::vector<std::string>{"kloop", "session", "waive", "G1", "--reason", "REASON"}));
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
    EXPECT_EQ(nameTool({StepId::profile}), "kloop profile");
    EXPECT_EQ(nameTool({StepId::profileWithNcu}), "ncu");
}

TEST(StepCommands, AHintEndsInItsCommands)
{
    EXPECT_EQ(withCommands("See them.", {{StepId::listCosts}}), "See them: kloop cost");
    EXPECT_THAT(withCommands("", {{StepId::listCosts}, {StepId::checkDatabase}}),
                testing::AllOf(testing::StartsWith("kloop cost"), testing::EndsWith(" kloop db check")));
    EXPECT_EQ(withCommands("Free some space.", {}), "Free some space.");
    EXPECT_EQ(withCommands("See them: kloop cost", {{StepId::listCosts}}), "See them: kloop cost") << "an answer that is read again";
}

TEST(StepCommands, AnErrorsHintIsCompletedInJson)
{
    Json answer = errorToJson(Error{.code = ErrorCode::notFound, .message = "none", .hint = "See them."}.leadTo({StepId::listCosts}));
    addStepCommands(answer);
    EXPECT_EQ(answer["error"]["hint"], "See them: kloop cost");
    EXPECT_EQ(answer["error"]["next_steps"][0]["id"], "list-costs");
    EXPECT_EQ(answer["error"]["next_steps"][0]["command"], "kloop cost");
}

TEST(StepCommands, ACommandKeepsTheDatabaseThatWasGiven)
{
    keepStepsIn("my.db");
    EXPECT_EQ(formatCommand({StepId::listCosts}), "kloop cost --db my.db");
    EXPECT_EQ(formatCommand({StepId::stepSession, {{StepArgument::session, "s"}, {StepArgument::database, "its.db"}}}),
              "kloop session step --session s --db its.db");
    EXPECT_EQ(formatCommand({StepId::profileProgram, {{StepArgument::program, "./a.out"}}}), "kloop profile --db my.db -- ./a.out");
    EXPECT_EQ(makeArgv({StepId::traceWithNsys, {{StepArgument::program, "./a.out"}}}).back(), "./a.out") << "another program's command";
    keepStepsIn({});
    EXPECT_EQ(formatCommand({StepId::listCosts}), "kloop cost");
}

TEST(StepCommands, AKernelGivenByPathIsNamedByIt)
{
    const NextStep step{StepId::compareInTurn, {{StepArgument::kernel, "scale/plain"}, {StepArgument::other, "scale/wide@W=4"}}};
    nameFamilyByPath("scale", "./scale");
    EXPECT_EQ(formatCommand(step), "kloop ab ./scale:plain ./scale:wide@W=4");
    EXPECT_EQ(formatCommand({StepId::searchSpace, {{StepArgument::kernel, "scale"}}}), "kloop space ./scale");
    EXPECT_EQ(formatCommand({StepId::searchSpace, {{StepArgument::kernel, "scaled"}}}), "kloop space scaled");
    forgetFamilyPaths();
    EXPECT_EQ(formatCommand(step), "kloop ab scale/plain scale/wide@W=4");
}

TEST(StepCommands, EveryStepIsTheCommandThatItNames)
{
    using A = StepArgument;
    const auto command = [](StepId id, std::vector<std::pair<A, std::string>> arguments = {}) {
        return formatCommand({id, std::move(arguments)});
    };
    EXPECT_EQ(command(StepId::checkEnvironment), "kloop env");
    EXPECT_EQ(command(StepId::checkEnvironment, {{A::source, "ssh:gpu7"}}), "kloop env --on ssh:gpu7");
    EXPECT_EQ(command(StepId::recordTimeline, {{A::kernel, "k"}, {A::problem, "M=1"}}), "kloop timeline k --problem M=1");
    EXPECT_EQ(command(StepId::profileProgram, {{A::program, "./a.out"}, {A::database, "d"}}), "kloop profile --db d -- ./a.out");
    EXPECT_EQ(command(StepId::sharedMemory), "kloop smem");
    EXPECT_EQ(command(StepId::profileWithNcu, {{A::program, "./a.out"}}),
              "ncu --set full --target-processes all --launch-skip 10 --launch-count 1 --import-source on --export report ./a.out");
    EXPECT_EQ(command(StepId::traceWithNsys, {{A::program, "./a.out"}}),
              "nsys profile --trace=cuda,nvtx --stats=true --output timeline ./a.out");
    EXPECT_EQ(command(StepId::listKernels), "kloop kernels");
    EXPECT_EQ(command(StepId::newKernel, {{A::name, "n"}}), "kloop new-kernel n");
    EXPECT_EQ(command(StepId::analyze, {{A::file, "f"}}), "kloop analyze f");
    EXPECT_EQ(command(StepId::treeNames), "kloop tree --names");
    EXPECT_EQ(command(StepId::checkDatabase), "kloop db check");
    EXPECT_EQ(command(StepId::listPatterns), "kloop patterns");
    EXPECT_EQ(command(StepId::allowCommand, {{A::file, "f"}}), "kloop trust add f");
    EXPECT_EQ(command(StepId::listAllowed), "kloop trust list");
    EXPECT_EQ(command(StepId::writeReview, {{A::session, "s"}}), "kloop review export --session s");
    EXPECT_EQ(command(StepId::listSessions), "kloop session list");
    EXPECT_EQ(command(StepId::showSession, {{A::session, "s"}}), "kloop session show --session s");
    EXPECT_EQ(command(StepId::resumeSession, {{A::session, "s"}}), "kloop session resume --session s");
    EXPECT_EQ(command(StepId::checkGate, {{A::gate, "G1"}, {A::session, "s"}}), "kloop session gate G1 --session s");
    EXPECT_EQ(command(StepId::actInSession, {{A::action, "a"}, {A::argument, "b"}, {A::text, "c"}}), "kloop session act a b c");
    EXPECT_EQ(command(StepId::waiveGate, {{A::gate, "G1"}, {A::reason, "r"}}), "kloop session waive G1 --reason r");
    EXPECT_EQ(command(StepId::setOption, {{A::option, "git"}, {A::value, "on"}}), "kloop session option git on");
    EXPECT_EQ(command(StepId::writeReport, {{A::session, "s"}, {A::database, "d"}}), "kloop session report s --db d");
    EXPECT_EQ(command(StepId::noteInSession, {{A::text, "t"}, {A::session, "s"}}), "kloop session note t --session s");
    EXPECT_EQ(command(StepId::suggestPatterns, {{A::session, "s"}}), "kloop patterns suggest --session s");
    EXPECT_EQ(command(StepId::showPattern, {{A::pattern, "p"}}), "kloop patterns show p");
    EXPECT_EQ(command(StepId::applyPattern, {{A::pattern, "p"}, {A::session, "s"}}), "kloop patterns apply p --session s");
    EXPECT_EQ(command(StepId::newSession, {{A::name, "N"}, {A::source, "sample"}, {A::database, "d"}}),
              "kloop session new N --on sample --db d");
    for (const StepKind& kind : stepKinds()) // of other programs and of kloop
        EXPECT_EQ(nameTool({kind.id}).starts_with("kloop "), makeArgv({kind.id}).front() == "kloop") << kind.word;
}

TEST(StepCommands, TheArgumentsOfACommandAreForAProgramToRead)
{
    Json answer{
        {"steps", stepsToJson({{StepId::treeText}, {StepId::listCosts}, {StepId::profileWithNcu, {{StepArgument::program, "./a.out"}}}})}};
    addStepCommands(answer);
    const Json& steps = answer["steps"];
    EXPECT_EQ(steps[0]["argv"], Json({"kloop", "--tree", ":default:", "tree", "--json"})) << "it asks for JSON by itself";
    EXPECT_EQ(steps[1]["argv"], Json({"kloop", "cost", "--json"}));
    EXPECT_EQ(steps[1]["command"], "kloop cost");
    EXPECT_EQ(steps[2]["argv"].back(), "./a.out") << "it is another program";
}

TEST(StepCommands, EachTextBesideStepsIsCompleted)
{
    for (const char* key : {"hint", "fix", "text", "next"}) {
        Json answer{
            {"rows", Json::array({{{key, "See them."}, {"other", "See them."}, {"next_steps", stepsToJson({{StepId::listCosts}})}}})}};
        addStepCommands(answer);
        EXPECT_EQ(answer["rows"][0][key], "See them: kloop cost") << key;
        EXPECT_EQ(answer["rows"][0]["other"], "See them.") << key;
    }
    Json without{{"hint", "See them."}, {"next_steps", Json::array()}};
    addStepCommands(without);
    EXPECT_EQ(without["hint"], "See them.");
    EXPECT_EQ(withCommands("See them", {{StepId::listCosts}}), "See them: kloop cost") << "without a full stop, too";
}

TEST(StepCommands, WhatIsKnownIsNoPlaceholder)
{
    const NextStep step{StepId::newSession,
                        {{StepArgument::name, "N"}},
                        {{StepArgument::name, "?"}, {StepArgument::objective, "?"}, {StepArgument::kind, "?"}}};
    EXPECT_EQ(makeArgv(step), (std::vector<std::string>{"kloop", "session", "new", "N", "OBJECTIVE", "--kind", "KIND"}));
    EXPECT_EQ(formatCommand({StepId::run, {{StepArgument::kernel, "k"}}, {{StepArgument::problem, "?"}}}), "kloop run k --problem PROBLEM");
}

TEST(StepCommands, WhatNamesOneOfSeveralCommandsIsLeftAlone)
{
    const std::vector<NextStep> steps{{StepId::listCosts}, {StepId::checkDatabase}};
    EXPECT_EQ(withCommands("Begin with kloop db check.", steps), "Begin with kloop db check.");
    EXPECT_EQ(nameTool({StepId::checkDatabase}), "kloop db");
    EXPECT_EQ(nameTool({StepId::traceWithNsys}), "nsys");
    Json answer{{"next", stepsToJson({{StepId::listCosts}})}, {"next_steps", stepsToJson(steps)}, {"hint", "Look."}};
    addStepCommands(answer);
    EXPECT_TRUE(answer["next"].is_array()) << "it is a list";
    EXPECT_EQ(answer["hint"], "Look: " + withCommands("", steps));
}

} // namespace
} // namespace kl::cli
