// SPDX-License-Identifier: MIT
// Where a fix of the tree can apply, and what replaces it.
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

constexpr const char* kTree = R"({"schema": 1, "nodes": [
  {"id": "rest", "title": "Rest", "class": "occupancy-limited", "help": "h", "finding": "Few warps.", "priority": 1, "confidence": 0.5,
   "any": [{"all": []}],
   "fixes": [{"id": "fewer-registers", "title": "Use fewer registers", "pattern": "static-assertions", "why": "w", "confidence": 0.6,
              "when": [["limited_by_registers", ">=", 1]]},
             {"id": "document", "title": "Document it", "why": "w", "confidence": 0.4, "leaves_the_kernel": true}]}]})";

class FixConditions : public testing::Test {
protected:
    FixConditions() { run.launches.emplace_back(); }
    std::vector<Fix> fixes(const std::vector<CatalogFix>& catalogFixes = {}) { return tree->diagnose(run, catalogFixes).finding.fixes; }
    bool offers(const std::string& id)
    {
        return std::ranges::any_of(fixes(), [&](const Fix& fix) { return fix.id == id; });
    }

    Result<DiagnosisTree> tree = DiagnosisTree::parse(kTree, "test");
    RunRecord run;
};

TEST_F(FixConditions, AFixIsOfferedWhereNothingSpeaksAgainstIt)
{
    ASSERT_TRUE(tree) << tree.error().message;
    EXPECT_TRUE(offers("fewer-registers")) << "the limiter is not known";
    run.launches[0].occupancyLimiter = "registers";
    EXPECT_TRUE(offers("fewer-registers"));
    EXPECT_TRUE(tree->mayApply("fewer-registers", run));
    run.launches[0].occupancyLimiter = "shared memory";
    EXPECT_FALSE(offers("fewer-registers"));
    EXPECT_FALSE(tree->mayApply("fewer-registers", run));
    EXPECT_TRUE(tree->mayApply("of-my-own", run)) << "the tree knows nothing of it";
    EXPECT_TRUE(offers("document"));
}

TEST_F(FixConditions, AFixThatChangesTheKernelIsAKindOfChange)
{
    EXPECT_EQ(fixes()[0].kind, "fewer-registers");
    EXPECT_EQ(fixes()[1].kind, "");
    EXPECT_EQ(tree->fixTitle("fewer-registers"), "Use fewer registers");
    EXPECT_EQ(tree->fixTitle("of-my-own"), "");
}

TEST_F(FixConditions, AReadyVariantReplacesTheFixOfItsKind)
{
    const auto found = fixes({{"k/lean", "Sum forward", "occupancy-limited", "fewer-registers"}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].variant, "k/lean");
    EXPECT_EQ(found[0].pattern, "static-assertions") << "what the tree says of the kind holds for the step";
    EXPECT_EQ(found[1].id, "document");
    EXPECT_EQ(fixes({{"k/other", "Try it", "occupancy-limited", ""}}).size(), 3U);
}

TEST_F(FixConditions, AreCheckedOnLoad)
{
    std::string text = kTree;
    text.replace(text.find("limited_by_registers"), 20, "limited_by_the_moon!");
    const auto wrong = DiagnosisTree::parse(text, "tree.json");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("fixes[0].when[0]"), std::string::npos) << wrong.error().message;
}

TEST(LaunchQuantities, SayWhatALaunchIsLimitedByAndHowTimeIsSpread)
{
    RunRecord run;
    run.timing.emplace();
    run.timing->gpu = {1000, 1000, 1000, 5};
    run.launches.resize(2);
    run.launches[0].gpuNs = 250;
    run.launches[0].registers = 40;
    run.launches[1].gpuNs = 300;
    run.launches[1].registers = 24;
    run.launches[1].opcodes = {{"ld.local", 2}, {"st.local", 1}, {"int", 9}};
    const RunFacts facts(run);
    EXPECT_DOUBLE_EQ(*findQuantity("longest_launch_percent")->compute(facts), 30);
    EXPECT_DOUBLE_EQ(*findQuantity("registers")->compute(facts), 24) << "of the longest";
    EXPECT_DOUBLE_EQ(*findQuantity("local_opcodes")->compute(facts), 3);
    EXPECT_FALSE(findQuantity("limited_by_registers")->compute(facts)) << "no limiter was named";
}

TEST_F(FixConditions, AFixHasAllThatTheTreeSaysOfIt)
{
    const std::vector<Fix> own = fixes();
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0].id, "fewer-registers");
    EXPECT_EQ(own[0].title, "Use fewer registers");
    EXPECT_EQ(own[0].pattern, "static-assertions");
    EXPECT_EQ(own[0].confidence, 0.6);
    EXPECT_EQ(own[0].variant, "");
    EXPECT_EQ(own[0].why, "w");
    EXPECT_EQ(own[1].title, "Document it");
    EXPECT_FALSE(own[1].pattern);
    EXPECT_EQ(own[1].confidence, 0.4);
}

TEST_F(FixConditions, AVariantOfTheCatalogHasItsAddressAndItsKind)
{
    const std::vector<Fix> found = fixes({{"k/other", "Other", "atomics", "privatize"}, {"k/lean", "Lean", "occupancy-limited", ""}});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].id, "k/lean");
    EXPECT_EQ(found[0].title, "Lean");
    EXPECT_EQ(found[0].variant, "k/lean");
    EXPECT_EQ(found[0].kind, "");
    EXPECT_FALSE(found[0].pattern);
    EXPECT_EQ(found[1].id, "k/other");
    EXPECT_EQ(found[1].kind, "privatize");
    EXPECT_NE(found[0].why, found[1].why) << "one of them targets the finding";
    EXPECT_EQ(found[2].id, "fewer-registers");
    EXPECT_EQ(found[3].id, "document");
}

TEST_F(FixConditions, AFixThatTwoQuestionsNameMayApplyWhereOneOfThemAllowsIt)
{
    std::string text = kTree;
    const std::string first =
        R"({"id": "first", "title": "First", "class": "divergence", "help": "h", "finding": "f", "priority": 1, "confidence": 0.5,
            "any": [{"all": [["waves", "<", 0]]}],
            "fixes": [{"id": "fewer-registers", "title": "Another title", "why": "w", "confidence": 0.6, "when": [["speedup", ">=", 3]]}]},)";
    text.insert(text.find("{\"id\": \"rest\""), first);
    const auto both = DiagnosisTree::parse(text, "test");
    ASSERT_TRUE(both) << both.error().message;
    run.speedup = 1;
    run.launches[0].occupancyLimiter = "shared memory";
    EXPECT_FALSE(both->mayApply("fewer-registers", run));
    run.speedup = 3;
    EXPECT_TRUE(both->mayApply("fewer-registers", run));
    run.speedup = 1;
    run.launches[0].occupancyLimiter = "registers";
    EXPECT_TRUE(both->mayApply("fewer-registers", run));
    EXPECT_EQ(both->fixTitle("fewer-registers"), "Another title") << "the first";
}

} // namespace
} // namespace kl
