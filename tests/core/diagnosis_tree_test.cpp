// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/estimates.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"
#include "core/diagnosis/tree_data.h"
#include "tests/core/support/profiles.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

namespace kl {
namespace {

std::string embeddedText()
{
    return std::string(*resource("resources/diagnosis-tree.json"));
}

/// The error of the embedded tree with one piece of text replaced.
Error broken(const std::string& from, const std::string& to)
{
    std::string text = embeddedText();
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        ADD_FAILURE() << "no such text: " << from;
        return {};
    }
    const auto tree = DiagnosisTree::parse(text.replace(at, from.size(), to), "test");
    if (tree) {
        ADD_FAILURE() << "accepted: " << to;
        return {};
    }
    return tree.error();
}

/// The line of a node's title in the file.
std::string titleLine(const std::string& id)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    EXPECT_TRUE(tree);
    for (const DiagnosisTree::Node& node : tree->nodes())
        if (node.id == id)
            return "\"title\": \"" + node.title + "\",";
    ADD_FAILURE() << "no such node: " << id;
    return {};
}

TEST(DiagnosisTree, AsksTheClassesInTheirOrder)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree) << tree.error().message;
    std::vector<std::string> order;
    for (const DiagnosisTree::Node& node : tree->nodes())
        order.push_back(node.classId);
    std::set<std::string> seen; // a class may have several questions
    std::erase_if(order, [&](const std::string& classId) { return !seen.insert(classId).second; });
    EXPECT_EQ(order, std::vector<std::string>(kClasses.begin(), kClasses.end()));
}

TEST(DiagnosisTree, SentencesNameAClassByItsTitle)
{
    std::set<std::string_view> titles;
    for (const std::string_view classId : kClasses) {
        EXPECT_FALSE(classTitle(classId).empty()) << classId;
        EXPECT_TRUE(titles.insert(classTitle(classId)).second) << classId;
    }
    EXPECT_NE(classTitle("uncoalesced"), "uncoalesced");
    EXPECT_EQ(classTitle(kHostBound), kHostBound) << "never in a kernel's sentence";
}

TEST(DiagnosisTree, SnapshotOfTheTitlesOfClasses)
{
    std::string text;
    for (const std::string_view classId : kClasses)
        text += std::string(classId) + " | " + std::string(classTitle(classId)) + '\n';
    test::expectSnapshot("texts/class-titles.txt", text);
}

TEST(DiagnosisTree, EveryNodeExplainsItself)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    for (const DiagnosisTree::Node& node : tree->nodes()) {
        EXPECT_TRUE(node.title.ends_with('?')) << node.id;
        EXPECT_GT(node.help.size(), 30U) << node.id;
    }
}

TEST(DiagnosisTree, AnUnknownQuantityIsNamedWithNodeAndField)
{
    const Error error = broken("[\"waves\", \"<\", 1], [\"busiest_elapsed", "[\"wavez\", \"<\", 1], [\"busiest_elapsed");
    EXPECT_EQ(error.code, ErrorCode::badInput);
    EXPECT_EQ(error.where, "grid.any[1].all[0]");
    EXPECT_NE(error.message.find("wavez"), std::string::npos);
}

TEST(DiagnosisTree, AnUnknownClassIsNamed)
{
    EXPECT_EQ(broken("\"class\": \"l2-bound\"", "\"class\": \"slow\"").where, "l2.class");
}

TEST(DiagnosisTree, AMissingFieldIsNamed)
{
    EXPECT_EQ(broken(titleLine("grid"), "").where, "grid.title");
    EXPECT_EQ(broken("\"class\": \"divergence\",", "").where, "divergence.class");
}

TEST(DiagnosisTree, AWrongTypeSenseFormulaOrPlaceholderIsNamed)
{
    EXPECT_EQ(broken("[\"threads_per_warp\", \"<\", 24]", "[\"threads_per_warp\", \"<\", \"24\"]").where, "imbalance.any[1].unless[2][2]");
    EXPECT_EQ(broken("[\"threads_per_warp\", \"<\", 24]", "[\"threads_per_warp\", \"=\", 24]").where, "imbalance.any[1].unless[2]");
    EXPECT_EQ(broken("\"estimate\": \"tail\"", "\"estimate\": \"guess\"").where, "tail.estimate");
    EXPECT_EQ(broken("{tail_cost_percent} of their", "{tail_price} of their").where, "tail.finding");
}

TEST(DiagnosisTree, TheLastNodeMustTakeEveryRun)
{
    EXPECT_FALSE(DiagnosisTree::parse(R"({"nodes": []})", "test"));
    EXPECT_EQ(
        broken("{\"always\": true, \"all\": [], \"finding\"", "{\"always\": true, \"all\": [[\"waves\", \">\", 0]], \"finding\"").where,
        "roof.any");
}

TEST(DiagnosisTree, NothingStandsBehindAWayThatTakesEveryRun)
{
    EXPECT_EQ(broken("\"all\": [[\"dram_percent\", \">=\", 70], [\"dram_over_compute\", \">=\", 10]]", "\"all\": []").where,
              "dram.any[2].all");
    EXPECT_EQ(broken("{\"always\": true, \"all\": [], \"finding\"", "{\"all\": [], \"unless\": [[\"waves\", \">\", 0]], \"finding\"").where,
              "roof.any")
        << "a way that can be shut does not take every run";
}

TEST(DiagnosisTree, FormAndFieldsOfTheFileAreChecked)
{
    EXPECT_EQ(broken("\"schema\": 1", "\"schema\": 2").where, "(tree).schema");
    EXPECT_EQ(broken("\"schema\": 1", "\"thresholds\": {}").where, "(tree).thresholds");
    EXPECT_EQ(DiagnosisTree::parse(R"({"nodes": {}})", "test").error().where, "(tree).nodes");
    const Error none = DiagnosisTree::parse("{\n\"nodes\": []}", "test").error();
    EXPECT_EQ(none.where, "(tree).nodes");
    EXPECT_TRUE(none.message.starts_with("test:2:1: ")) << none.message;
    EXPECT_EQ(broken("\"never_secondary\": true", "\"never_secondary\": 1").where, "latency.never_secondary");
}

TEST(DiagnosisTree, FixesFiguresAndPrioritiesAreChecked)
{
    EXPECT_EQ(broken("\"fixes\": [", "\"fixes\": \"none\", \"_was\": [").where, "valid.fixes");
    EXPECT_EQ(broken("\"id\": \"repeat-the-run\"", "\"id\": \"correct-the-result\"").where, "valid.fixes[1].id");
    EXPECT_EQ(broken("{tail_cost_percent} of their", "{tail_cost_percent of their").where, "tail.finding");
    EXPECT_EQ(broken("{tail_cost_percent} of their", "tail_cost_percent} of their").where, "tail.finding");
    EXPECT_EQ(broken("\"priority\": 0, \"confidence\": 0.85, \"estimate\": \"small-grid\"",
                     "\"priority\": 1.5, \"confidence\": 0.85, \"estimate\": \"small-grid\"")
                  .where,
              "grid.priority");
}

TEST(DiagnosisTree, SnapshotOfTheErrors)
{
    const std::vector<std::pair<std::string, std::string>> changes{
        {"[\"waves\", \"<\", 1], [\"busiest_elapsed", "[\"wavez\", \"<\", 1], [\"busiest_elapsed"},
        {"\"class\": \"l2-bound\"", "\"class\": \"slow\""},
        {titleLine("grid"), ""},
        {"[\"threads_per_warp\", \"<\", 24]", "[\"threads_per_warp\", \"<\", \"24\"]"},
        {"[\"threads_per_warp\", \"<\", 24]", "[\"threads_per_warp\", \"=\", 24]"},
        {"\"estimate\": \"tail\"", "\"estimate\": \"guess\""},
        {"{tail_cost_percent} of their", "{tail_price} of their"},
        {"{tail_cost_percent} of their", "{tail_cost_percent of their"},
        {"{tail_cost_percent} of their", "tail_cost_percent} of their"},
        {"{\"always\": true, \"all\": [], \"finding\"", "{\"always\": true, \"all\": [[\"waves\", \">\", 0]], \"finding\""},
        {"\"all\": [[\"dram_percent\", \">=\", 70], [\"dram_over_compute\", \">=\", 10]]", "\"all\": []"},
        {"\"schema\": 1", "\"schema\": 2"},
        {"\"schema\": 1", "\"thresholds\": {}"},
        {"\"never_secondary\": true", "\"never_secondary\": 1"},
        {"\"fixes\": [", "\"fixes\": \"none\", \"_was\": ["},
        {"\"id\": \"repeat-the-run\"", "\"id\": \"correct-the-result\""}};
    static const std::regex place("^test:[0-9]+:[0-9]+: "); // it moves with every change of the tree
    std::string text;
    for (const auto& [from, to] : changes) {
        const Error error = broken(from, to);
        text += std::regex_replace(error.message, place, "") + " | " + error.hint + '\n';
    }
    for (const char* tree : {R"({"nodes": []})", R"({"nodes": {}})", R"({"nodes": [3]})", R"({"nodes": [], "nodes": []})"}) {
        const Error error = DiagnosisTree::parse(tree, "test").error();
        text += error.message + " | " + error.hint + '\n';
    }
    test::expectSnapshot("errors/diagnosis-trees.txt", text);
}

TEST(DiagnosisTree, DamagedJsonIsAnError)
{
    EXPECT_FALSE(DiagnosisTree::parse("{", "test"));
    EXPECT_FALSE(DiagnosisTree::parse("[]", "test"));
    EXPECT_FALSE(DiagnosisTree::parse(R"({"nodes": [3]})", "test"));
}

TEST(Quantities, IdsAreUniqueAndExplained)
{
    std::set<std::string_view> ids;
    for (const Quantity& quantity : quantities()) {
        EXPECT_TRUE(ids.insert(quantity.id).second) << quantity.id;
        EXPECT_FALSE(quantity.title.empty());
        EXPECT_FALSE(quantity.how.empty());
    }
    EXPECT_FALSE(findQuantity("nonsense"));
}

TEST(Quantities, OfABareRunAreMissingNotZero)
{
    const RunRecord bare;
    const RunFacts facts(bare);
    for (const Quantity& quantity : quantities())
        EXPECT_FALSE(quantity.compute(facts)) << quantity.id;
}

TEST(Quantities, AreFiniteOnEveryProfile)
{
    for (const auto make :
         {test::recordedStrided, test::transposeTiled, test::chainTiny, test::attentionFusedLarge, test::histogramAtomics}) {
        const RunRecord run = make();
        const RunFacts facts(run);
        for (const Quantity& quantity : quantities())
            if (const Value value = quantity.compute(facts)) {
                EXPECT_TRUE(std::isfinite(*value)) << quantity.id;
            }
    }
}

double computeQuantity(const RunRecord& run, const char* id)
{
    const Value value = findQuantity(id)->compute(RunFacts(run));
    return value ? *value : NAN;
}

TEST(Quantities, FollowTheirFormulas)
{
    EXPECT_NEAR(computeQuantity(test::transposeTiled(), "bank_conflict_percent"), 100 * 31.0 / 33, 1e-9);
    EXPECT_NEAR(computeQuantity(test::transposeNaive(), "excess_sectors_percent"), 100 * 28.0 / 36, 1e-9);
    EXPECT_NEAR(computeQuantity(test::recordedStrided(), "long_scoreboard_percent"), 95.6, 0.1);
    EXPECT_NEAR(computeQuantity(test::recordedFma(), "fp32_of_fma_percent"), 99.1, 0.1);
    EXPECT_NEAR(computeQuantity(test::copyVector(), "traffic_amplification"), 1, 1e-9);
    EXPECT_NEAR(computeQuantity(test::copyVector(), "analytic_dram_percent"), 100 * 4.3 / 4.8, 1e-6);
    RunRecord run = test::copyVector();
    run.launches.front().waves = 1.2;
    EXPECT_NEAR(computeQuantity(run, "tail_cost_percent"), 40, 1e-9);
    run.launches.front().waves = 3;
    EXPECT_NEAR(computeQuantity(run, "tail_cost_percent"), 0, 1e-6);
}

TEST(Quantities, StallSharesAreSortedAndLeaveOutSelected)
{
    const RunRecord run = test::recordedStrided();
    const auto shares = stallShares(RunFacts(run));
    ASSERT_FALSE(shares.empty());
    EXPECT_EQ(shares.front().id, "long_scoreboard");
    EXPECT_TRUE(
        std::is_sorted(shares.begin(), shares.end(), [](const StallShare& a, const StallShare& b) { return a.percent > b.percent; }));
}

TEST(Quantities, PartsOfTheWaitForSharedMemoryAreNotItsRivals)
{
    RunRecord run = test::h200Run("user/k", 100, 1e6);
    test::set(run, {{test::M::latency, 20}, {test::M::shortScoreboard, 8}, {test::M::mio, 2}, {test::M::longScoreboard, 6}});
    EXPECT_NEAR(computeQuantity(run, "shared_memory_lead"), 40 + 10 - 30, 1e-9);
}

TEST(Quantities, WarpsThatAreReadyAreNotWaiting)
{
    RunRecord run = test::h200Run("user/k", 100, 1e6);
    test::set(run, {{test::M::sm, 55},
                    {test::M::fma, 40},
                    {test::M::dram, 1},
                    {test::M::l2, 20},
                    {test::M::l1, 20},
                    {test::M::threads, 32},
                    {test::M::occupancy, 90},
                    {test::M::issue, 0.55},
                    {test::M::global, 1e6},
                    {test::M::atom, 0}});
    test::set(run, {{test::M::latency, 20}, {test::M::longScoreboard, 8}, {test::M::notSelected, 4}});
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "latency-bound");
    test::set(run, {{test::M::longScoreboard, 4}, {test::M::notSelected, 8}});
    EXPECT_NEAR(computeQuantity(run, "not_selected_lead"), 20, 1e-9);
    for (const char* metric :
         {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
          "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"})
        run.metrics->values[metric] = 1;
    test::set(run, {{test::M::issueElapsed, 54}});
    EXPECT_EQ(tree->diagnose(run, {}).finding.classId, "issue-bound") << "warps wait for their turn";
}

TEST(Quantities, AStreamThroughL2IsOneUnitNearItsRoof)
{
    RunRecord run = test::h200Run("user/scale", 1056, 170'000);
    run.metrics.emplace();
    run.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 65;
    run.metrics->values["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 65.2;
    run.metrics->values["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 81;
    EXPECT_EQ(computeQuantity(run, "units_near_roof"), 1) << "what L2 does is DRAM's stream";
    EXPECT_LT(computeQuantity(run, "l2_lead"), 0);
    run.metrics->values["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 81;
    EXPECT_EQ(computeQuantity(run, "units_near_roof"), 2) << "L2 serves requests of its own";
}

TEST(Estimates, RespectTheRoof)
{
    // 78 % of the sectors are excess, but the roof allows no more than 1 - 124 µs / 420 µs.
    const auto estimate = findEstimate("excess-sectors")(RunFacts(test::transposeNaive()));
    ASSERT_TRUE(estimate);
    EXPECT_NEAR(estimate->runtimeReduction, 1 - 2 * 8192.0 * 8192 * 4 / (0.9 * 4.8e12) / 420e-6, 1e-6);
    EXPECT_FALSE(findEstimate("nonsense"));
}

/// A launch of a program, of which no ideal bytes are known: 32 Mi random stores of 4 bytes, a sector each, as an H200 recorded them.
RunRecord makeProgramScatter()
{
    RunRecord run = test::transposeNaive();
    run.idealBytes = 0;
    run.timing->gpu.median = 2'140'000;
    run.metrics->values = {{"smsp__sass_inst_executed_op_global_ld.sum", 2097152},
                           {"smsp__sass_inst_executed_op_global_st.sum", 1048576},
                           {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4},
                           {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 32},
                           {"dram__bytes_read.sum", 1.27e9},
                           {"dram__bytes_write.sum", 1.15e9}};
    return run;
}

TEST(Estimates, BytesThatDramMovesCountWhereTheyAreMoreThanTheSectors)
{
    RunRecord run = makeProgramScatter();
    run.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 70;
    ASSERT_NEAR(computeQuantity(run, "excess_sectors_percent"), 70, 0.1);
    const double useful = 3 * 32 * 1024 * 1024 * 4.0;
    const auto estimate = findEstimate("excess-sectors")(RunFacts(run));
    ASSERT_TRUE(estimate);
    EXPECT_NEAR(estimate->runtimeReduction, 1 - useful / 2.42e9, 1e-3);
}

TEST(Estimates, ScatteredAccessesThatKeepNothingBusyAreHeldAgainstTheRoof)
{
    RunRecord run = makeProgramScatter();
    run.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 23;
    const double useful = 3 * 32 * 1024 * 1024 * 4.0;
    const auto estimate = findEstimate("excess-sectors")(RunFacts(run));
    ASSERT_TRUE(estimate);
    EXPECT_NEAR(estimate->runtimeReduction, 1 - useful / (0.9 * 4.8e12) / 2.14e-3, 2e-3);
}

TEST(Estimates, AProgramsKernelHasARoofToo)
{
    RunRecord run = makeProgramScatter();
    run.metrics->values = {{"dram__bytes_read.sum", 34e6}, {"dram__bytes_write.sum", 0}};
    run.timing->gpu.median = 15e6;
    const auto estimate = findEstimate("until-roof")(RunFacts(run));
    ASSERT_TRUE(estimate);
    EXPECT_NEAR(estimate->runtimeReduction, 1 - 34e6 / (0.9 * 4.8e12) / 15e-3, 1e-6);
    run.launches.resize(2);
    EXPECT_FALSE(findEstimate("until-roof")(RunFacts(run))) << "counters are of the longest launch";
}

TEST(DiagnosisTree, SensesHoldAtTheThresholdIfTheySayEqual)
{
    for (const Sense sense : {Sense::less, Sense::lessEqual, Sense::greater, Sense::greaterEqual}) {
        EXPECT_EQ(opposite(opposite(sense)), sense);
        for (const double value : {1.0, 2.0, 3.0})
            EXPECT_NE(holds(value, sense, 2), holds(value, opposite(sense), 2)) << toString(sense) << value;
        EXPECT_EQ(holds(2, sense, 2), std::string_view(toString(sense)).ends_with('=')) << toString(sense);
        EXPECT_EQ(holds(1, sense, 2), toString(sense)[0] == '<') << toString(sense);
    }
}

TEST(DiagnosisTree, ASentenceGetsItsFiguresOrADash)
{
    const RunRecord run;
    const RunFacts facts(run);
    EXPECT_EQ(fillTemplate("a {waves} b {dram_percent}.", facts), "a " + std::string(kNoValue) + " b " + kNoValue + ".");
    EXPECT_EQ(fillTemplate("no end {waves", facts), "no end {waves");
    EXPECT_EQ(unknownPlaceholder("{waves} {first} {second}"), "first");
    EXPECT_EQ(unknownPlaceholder("{waves} and text"), "");
}

} // namespace
} // namespace kl
