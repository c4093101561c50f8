// SPDX-License-Identifier: MIT
// What to change next, and what that is learned from.
#include "kloop.h"

#include <algorithm>

namespace kl::test {
namespace {

using testing::HasSubstr;

class RecommendCommands : public Kloop {};

TEST_F(RecommendCommands, ARecordedProfileGetsALikelyFix)
{
    const Answer answer = kloop({"recommend", "transpose/tiled", "--on", "sample", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.recommend/1");
    EXPECT_EQ(json["class"], "bank-conflicts");
    EXPECT_NE(json["sentence"], "");
    ASSERT_FALSE(json["changes"].empty());
    const Json& best = json["changes"][0];
    EXPECT_EQ(best["kind"], "pad-shared-memory");
    EXPECT_EQ(best["ready"][0], "transpose/padded");
    EXPECT_GT(best["confidence"].get<double>(), 0.5);
    EXPECT_LE(best["confidence"].get<double>(), 1);
    EXPECT_GE(best["similar_cases"].get<int>(), 1);
    for (std::size_t i = 1; i < json["changes"].size(); ++i)
        EXPECT_GE(json["changes"][i - 1]["expected_reduction"], json["changes"][i]["expected_reduction"]);
    const Answer words = kloop({"recommend", "transpose/tiled", "--on", "sample"});
    EXPECT_THAT(words.out, HasSubstr(json["sentence"].get<std::string>()));
    EXPECT_THAT(words.out, HasSubstr("transpose/padded"));
}

TEST_F(RecommendCommands, TheFindingCarriesTheSameChance)
{
    const Json profile = kloop({"profile", "transpose/tiled", "--on", "sample", "--json"}).json();
    const Json advice = kloop({"recommend", "run:" + profile["id"].get<std::string>(), "--json"}).json();
    const Json& fix = profile["finding"]["fixes"][0];
    EXPECT_EQ(fix["kind"], advice["changes"][0]["kind"]);
    EXPECT_DOUBLE_EQ(fix["confidence"].get<double>(), advice["changes"][0]["confidence"].get<double>());
    EXPECT_EQ(fix["cases"], advice["changes"][0]["similar_cases"]);
}

TEST_F(RecommendCommands, TheChangesAreInTheOrderOfTheFixes)
{
    const Json profile = kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).json();
    const Json advice = kloop({"recommend", "run:" + profile["id"].get<std::string>(), "--json"}).json();
    std::vector<std::string> fixes, changes;
    for (const Json& fix : profile["finding"]["fixes"])
        if (fix["kind"] != "")
            fixes.push_back(fix["kind"].get<std::string>());
    for (const Json& change : advice["changes"])
        if (std::ranges::find(fixes, change["kind"].get<std::string>()) != fixes.end())
            changes.push_back(change["kind"].get<std::string>());
    EXPECT_EQ(changes, fixes);
    EXPECT_EQ(advice["changes"][0]["ready"][0], "transpose/tiled") << "an edit is expected to gain more";
    EXPECT_EQ(advice["recommended"], advice["changes"][0]["kind"]);
}

TEST_F(RecommendCommands, WhatIsNoProfileIsRefused)
{
    EXPECT_EQ(kloop({"recommend", "transpose/tiled"}).code, 4) << "nothing was profiled in this database";
    const Json run = kloop({"run", "transpose/naive", "--on", "sample", "--json"}).json();
    const Answer answer = kloop({"recommend", "run:" + run["id"].get<std::string>()});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, HasSubstr("kloop profile transpose/naive"));
}

TEST_F(RecommendCommands, TheModelIsShownAndValidated)
{
    const Json model = kloop({"learn", "model", "--cross-validate", "--markdown", file("model.md"), "--json"}).json();
    EXPECT_EQ(model["schema"], "kernelloop.fix-model/1");
    EXPECT_EQ(model["own_cases"], 0);
    EXPECT_TRUE(model["calibrated"].get<bool>());
    int cases = 0;
    for (const Json& kind : model["kinds"])
        cases += kind["cases"].get<int>();
    EXPECT_EQ(cases, model["cases"]);
    const Json& validation = model["cross_validation"];
    EXPECT_GE(validation["offered"]["right"].get<double>(), 0.7 * validation["offered"]["of"].get<double>());
    EXPECT_LE(validation["ece"].get<double>(), 0.1);
    EXPECT_THAT(read("model.md"), HasSubstr("| transpose |"));
    EXPECT_THAT(kloop({"learn", "model"}).out, HasSubstr("pad-shared-memory"));
}

TEST_F(RecommendCommands, FilesThatCannotBeLearntFromAreNamed)
{
    std::ofstream(file("broken.json")) << "{";
    EXPECT_EQ(kloop({"learn", "model", file("broken.json")}).code, 4);
    std::ofstream(file("foreign.json")) << [&] {
        std::string text = kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).out;
        return text.replace(text.find("\"transpose\""), 11, "\"elsewhere\"");
    }();
    const Answer answer = kloop({"learn", "model", file("foreign.json")});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, HasSubstr("--kernel PATH"));
    EXPECT_EQ(kloop({"learn", "model", "--on", "sample", "--write", file("no/such/folder.json")}).code, 4);
}

} // namespace
} // namespace kl::test
