// SPDX-License-Identifier: MIT
// The rules by which any tree is read and asked, on trees of two nodes.
#include "core/diagnosis/tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

struct NodeText {
    std::string id;
    std::string classId;
    std::string ways;
    std::string more = ""; ///< further fields, each with a comma behind it
    std::string fixes = "";
};

std::string nodeText(const NodeText& node)
{
    return fmt::format(
        R"({{"id":"{}","title":"t","class":"{}","help":"h","finding":"f","priority":2,"confidence":0.8,{}"any":[{}],"fixes":[{}]}})",
        node.id, node.classId, node.more, node.ways, node.fixes);
}

Result<DiagnosisTree> treeOf(const std::vector<NodeText>& nodes)
{
    std::string text = R"({"schema":1,"nodes":[)";
    for (const NodeText& node : nodes)
        text += (&node == &nodes.front() ? "" : ",") + nodeText(node);
    return DiagnosisTree::parse(text + "]}", "test");
}

/// 16 of 32 threads, and so many issue slots: divergence costs half of these.
RunRecord divergent(double issued)
{
    RunRecord run;
    run.launches.resize(1);
    run.speedup = 2;
    run.metrics.emplace();
    run.metrics->values = {{"smsp__thread_inst_executed_per_inst_executed.ratio", 16.0},
                           {"smsp__issue_active.avg.per_cycle_active", issued}};
    return run;
}

const NodeText kLast{"last", "latency-bound", R"({"all":[]})"};
const NodeText kDivergence{"div", "divergence", R"({"secondary_only":true,"all":[["speedup",">=",2]]})", R"("estimate":"divergence",)"};

TEST(SmallTree, ASecondaryFindingsPriorityFollowsItsGainFromItsBoundsOn)
{
    const auto tree = treeOf({kDivergence, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const auto priority = [&](double issued) { return tree->diagnose(divergent(issued), {}).secondary.at(0).priority; };
    EXPECT_EQ(priority(0.4), "P1") << "a fifth of the time";
    EXPECT_EQ(priority(0.3), "P2");
    EXPECT_EQ(priority(0.1), "P2") << "a twentieth";
    EXPECT_EQ(priority(0.09), "P3");
}

TEST(SmallTree, TheLargestGainComesFirstAndAClassOnce)
{
    NodeText barrier{"bar", "sync-bound", R"({"all":[["speedup",">",5]]},{"secondary_only":true,"all":[["speedup",">=",2]]})"};
    NodeText again = kDivergence;
    again.id = "again";
    const auto tree = treeOf({barrier, kDivergence, again, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const Diagnosis diagnosis = tree->diagnose(divergent(0.4), {});
    EXPECT_EQ(diagnosis.finding.classId, "latency-bound");
    ASSERT_EQ(diagnosis.secondary.size(), 2U);
    EXPECT_EQ(diagnosis.secondary[0].classId, "divergence") << "the other one promises nothing";
    EXPECT_EQ(diagnosis.secondary[1].classId, "sync-bound");
}

TEST(SmallTree, AVerdictForWhichNothingSpokeIsHalfTrusted)
{
    const auto tree = treeOf({{"first", "sync-bound", R"({"all":[["speedup",">=",3]]})"}, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    RunRecord run = divergent(0.4);
    EXPECT_EQ(tree->diagnose(run, {}).finding.confidence, 0.4);
    run.speedup = 3;
    const Finding finding = tree->diagnose(run, {}).finding;
    EXPECT_EQ(finding.classId, "sync-bound");
    EXPECT_EQ(finding.confidence, 0.8);
    EXPECT_EQ(finding.priority, "P2");
    EXPECT_FALSE(finding.inferred);
}

TEST(SmallTree, WithoutCountersWaysOfTheirOwnAreTestedAndHalfTrusted)
{
    const auto tree =
        treeOf({{"first", "sync-bound", R"({"all":[["speedup",">=",2]]},{"inferred":true,"all":[["speedup",">=",3]]})"}, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    RunRecord run = divergent(0.4);
    run.metrics.reset();
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "latency-bound");
    run.speedup = 3;
    const Finding finding = tree->diagnose(run, {}).finding;
    EXPECT_EQ(finding.classId, "sync-bound");
    EXPECT_TRUE(finding.inferred);
    EXPECT_EQ(finding.confidence, 0.4);
}

TEST(SmallTree, AQuestionThatCannotBeAnsweredCostsTrustUnlessOnlyASecondaryFindingAsksIt)
{
    const std::string unknown = R"([["l2_hit_percent",">=",50]])";
    const auto asked = treeOf({{"first", "sync-bound", R"({"all":)" + unknown + "}"}, kLast});
    const auto secondary = treeOf({{"first", "sync-bound", R"({"secondary_only":true,"all":)" + unknown + "}"}, kLast});
    const auto inferred = treeOf({{"first", "sync-bound", R"({"inferred":true,"all":)" + unknown + "}"}, kLast});
    ASSERT_TRUE(asked && secondary && inferred);
    const RunRecord run = divergent(0.4);
    EXPECT_EQ(asked->diagnose(run, {}).finding.confidence, 0.2) << "one of two questions";
    EXPECT_EQ(secondary->diagnose(run, {}).finding.confidence, 0.4);
    EXPECT_EQ(inferred->diagnose(run, {}).finding.confidence, 0.4);
    const auto shut = treeOf({{"first", "sync-bound", R"({"all":)" + unknown + R"(,"unless":[["speedup",">=",2]]})"}, kLast});
    ASSERT_TRUE(shut);
    EXPECT_EQ(shut->diagnose(run, {}).finding.confidence, 0.4) << "whatever it is, the way is shut";
}

TEST(SmallTree, TheCatalogsVariantComesFirstAndNoneWhereTheResultIsWrong)
{
    const std::vector<CatalogFix> steps{{"a/other", "Other", "divergence", "kind-o"}, {"a/next", "Next", "sync-bound", "kind-n"}};
    const std::string generic =
        R"({"id":"kind-n","title":"g","confidence":0.3,"why":"w"},{"id":"act","title":"g","confidence":0.2,"why":"w",)"
        R"("leaves_the_kernel":true,"when":[["speedup","<",2]]})";
    const auto tree = treeOf({{"first", "sync-bound", R"({"all":[["speedup",">=",2]]})", "", generic}, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const std::vector<Fix> fixes = tree->diagnose(divergent(0.4), steps).finding.fixes;
    ASSERT_EQ(fixes.size(), 2U) << "the tree's own is the catalog's, the other does not apply";
    EXPECT_EQ(fixes[0].variant, "a/next");
    EXPECT_EQ(fixes[0].confidence, 0.9);
    EXPECT_EQ(fixes[1].variant, "a/other");
    EXPECT_EQ(fixes[1].confidence, 0.5);
    const auto invalid = treeOf({{"first", "invalid", R"({"all":[["speedup",">=",2]]})"}, kLast});
    ASSERT_TRUE(invalid);
    EXPECT_TRUE(invalid->diagnose(divergent(0.4), steps).finding.fixes.empty());
    EXPECT_TRUE(invalid->diagnose(divergent(0.4), steps).secondary.empty());
}

TEST(SmallTree, ConfidencesNotesAndEndsAreCheckedWhenItIsRead)
{
    NodeText odd = kDivergence;
    odd.ways = R"({"confidence":1,"all":[["speedup",">=",2]]})";
    EXPECT_TRUE(treeOf({odd, kLast}));
    for (const char* confidence : {"1.1", "0", "-1"}) {
        odd.ways = fmt::format(R"({{"confidence":{},"all":[["speedup",">=",2]]}})", confidence);
        EXPECT_EQ(treeOf({odd, kLast}).error().where, "div.any[0].confidence") << confidence;
    }
    NodeText noted = kDivergence;
    noted.more += R"("_note":"why",)";
    EXPECT_TRUE(treeOf({noted, kLast})) << "a note is not a field";
    noted.more += R"("note":"why",)";
    EXPECT_EQ(treeOf({noted, kLast}).error().where, "div.note");
    NodeText open = kDivergence;
    open.ways = R"({"secondary_only":true,"all":[]})";
    EXPECT_TRUE(treeOf({open, kLast})) << "it takes no run as its verdict";
    NodeText end = open;
    end.id = "end";
    EXPECT_EQ(treeOf({kDivergence, end}).error().where, "end.any");
    EXPECT_EQ(treeOf({kLast, kLast}).error().where, "last.any[0].all");
}

} // namespace
} // namespace kl
