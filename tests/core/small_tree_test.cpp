// SPDX-License-Identifier: MIT
// The rules by which any tree is read and asked, on trees of two nodes.
#include "core/base/sha256.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

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

Result<DiagnosisTree> makeTree(const std::vector<NodeText>& nodes)
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

TEST(SmallTree, AQuantityHasItsNameOfBeforeToo)
{
    EXPECT_EQ(findQuantity("modelled"), findQuantity("modeled"));
    ASSERT_NE(findQuantity("modeled"), nullptr);
}

TEST(SmallTree, ASecondaryFindingsPriorityFollowsItsGainFromItsBoundsOn)
{
    const auto tree = makeTree({kDivergence, kLast});
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
    const auto tree = makeTree({barrier, kDivergence, again, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const Diagnosis diagnosis = tree->diagnose(divergent(0.4), {});
    EXPECT_EQ(diagnosis.finding.classId, "latency-bound");
    ASSERT_EQ(diagnosis.secondary.size(), 2U);
    EXPECT_EQ(diagnosis.secondary[0].classId, "divergence") << "the other one promises nothing";
    EXPECT_EQ(diagnosis.secondary[1].classId, "sync-bound");
}

TEST(SmallTree, AVerdictForWhichNothingSpokeIsHalfTrusted)
{
    const auto tree = makeTree({{"first", "sync-bound", R"({"all":[["speedup",">=",3]]})"}, kLast});
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
        makeTree({{"first", "sync-bound", R"({"all":[["speedup",">=",2]]},{"inferred":true,"all":[["speedup",">=",3]]})"}, kLast});
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
    const auto requested = makeTree({{"first", "sync-bound", R"({"all":)" + unknown + "}"}, kLast});
    const auto secondary = makeTree({{"first", "sync-bound", R"({"secondary_only":true,"all":)" + unknown + "}"}, kLast});
    const auto inferred = makeTree({{"first", "sync-bound", R"({"inferred":true,"all":)" + unknown + "}"}, kLast});
    ASSERT_TRUE(requested && secondary && inferred);
    const RunRecord run = divergent(0.4);
    EXPECT_EQ(requested->diagnose(run, {}).finding.confidence, 0.2) << "one of two questions";
    EXPECT_EQ(secondary->diagnose(run, {}).finding.confidence, 0.4);
    EXPECT_EQ(inferred->diagnose(run, {}).finding.confidence, 0.4);
    const auto shut = makeTree({{"first", "sync-bound", R"({"all":)" + unknown + R"(,"unless":[["speedup",">=",2]]})"}, kLast});
    ASSERT_TRUE(shut);
    EXPECT_EQ(shut->diagnose(run, {}).finding.confidence, 0.4) << "whatever it is, the way is shut";
}

TEST(SmallTree, TheCatalogsVariantComesFirstAndNoneWhereTheResultIsWrong)
{
    const std::vector<CatalogFix> steps{{"a/other", "Other", "divergence", "kind-o"}, {"a/next", "Next", "sync-bound", "kind-n"}};
    const std::string generic =
        R"({"id":"kind-n","title":"g","confidence":0.3,"why":"w"},{"id":"act","title":"g","confidence":0.2,"why":"w",)"
        R"("leaves_the_kernel":true,"when":[["speedup","<",2]]})";
    const auto tree = makeTree({{"first", "sync-bound", R"({"all":[["speedup",">=",2]]})", "", generic}, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const std::vector<Fix> fixes = tree->diagnose(divergent(0.4), steps).finding.fixes;
    ASSERT_EQ(fixes.size(), 2U) << "the tree's own is the catalog's, the other does not apply";
    EXPECT_EQ(fixes[0].variant, "a/next");
    EXPECT_EQ(fixes[0].confidence, 0.9);
    EXPECT_EQ(fixes[1].variant, "a/other");
    EXPECT_EQ(fixes[1].confidence, 0.5);
    const auto invalid = makeTree({{"first", "invalid", R"({"all":[["speedup",">=",2]]})"}, kLast});
    ASSERT_TRUE(invalid);
    EXPECT_TRUE(invalid->diagnose(divergent(0.4), steps).finding.fixes.empty());
    EXPECT_TRUE(invalid->diagnose(divergent(0.4), steps).secondary.empty());
}

TEST(SmallTree, ConfidencesNotesAndEndsAreCheckedWhenItIsRead)
{
    NodeText odd = kDivergence;
    odd.ways = R"({"confidence":1,"all":[["speedup",">=",2]]})";
    EXPECT_TRUE(makeTree({odd, kLast}));
    for (const char* confidence : {"1.1", "0", "-1"}) {
        odd.ways = fmt::format(R"({{"confidence":{},"all":[["speedup",">=",2]]}})", confidence);
        EXPECT_EQ(makeTree({odd, kLast}).error().where, "div.any[0].confidence") << confidence;
    }
    NodeText noted = kDivergence;
    noted.more += R"("_note":"why",)";
    EXPECT_TRUE(makeTree({noted, kLast})) << "a note is not a field";
    noted.more += R"("note":"why",)";
    EXPECT_EQ(makeTree({noted, kLast}).error().where, "div.note");
    NodeText open = kDivergence;
    open.ways = R"({"secondary_only":true,"all":[]})";
    EXPECT_TRUE(makeTree({open, kLast})) << "it takes no run as its verdict";
    NodeText end = open;
    end.id = "end";
    EXPECT_EQ(makeTree({kDivergence, end}).error().where, "end.any");
    EXPECT_EQ(makeTree({kLast, kLast}).error().where, "last.any[0].all");
}

TEST(SmallTree, ThePathHasEveryComparisonThatWasMade)
{
    const auto tree = makeTree({{"first", "sync-bound",
                                 R"({"all":[["speedup",">=",2],["speedup",">",2],["speedup","<",9]]},
                                  {"all":[["speedup","<=",2]],"unless":[["l2_hit_percent",">",1],["speedup",">",1]]},
                                  {"inferred":true,"all":[["speedup",">=",1]]},{"secondary_only":true,"all":[["speedup",">=",1]]},
                                  {"all":[["speedup",">=",2]],"unless":[["speedup",">",3]],"finding":"twice {speedup}","confidence":0.3})"},
                                kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    const Finding finding = tree->diagnose(divergent(0.4), {}).finding;
    EXPECT_EQ(finding.classId, "sync-bound");
    EXPECT_EQ(finding.title, "twice 2");
    EXPECT_EQ(finding.confidence, 0.3);
    const std::vector<PathEntry> path{{"first", "speedup", 2.0, 2, ">=", true}, {"first", "speedup", 2.0, 2, ">", false},
                                      {"first", "speedup", 2.0, 2, "<=", true}, {"first", "speedup", 2.0, 1, "<=", false},
                                      {"first", "speedup", 2.0, 2, ">=", true}, {"first", "speedup", 2.0, 3, "<=", true}};
    EXPECT_EQ(finding.path, path) << "what is not known shuts no way and is not shown";
}

TEST(SmallTree, WhatItAsksIsInWords)
{
    const auto tree = makeTree({{"first", "sync-bound",
                                 R"({"all":[["waves","<",1],["dram_percent",">=",60]],"unless":[["speedup",">",1],["waves",">",9]]},
                                  {"inferred":true,"all":[["speedup",">=",1]]},{"secondary_only":true,"all":[["speedup","<=",1]]})"},
                                kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    ASSERT_EQ(tree->nodes().size(), 2U);
    const DiagnosisTree::Node& node = tree->nodes()[0];
    EXPECT_EQ(node.id, "first");
    EXPECT_EQ(node.title, "t");
    EXPECT_EQ(node.help, "h");
    EXPECT_THAT(node.asks, testing::ElementsAre(testing::ContainsRegex("^waves < 1 .*DRAM .* >= 60\u202f%.* speedup > 1 .*waves > 9$"),
                                                testing::StartsWith("speedup >= 1 "), testing::StartsWith("speedup <= 1 ")));
    EXPECT_NE(node.asks[1].substr(node.asks[1].find(" 1 ")), node.asks[2].substr(node.asks[2].find(" 1 ")))
        << "one way without counters, one for a secondary finding";
    EXPECT_THAT(tree->nodes()[1].asks, testing::ElementsAre(testing::Not(testing::IsEmpty())));
}

TEST(SmallTree, FourQuantitiesThatWereNotMeasuredAreNamed)
{
    const auto titleWith = [](int count) {
        const std::vector<std::string> ids{"l2_hit_percent", "dram_percent", "l2_percent", "l1_percent", "tensor_percent", "issue_percent"};
        std::string conditions;
        for (int i = 0; i < count; ++i)
            conditions += fmt::format(R"({}["{}",">=",50])", i > 0 ? "," : "", ids[static_cast<std::size_t>(i)]);
        const auto tree =
            makeTree({{"first", "sync-bound", R"({"all":[)" + conditions + R"(]},{"all":[["l2_hit_percent",">=",60]]})"}, kLast});
        EXPECT_TRUE(tree);
        return tree->diagnose(divergent(0.4), {}).finding.title;
    };
    EXPECT_THAT(titleWith(1), testing::ContainsRegex("^f [^:]*: L2 hit rate\\.$")) << "once, though asked twice";
    EXPECT_THAT(titleWith(4), testing::ContainsRegex("^f [^:]*: L2 hit rate, DRAM throughput, L2 throughput, L1 throughput\\.$"));
    EXPECT_THAT(titleWith(6),
                testing::ContainsRegex("^f [^:]*: L2 hit rate, DRAM throughput, L2 throughput, L1 throughput, [a-z ]* 2 [a-z ]*\\.$"));
}

TEST(SmallTree, AWayThatIsAlwaysTakenIsAskedWithAndWithoutCounters)
{
    const auto tree = makeTree({{"first", "sync-bound", R"({"always":true,"all":[["speedup",">=",2]]})"},
                                {"second", "divergence", R"({"all":[["speedup",">=",1]]})", R"("never_secondary":true,)"},
                                kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    RunRecord run = divergent(0.4);
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "sync-bound");
    EXPECT_TRUE(tree->diagnose(run, {}).secondary.empty()) << "the second never is one, the last has no condition";
    run.metrics.reset();
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "sync-bound");
    EXPECT_TRUE(tree->diagnose(run, {}).finding.inferred);
    run.speedup = 1;
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "latency-bound") << "the second's way is one of counters";
    run.metrics = divergent(0.4).metrics;
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "divergence");
}

TEST(SmallTree, AnInvalidRunIsNotInferred)
{
    const auto tree = makeTree({{"first", "invalid", R"({"always":true,"all":[["speedup",">=",2]]})", ""}, kLast});
    ASSERT_TRUE(tree) << tree.error().message;
    RunRecord run = divergent(0.4);
    run.metrics.reset();
    const Finding finding = tree->diagnose(run, {}).finding;
    EXPECT_EQ(finding.classId, "invalid");
    EXPECT_FALSE(finding.inferred);
    EXPECT_EQ(finding.confidence, 0.8);
}

TEST(SmallTree, ItsVersionIsTheBeginningOfItsHash)
{
    const auto tree = makeTree({kLast});
    ASSERT_TRUE(tree);
    Sha256 hash;
    hash.add(tree->source());
    EXPECT_EQ(tree->version(), hash.hex().substr(0, 12));
    EXPECT_EQ(tree->diagnose(divergent(0.4), {}).treeVersion, tree->version());
}

TEST(SmallTree, FaultsOfANodeAreNamedByTheirField)
{
    const auto locateError = [](const NodeText& node) {
        const auto tree = makeTree({node, kLast});
        return tree ? std::string() : tree.error().where;
    };
    const auto ways = [](const char* text) { return NodeText{"n", "divergence", text}; };
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">="]]})")), "n.any[0].all[0]");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">=",1,2]]})")), "n.any[0].all[0]");
    EXPECT_EQ(locateError(ways(R"({"all":[[1,">=",2]]})")), "n.any[0].all[0][0]");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",1,2]]})")), "n.any[0].all[0][1]");
    EXPECT_EQ(locateError(ways(R"({"all":{}})")), "n.any[0].all");
    EXPECT_EQ(locateError(ways(R"({"unless":[]})")), "n.any[0].all");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">=",1]],"inferred":"yes"})")), "n.any[0].inferred");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">=",1]],"finding":""})")), "n.any[0].finding");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">=",1]],"finding":"{{speedup}}"})")), "n.any[0].finding");
    EXPECT_EQ(locateError(ways(R"({"all":[["speedup",">=",1]],"find":"x"})")), "n.any[0].find");
    EXPECT_EQ(locateError(ways("")), "n.any");
    NodeText node = kDivergence;
    node.id = "n";
    const auto fixes = [&](const char* text) {
        node.fixes = text;
        return locateError(node);
    };
    EXPECT_EQ(fixes(R"({"id":"a","title":"t","why":"w","confidence":0.5,"when":[["speedup",">=",1]],"leaves_the_kernel":false})"), "");
    EXPECT_EQ(fixes(R"({"title":"t","why":"w","confidence":0.5})"), "n.fixes[0].id");
    EXPECT_EQ(fixes(R"({"id":"a","why":"w","confidence":0.5})"), "n.fixes[0].title");
    EXPECT_EQ(fixes(R"({"id":"a","title":"t","confidence":0.5})"), "n.fixes[0].why");
    EXPECT_EQ(fixes(R"({"id":"a","title":"t","why":"w"})"), "n.fixes[0].confidence");
    EXPECT_EQ(fixes(R"({"id":"a","title":"t","why":"w","confidence":0.5,"pattern":7})"), "n.fixes[0].pattern");
    EXPECT_EQ(fixes(R"({"id":"a","title":"t","why":"w","confidence":0.5,"if":[]})"), "n.fixes[0].if");
    node.fixes = "";
    for (const auto& [id, where] : {std::pair("", "[0].id"), std::pair("last", "last.id")}) {
        node.id = id;
        EXPECT_EQ(locateError(node), where);
    }
    node.id = "n";
    node.more = R"("priority":3,)"; // there already
    EXPECT_EQ(locateError(node), "nodes[0].priority") << "twice";
}

TEST(SmallTree, AnUnknownNameIsGuessedAndLeadsToTheNames)
{
    const Error error = makeTree({{"n", "divergence", R"({"all":[["speedupp",">=",1]]})"}, kLast}).error();
    EXPECT_NE(error.hint.find("\"speedup\""), std::string::npos) << error.hint;
    ASSERT_EQ(error.next.size(), 1U);
    EXPECT_EQ(error.next[0].id, StepId::treeNames);
    EXPECT_TRUE(error.message.starts_with("test:1:")) << error.message;
}

TEST(SmallTree, EveryFieldOfANodeIsChecked)
{
    const auto locateError = [](const std::string& from, const std::string& to) {
        std::string text =
            nodeText({"n", "divergence", R"({"all":[["speedup",">=",1]]})", "", R"({"id":"a","title":"t","why":"w","confidence":0.5})"});
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        const auto tree = DiagnosisTree::parse("{\"nodes\":[" + text + ',' + nodeText(kLast) + "]}", "test");
        return tree ? std::string() : tree.error().where;
    };
    EXPECT_EQ(locateError("\"n\"", "\"n\""), "");
    EXPECT_EQ(locateError(R"("title":"t","class")", R"("title":"","class")"), "n.title");
    EXPECT_EQ(locateError(R"("class":"divergence")", R"("class":7)"), "n.class");
    EXPECT_EQ(locateError(R"("help":"h",)", ""), "n.help");
    EXPECT_EQ(locateError(R"("finding":"f",)", ""), "n.finding");
    EXPECT_EQ(locateError(R"("finding":"f")", R"("finding":"{speed}")"), "n.finding");
    for (const char* priority : {"4", "-1", "0.5", "\"1\""})
        EXPECT_EQ(locateError(R"("priority":2)", R"("priority":)" + std::string(priority)), "n.priority") << priority;
    for (const char* priority : {"0", "1", "2", "3"})
        EXPECT_EQ(locateError(R"("priority":2)", R"("priority":)" + std::string(priority)), "") << priority;
    EXPECT_EQ(locateError(R"("confidence":0.8)", R"("confidence":0)"), "n.confidence");
    EXPECT_EQ(locateError(R"("confidence":0.8)", R"("confidence":1)"), "");
    EXPECT_EQ(locateError(R"("confidence":0.8,)", R"("confidence":0.8,"estimate":"",)"), "n.estimate");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"always":1})"), "n.any[0].always");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"secondary_only":"no"})"), "n.any[0].secondary_only");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"unless":{}})"), "n.any[0].unless");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"unless":[["speedup","=",1]]})"), "n.any[0].unless[0]");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"finding":"{speed}"})"), "n.any[0].finding");
    EXPECT_EQ(locateError(R"(1]]})", R"(1]],"_note":"why"})"), "");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":1.5)"), "n.fixes[0].confidence");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":0.5,"leaves_the_kernel":1)"), "n.fixes[0].leaves_the_kernel");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":0.5,"when":{})"), "n.fixes[0].when");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":0.5,"when":[["speed",">",1]])"), "n.fixes[0].when[0]");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":0.5,"pattern":"")"), "n.fixes[0].pattern");
    EXPECT_EQ(locateError(R"("confidence":0.5)", R"("confidence":0.5,"_note":"why")"), "");
}

TEST(SmallTree, EveryUnknownNameIsGuessedAmongThoseOfItsKind)
{
    const auto getError = [](const NodeText& node) { return makeTree({node, kLast}).error(); };
    const std::string way = R"({"all":[["speedup",">=",1]]})";
    NodeText formula{"n", "divergence", way, R"("estimate":"divergense",)"};
    for (const auto& [error, name] :
         {std::pair(getError({"n", "divergense", way}), "divergence"), std::pair(getError(formula), "divergence"),
          std::pair(getError({"n", "divergence", R"({"all":[["speedup",">=",1]],"finding":"{limitr}"})"}), "limiter")}) {
        EXPECT_EQ(error.code, ErrorCode::badInput);
        EXPECT_NE(error.hint.find('"' + std::string(name) + '"'), std::string::npos) << error.hint;
        ASSERT_EQ(error.next.size(), 1U);
        EXPECT_EQ(error.next[0].id, StepId::treeNames);
    }
    const Error far = getError({"n", "zzzzzzzzzzzz", way});
    EXPECT_FALSE(far.hint.empty());
    EXPECT_EQ(far.hint, getError({"n", "qqqqqqqqqqqq", way}).hint) << "no name is guessed";
    EXPECT_TRUE(getError({"n", "divergence", ""}).next.empty()) << "names would not help";
}

} // namespace
} // namespace kl
