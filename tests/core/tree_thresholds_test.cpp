// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/base/read_file.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree_data.h"
#include "core/diagnosis/tree_thresholds.h"
#include "tests/support/set_variable.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

TEST(TreeThresholds, AreAllOfTheTreesComparisonsEachWithItsQuestion)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::vector<TreeThreshold> all = listThresholds(*tree);
    EXPECT_GT(all.size(), 300U);
    EXPECT_EQ(all.front().place, "/nodes/0/any/0/all/0/2");
    EXPECT_EQ(all.front().node, "valid");
    EXPECT_EQ(all.front().sense, ">=");
    EXPECT_EQ(all.front().value, 1);
    for (const TreeThreshold& one : all)
        EXPECT_FALSE(one.quantity.empty() || one.question.empty() || one.classId.empty()) << one.place;
}

TEST(TreeThresholds, AChangedOneIsInTheNewTreeAlone)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const TreeThreshold first = listThresholds(*tree).front();
    const auto other = withThresholds(*tree, {{first.place, 7.5}});
    ASSERT_TRUE(other) << other.error().message;
    std::vector<TreeThreshold> before = listThresholds(*tree);
    const std::vector<TreeThreshold> after = listThresholds(*other);
    ASSERT_EQ(before.size(), after.size());
    EXPECT_EQ(before.front().value, 1);
    EXPECT_EQ(after.front().value, 7.5);
    for (std::size_t i = 1; i < after.size(); ++i)
        EXPECT_EQ(after[i].value, before[i].value) << after[i].place;
    EXPECT_NE(other->version(), tree->version());
    const auto nowhere = withThresholds(*tree, {{"/nodes/0/title", 1}});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::badInput);
    EXPECT_EQ(nowhere.error().where, "/nodes/0/title");
}

TEST(TreeThresholds, ASavedTreeIsTheTeamsAndTheBuiltInOneHasNoFile)
{
    const std::string folder = testing::TempDir() + "kl-" + newUuid();
    const support::SetVariable config("XDG_CONFIG_HOME", folder.c_str());
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::string place = listThresholds(*tree).front().place;
    const auto other = withThresholds(*tree, {{place, 2}});
    ASSERT_TRUE(other);
    ASSERT_TRUE(saveTeamTree(*other));
    const auto configured = DiagnosisTree::loadConfigured();
    ASSERT_TRUE(configured);
    EXPECT_EQ(configured->version(), other->version());
    const auto back = withThresholds(*other, {{place, 1}});
    ASSERT_TRUE(back);
    ASSERT_TRUE(saveTeamTree(*back));
    EXPECT_FALSE(std::filesystem::exists(teamTreeFile()));
    std::filesystem::remove_all(folder);
}

TEST(TreeThresholds, EachHasThePlaceTheWordsAndTheUnitOfItsComparison)
{
    const auto tree = DiagnosisTree::parse(R"({"schema":1,"nodes":[
        {"id":"n","title":"Why?","class":"divergence","help":"h","finding":"f","priority":2,"confidence":0.8,"fixes":[],
         "any":[{"all":[["speedup",">=",2],["dram_percent","<",60]],"unless":[["waves",">",1.5]]},{"all":[["duration_us","<=",7]]}]},
        {"id":"last","title":"Rest?","class":"latency-bound","help":"h","finding":"f","priority":2,"confidence":0.8,"fixes":[],
         "any":[{"all":[]}]}]})",
                                           "test");
    ASSERT_TRUE(tree) << tree.error().message;
    const std::vector<TreeThreshold> all = listThresholds(*tree);
    ASSERT_EQ(all.size(), 4U);
    std::vector<std::string> places;
    for (const TreeThreshold& one : all) {
        places.push_back(one.place);
        EXPECT_EQ(one.node, "n");
        EXPECT_EQ(one.question, "Why?");
        EXPECT_EQ(one.classId, "divergence");
        EXPECT_EQ(one.unless, &one == &all[2]);
    }
    EXPECT_EQ(places, (std::vector<std::string>{"/nodes/0/any/0/all/0/2", "/nodes/0/any/0/all/1/2", "/nodes/0/any/0/unless/0/2",
                                                "/nodes/0/any/1/all/0/2"}));
    EXPECT_EQ(all[1].quantity, "DRAM throughput");
    EXPECT_EQ(all[1].how, "gpu__dram_throughput");
    EXPECT_EQ(all[1].sense, "<");
    EXPECT_EQ(all[1].unit, "%");
    EXPECT_EQ(all[1].value, 60);
    EXPECT_EQ(all[2].value, 1.5);
    EXPECT_EQ(all[3].unit, "us");
    const auto changed = withThresholds(*tree, {{places[2], 3}, {places[0], 9}});
    ASSERT_TRUE(changed);
    EXPECT_EQ(listThresholds(*changed)[2].value, 3);
    EXPECT_EQ(listThresholds(*changed)[0].value, 9);
    EXPECT_EQ(withThresholds(*tree, {{"/nodes/5/any/0/all/0/2", 1}}).error().where, "/nodes/5/any/0/all/0/2");
}

TEST(TreeThresholds, ATreeThatCannotBeSavedIsReportedAndOneThatCanIsWholeInItsFile)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const auto other = withThresholds(*tree, {{listThresholds(*tree).front().place, 2}});
    ASSERT_TRUE(other);
    {
        const support::SetVariable config("XDG_CONFIG_HOME", "/dev/null");
        const Status saved = saveTeamTree(*other);
        ASSERT_FALSE(saved);
        EXPECT_EQ(saved.error().where, teamTreeFile().string());
    }
    const std::string folder = testing::TempDir() + "kl-" + newUuid();
    const support::SetVariable config("XDG_CONFIG_HOME", (folder + "/below").c_str());
    ASSERT_TRUE(saveTeamTree(*tree)) << "there is no file that had to go";
    ASSERT_TRUE(saveTeamTree(*other)) << "folders are made";
    const Result<std::string> text = readFile(teamTreeFile());
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, other->source());
    std::filesystem::remove_all(folder);
}

TEST(FindingText, FactsInWordsAndFiguresAreFilledIn)
{
    RunRecord run;
    run.launches.resize(1);
    run.launches[0].waves = 1.5;
    run.launches[0].occupancyLimiter = "registers";
    const RunFacts facts(run);
    EXPECT_EQ(fillTemplate("{waves} waves, by {limiter}{", facts), "1.5 waves, by " + *factInWords("limiter", facts) + "{");
    EXPECT_EQ(fillTemplate("{limiter}{limiter}", facts), *factInWords("limiter", facts) + *factInWords("limiter", facts));
    EXPECT_EQ(fillTemplate("", facts), "");
    EXPECT_EQ(unknownPlaceholder("{limiter} {waves}"), "");
    EXPECT_EQ(unknownPlaceholder("{limiters}"), "limiters");
}

TEST(FindingText, SensesHaveTheirSignsAndOpposites)
{
    EXPECT_STREQ(toString(Sense::less), "<");
    EXPECT_STREQ(toString(Sense::lessEqual), "<=");
    EXPECT_STREQ(toString(Sense::greater), ">");
    EXPECT_STREQ(toString(Sense::greaterEqual), ">=");
    EXPECT_EQ(opposite(Sense::less), Sense::greaterEqual);
    EXPECT_EQ(opposite(Sense::lessEqual), Sense::greater);
    EXPECT_EQ(opposite(Sense::greater), Sense::lessEqual);
    EXPECT_EQ(opposite(Sense::greaterEqual), Sense::less);
}

TEST(TreeFaults, HaveTheLineAndColumnOfTheirField)
{
    const auto messageWith = [](const std::string& priority, const std::string& confidence, const std::string& sense) {
        const auto tree =
            DiagnosisTree::parse("{\"schema\": 1, \"nodes\": [\n{\"id\": \"n\", \"title\": \"t\", \"class\": \"divergence\",\n"
                                 "  \"help\": \"h\", \"finding\": \"f\",\n  \"priority\": " +
                                     priority + ",\n  \"confidence\": " + confidence + ",\n  \"any\": [\n    {\"all\": [[\"speedup\", \"" +
                                     sense + "\", 1]]},\n    {\"all\": []}], \"fixes\": []}]}",
                                 "t.json");
        return tree ? std::string() : tree.error().message;
    };
    EXPECT_EQ(messageWith("1", "0.5", ">="), "");
    EXPECT_TRUE(messageWith("9", "0.5", ">=").starts_with("t.json:4:3: ")) << messageWith("9", "0.5", ">=");
    EXPECT_TRUE(messageWith("1", "7", ">=").starts_with("t.json:5:3: ")) << messageWith("1", "7", ">=");
    EXPECT_TRUE(messageWith("1", "0.5", "=").starts_with("t.json:7:14: ")) << messageWith("1", "0.5", "=");
}

} // namespace
} // namespace kl
