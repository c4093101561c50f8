// SPDX-License-Identifier: MIT
#include "core/codec/json.h"
#include "core/codec/step_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

TEST(NextStep, TheTableIsInTheEnumerationsOrderAndWordsAreDistinct)
{
    std::set<std::string> words;
    for (std::size_t i = 0; i < stepKinds().size(); ++i) {
        const StepKind& kind = stepKinds()[i];
        EXPECT_EQ(static_cast<std::size_t>(kind.id), i) << kind.word;
        EXPECT_EQ(findStepId(kind.word), kind.id);
        EXPECT_TRUE(words.insert(kind.word).second) << kind.word;
    }
    EXPECT_EQ(stepKinds().back().id, StepId::applyPattern) << "the enumeration has more than the table";
    EXPECT_FALSE(findStepId("walk"));
}

TEST(NextStep, EveryArgumentHasAWord)
{
    for (const StepKind& kind : stepKinds())
        for (const StepArgument argument : kind.arguments)
            EXPECT_EQ(findArgument(toString(argument)), argument);
    EXPECT_FALSE(findArgument("hue"));
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
    const std::string bare = titleFor({StepId::profile});
    EXPECT_FALSE(bare.empty() || bare.ends_with(' ')) << bare;
    EXPECT_EQ(titleFor({StepId::profile, {{StepArgument::kernel, "transpose/naive"}}}), bare + " transpose/naive");
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
                            .leadTo({StepId::stepSession})
                            .leadTo({StepId::listCosts});
    ASSERT_EQ(error.next.size(), 2U);
    EXPECT_EQ(errorFromJson(errorToJson(error)), error);
}

TEST(NextStep, WordsAreThoseOfJson)
{
    std::vector<std::string> words;
    for (const StepKind& kind : stepKinds())
        words.emplace_back(kind.word);
    EXPECT_EQ(words, (std::vector<std::string>{"check-environment",
                                               "run",
                                               "profile",
                                               "profile-program",
                                               "compare-in-turn",
                                               "record-timeline",
                                               "calibrate",
                                               "compile",
                                               "search-space",
                                               "shared-memory",
                                               "profile-with-ncu",
                                               "trace-with-nsys",
                                               "list-kernels",
                                               "new-kernel",
                                               "add-kernel",
                                               "remove-kernel",
                                               "list-metrics",
                                               "analyze",
                                               "export",
                                               "tree-names",
                                               "tree-text",
                                               "check-database",
                                               "list-costs",
                                               "set-price",
                                               "list-patterns",
                                               "allow-command",
                                               "list-allowed",
                                               "write-fix-cases",
                                               "write-review",
                                               "new-session",
                                               "list-sessions",
                                               "show-session",
                                               "resume-session",
                                               "check-gate",
                                               "step-session",
                                               "act-in-session",
                                               "waive-gate",
                                               "set-option",
                                               "write-report",
                                               "note-in-session",
                                               "suggest-patterns",
                                               "show-pattern",
                                               "apply-pattern"}));
    using enum StepArgument;
    const std::vector<std::pair<StepArgument, std::string>> arguments{
        {kernel, "kernel"},   {other, "other"},       {problem, "problem"},     {suite, "suite"},     {source, "source"},
        {arch, "arch"},       {chip, "chip"},         {file, "file"},           {name, "name"},       {device, "device"},
        {dollars, "dollars"}, {search, "search"},     {program, "program"},     {session, "session"}, {database, "database"},
        {action, "action"},   {argument, "argument"}, {text, "text"},           {gate, "gate"},       {reason, "reason"},
        {option, "option"},   {value, "value"},       {objective, "objective"}, {kind, "kind"},       {pattern, "pattern"}};
    for (const auto& [one, word] : arguments) {
        EXPECT_EQ(toString(one), word);
        EXPECT_EQ(findArgument(word), one) << word;
    }
}

TEST(NextStep, EachPlaceOfATitleIsFilledWithItsArgument)
{
    EXPECT_THAT(titleFor({StepId::compareInTurn, {{StepArgument::other, "b/two"}, {StepArgument::kernel, "a/one"}}}),
                testing::ContainsRegex(" a/one .* b/two "));
    EXPECT_THAT(
        titleFor({StepId::setOption, {{StepArgument::option, "energy"}, {StepArgument::value, "off"}, {StepArgument::session, "s1"}}}),
        testing::AllOf(testing::EndsWith(" energy off"), testing::Not(testing::HasSubstr("s1"))));
    for (const StepKind& kind : stepKinds()) {
        NextStep step{kind.id};
        for (const StepArgument argument : kind.arguments)
            step.set(argument, "X");
        EXPECT_EQ(step.arguments.size(), kind.arguments.size()) << kind.word << ": an argument is there twice";
        EXPECT_EQ(titleFor(step).find('{'), std::string::npos) << kind.word;
    }
}

TEST(NextStep, ASessionsNameAndObjectiveAndAProgramAreTheUsers)
{
    const NextStep session = sessionOn("transpose/naive");
    EXPECT_EQ(session.id, StepId::newSession);
    EXPECT_EQ(session.at(StepArgument::kernel), "transpose/naive");
    ASSERT_EQ(session.inputs.size(), 2U);
    EXPECT_EQ(session.inputs[0].argument, StepArgument::name);
    EXPECT_EQ(session.inputs[1].argument, StepArgument::objective);
    EXPECT_TRUE(sessionOn("").arguments.empty());
    EXPECT_EQ(programStep().id, StepId::profileProgram);
    EXPECT_EQ(programStep().inputs.at(0).argument, StepArgument::program);
}

TEST(NextStep, InputsOfAnotherVersionAreLeftOut)
{
    Json json = stepsToJson({{StepId::waiveGate, {}, {{StepArgument::gate, "Which?", {"G1", "G2"}}, {StepArgument::reason, "Why?", {}}}}});
    EXPECT_EQ(json, Json::parse(R"([{"id": "waive-gate", "arguments": {}, "inputs": [
        {"argument": "gate", "question": "Which?", "choices": ["G1", "G2"]}, {"argument": "reason", "question": "Why?", "choices": []}]}])"));
    json[0]["arguments"]["text"] = 7;
    json[0]["inputs"][0]["choices"].push_back(7);
    json[0]["inputs"][1]["argument"] = "hue";
    EXPECT_EQ(stepsFromJson(json), (std::vector<NextStep>{{StepId::waiveGate, {}, {{StepArgument::gate, "Which?", {"G1", "G2"}}}}}));
    json[0]["inputs"][0].erase("choices");
    json[0]["arguments"] = Json::array({"text"});
    EXPECT_EQ(stepsFromJson(json), (std::vector<NextStep>{{StepId::waiveGate, {}, {{StepArgument::gate, "Which?", {}}}}}));
    json[0]["inputs"] = "gate";
    EXPECT_EQ(stepsFromJson(json), std::vector<NextStep>{{StepId::waiveGate}});
}

} // namespace
} // namespace kl
