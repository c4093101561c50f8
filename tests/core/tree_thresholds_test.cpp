// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/diagnosis/tree_thresholds.h"
#include "tests/support/set_variable.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace kl
