// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/diagnosis/tree_thresholds.h"
#include "tests/support/set_variable.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

TEST(TreeThresholds, AreAllOfTheTreesComparisonsEachWithItsQuestion)
{
    const auto tree = DiagnosisTree::embedded();
    ASSERT_TRUE(tree);
    const std::vector<TreeThreshold> all = thresholdsOf(*tree);
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
    const auto tree = DiagnosisTree::embedded();
    ASSERT_TRUE(tree);
    const TreeThreshold first = thresholdsOf(*tree).front();
    const auto other = withThresholds(*tree, {{first.place, 7.5}});
    ASSERT_TRUE(other) << other.error().message;
    std::vector<TreeThreshold> before = thresholdsOf(*tree);
    const std::vector<TreeThreshold> after = thresholdsOf(*other);
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
    const auto tree = DiagnosisTree::embedded();
    ASSERT_TRUE(tree);
    const std::string place = thresholdsOf(*tree).front().place;
    const auto other = withThresholds(*tree, {{place, 2}});
    ASSERT_TRUE(other);
    ASSERT_TRUE(saveTeamTree(*other));
    const auto configured = DiagnosisTree::configured();
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
    const std::vector<TreeThreshold> all = thresholdsOf(*tree);
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
    EXPECT_EQ(thresholdsOf(*changed)[2].value, 3);
    EXPECT_EQ(thresholdsOf(*changed)[0].value, 9);
    EXPECT_EQ(withThresholds(*tree, {{"/nodes/5/any/0/all/0/2", 1}}).error().where, "/nodes/5/any/0/all/0/2");
}

} // namespace
} // namespace kl
