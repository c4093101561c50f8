// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/diagnosis/quantities.h"
#include "tests/support/snapshot.h"
#include "ui/pages/diagnose/tree_geometry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kl::ui {
namespace {

const std::vector<DiagnosisTree::Node> kNodes = {{"a", "A?", "x", ""}, {"b", "B?", "y", ""}, {"c", "C?", "z", ""}, {"d", "D?", "w", ""}};

TEST(TreeGeometry, PassedTakenUnknownAndNotTestedAreDistinguished)
{
    const std::vector<PathEntry> path = {
        {"a", "m", 1.0, 5.0, ">=", false}, {"b", "n", std::nullopt, 5.0, ">=", false}, {"c", "o", 9.0, 5.0, ">=", true}};
    const TreeLayout layout = layoutTree(kNodes, path, 1000);
    ASSERT_EQ(layout.boxes.size(), 4U);
    EXPECT_EQ(layout.boxes[0].state, TreeState::passed);
    EXPECT_EQ(layout.boxes[0].words, "1 < 5");
    EXPECT_EQ(layout.boxes[1].state, TreeState::unknown);
    EXPECT_FALSE(layout.boxes[1].words.empty()) << "it says that there is no figure";
    EXPECT_EQ(layout.boxes[1].words.find_first_of("0123456789"), std::string::npos) << layout.boxes[1].words;
    EXPECT_EQ(layout.boxes[2].state, TreeState::taken);
    EXPECT_EQ(layout.boxes[2].words, "9 ≥ 5");
    EXPECT_EQ(layout.boxes[3].state, TreeState::notReached);
    EXPECT_EQ(layout.boxes[3].words, "");
}

TEST(TreeGeometry, NodeWithSeveralComparisonsShowsTheOneThatFailed)
{
    const std::vector<PathEntry> path = {{"a", "m", 7.0, 5.0, ">=", true}, {"a", "n", 1.0, 2.0, ">", false}};
    const TreeLayout layout = layoutTree(kNodes, path, 1000);
    EXPECT_EQ(layout.boxes[0].state, TreeState::passed);
    EXPECT_EQ(layout.boxes[0].words, "1 ≤ 2");
}

TEST(TreeGeometry, TheSecondWayIntoANodeIsShownWhereTheFirstFailed)
{
    const std::vector<PathEntry> path = {
        {"a", "waves", 7.0, 1.0, "<", false}, {"a", "n", 3.0, 2.0, ">", true}, {"a", "o", 4.0, 3.0, ">", true}};
    const TreeBox box = layoutTree(kNodes, path, 1000).boxes[0];
    EXPECT_EQ(box.state, TreeState::taken);
    EXPECT_EQ(box.words, "3 > 2");
    EXPECT_EQ(box.quantity, "n") << "a figure is that of a named quantity";
    EXPECT_EQ(box.comparisons, (std::vector<std::string>{"waves: 7 ≥ 1", "n: 3 > 2", "o: 4 > 3"}));
}

TEST(TreeGeometry, AFlagIsYesOrNo)
{
    // The words behind the titles of two flags.
    const auto answers = [](double throttled, double modeled) {
        const std::vector<PathEntry> path = {{"a", "throttled", throttled, 1.0, ">=", false}, {"a", "modeled", modeled, 1.0, "<", false}};
        std::vector<std::string> words = layoutTree(kNodes, path, 1000).boxes[0].comparisons;
        EXPECT_EQ(words.size(), 2U);
        words.resize(2);
        for (const auto& [at, id] : {std::pair{0, "throttled"}, std::pair{1, "modeled"}}) {
            std::string& one = words[static_cast<std::size_t>(at)];
            const Quantity* quantity = findQuantity(id);
            const std::string title = (quantity == nullptr ? std::string() : std::string(quantity->title)) + ": ";
            EXPECT_TRUE(one.starts_with(title)) << one;
            one.erase(0, std::min(one.size(), title.size()));
        }
        return std::pair(words[0], words[1]);
    };
    const auto [no, yes] = answers(0.0, 1.0);
    EXPECT_NE(no, yes);
    EXPECT_FALSE(no.empty() || yes.empty());
    EXPECT_EQ((no + yes).find_first_of("0123456789"), std::string::npos) << "not a figure: " << no << ' ' << yes;
    EXPECT_EQ(answers(1.0, 0.0), std::pair(yes, no));
}

TEST(TreeGeometry, SnapshotOfTheWordsOfComparisons)
{
    const std::vector<PathEntry> path = {
        {"a", "throttled", 0.0, 1.0, ">=", false}, {"a", "modeled", 1.0, 1.0, "<", false}, {"a", "waves", std::nullopt, 1.0, "<", false}};
    const TreeLayout layout = layoutTree(kNodes, path, 1000);
    std::string text;
    for (const std::string& words : layout.boxes[0].comparisons)
        text += words + '\n';
    test::expectSnapshot("ui/tree-words.txt", text);
}

TEST(TreeGeometry, TheLastResortIsTakenThoughItsLastWayFailed)
{
    const std::vector<PathEntry> path = {{"a", "m", 1.0, 5.0, ">=", false},
                                         {"b", "n", 70.0, 80.0, ">=", false},
                                         {"b", "o", 7.0, 8.0, "<", true},
                                         {"b", "p", 3.0, 0.0, "<", false}};
    EXPECT_EQ(layoutTree(kNodes, path, 1000).boxes[1].state, TreeState::passed);
    const TreeBox box = layoutTree(kNodes, path, 1000, {}, "y").boxes[1];
    EXPECT_EQ(box.state, TreeState::taken) << "the finding is its class";
    EXPECT_EQ(box.words, "7 < 8") << "what held";
    EXPECT_EQ(layoutTree(kNodes, path, 1000, {}, "y").boxes[0].state, TreeState::passed);
}

TEST(TreeGeometry, AClassThatIsLeftInTheEndIsTakenWithoutAComparison)
{
    const std::vector<PathEntry> path = {{"a", "m", 1.0, 5.0, ">=", false}};
    const TreeLayout layout = layoutTree(kNodes, path, 1000, {}, "z");
    EXPECT_EQ(layout.boxes[0].state, TreeState::passed);
    EXPECT_EQ(layout.boxes[1].state, TreeState::notReached);
    EXPECT_EQ(layout.boxes[2].state, TreeState::taken);
    EXPECT_EQ(layout.boxes[2].words, "");
}

TEST(TreeGeometry, AQuestionThatWasNotReachedSaysWhatItWouldAsk)
{
    DiagnosisTree::Node node{"a", "A?", "x", ""};
    node.asks = {"waves < 1"};
    EXPECT_EQ(layoutTree({node}, {}, 500).boxes[0].comparisons, node.asks);
}

TEST(TreeGeometry, BoxesFillTheWidthAndDoNotOverlap)
{
    for (const double width : {140.0, 333.0, 760.0, 1600.0}) {
        const TreeLayout layout = layoutTree(kNodes, {}, width);
        double right = 0;
        for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
            const TreeBox& box = layout.boxes[i];
            right = std::max(right, box.x + box.width);
            EXPECT_LE(box.y + box.height, layout.height + 0.01);
            for (std::size_t j = 0; j < i; ++j) {
                const TreeBox& other = layout.boxes[j];
                EXPECT_TRUE(box.y >= other.y + other.height || box.x >= other.x + other.width) << width;
            }
        }
        EXPECT_LE(right, width + 0.01);
    }
}

TEST(TreeGeometry, ARowWithALongQuestionIsALineHigher)
{
    std::vector<PathEntry> path;
    for (const char* node : {"a", "b", "c", "d"})
        path.push_back({node, "m", 1.0, 5.0, ">=", false});
    const auto fits = [](const std::string& title, double) { return title != "C?"; };
    const TreeLayout plain = layoutTree(kNodes, path, 500);
    const TreeLayout tall = layoutTree(kNodes, path, 500, fits);
    ASSERT_EQ(plain.boxes[1].y, plain.boxes[0].y) << "two in a row";
    EXPECT_EQ(tall.boxes[0].height, plain.boxes[0].height);
    EXPECT_GT(tall.boxes[2].height, plain.boxes[2].height);
    EXPECT_EQ(tall.boxes[3].height, tall.boxes[2].height);
    EXPECT_GT(tall.height, plain.height);
}

TEST(TreeGeometry, AFigureHasItsUnit)
{
    const std::vector<PathEntry> path = {{"a", "dram_percent", 10.0, 70.0, ">=", false}};
    EXPECT_EQ(layoutTree(kNodes, path, 500).boxes[0].words, formatPercent(10) + " < " + formatPercent(70));
}

TEST(TreeGeometry, NoNodesIsNoHeight)
{
    EXPECT_EQ(layoutTree({}, {}, 500).height, 0);
}

} // namespace
} // namespace kl::ui
