// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_flow.h"

#include "core/diagnosis/classes.h"
#include "sessions/patterns/pattern_library.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

std::string findNextNode(const FlowFacts& facts)
{
    const PatternFlow flow = patternFlow(facts);
    return flow.next() ? flow.next()->id : std::string();
}

FlowState findState(const FlowFacts& facts, const std::string& id)
{
    const PatternFlow flow = patternFlow(facts);
    return std::ranges::find(flow.nodes, id, &FlowNode::id)->state;
}

TEST(PatternFlow, ShowsWhichPatternIsNext)
{
    FlowFacts facts;
    EXPECT_EQ(findNextNode(facts), "environment");
    facts.environment = false;
    EXPECT_EQ(findNextNode(facts), "environment") << "fix it and check again";
    facts.environment = true;
    EXPECT_EQ(findNextNode(facts), "baseline");
    facts.speedup = 0.49;
    EXPECT_EQ(findNextNode(facts), "critical");
    facts.speedup = 0.5;
    EXPECT_EQ(findNextNode(facts), "high");
    facts.speedup = 1;
    EXPECT_EQ(findNextNode(facts), "success");
    EXPECT_EQ(findState(facts, "critical"), FlowState::skipped);
    facts.speedup = 0.1;
    facts.classId = "uncoalesced";
    EXPECT_EQ(findNextNode(facts), "memory");
    EXPECT_EQ(findState(facts, "tree"), FlowState::done);
    EXPECT_EQ(findState(facts, "launch"), FlowState::skipped);
    facts.changed = true;
    EXPECT_EQ(findNextNode(facts), "again");
    facts.gain = Ratio{1.3, 1.2, 1.4};
    EXPECT_EQ(findNextNode(facts), "keep");
    facts.gain = Ratio{1.3, 1.19, 1.4};
    EXPECT_EQ(findNextNode(facts), "revert");
    facts.outcome = "reverted";
    EXPECT_EQ(findNextNode(facts), "") << "decided";
    EXPECT_EQ(findState(facts, "revert"), FlowState::done);
}

TEST(PatternFlow, AnIncorrectResultIsDebuggedFirst)
{
    FlowFacts facts;
    facts.environment = true;
    facts.incorrect = true;
    facts.speedup = 2;
    EXPECT_EQ(findNextNode(facts), "debug");
}

TEST(PatternFlow, AFindingWithoutABottleneckLeadsToTheFix)
{
    FlowFacts facts;
    facts.environment = true;
    facts.speedup = 0.8;
    facts.classId = "balanced";
    EXPECT_EQ(findNextNode(facts), "fix");
}

TEST(PatternFlow, EveryClassHasABranchAndEveryPatternExists)
{
    std::set<std::string> without;
    for (const auto& id : kClasses)
        if (bottleneckGroup(std::string(id)) == std::string("none"))
            without.insert(std::string(id));
    EXPECT_EQ(without, (std::set<std::string>{"balanced", "invalid", "not-measured"}));
    const auto library = PatternLibrary::loadEmbedded();
    ASSERT_TRUE(library);
    std::set<std::pair<int, int>> places;
    for (const FlowNode& node : patternFlow({}).nodes) {
        EXPECT_TRUE(places.insert({node.column, node.row}).second) << node.id << " lies on another box";
        if (!node.pattern.empty()) {
            EXPECT_TRUE(std::ranges::any_of(library->patterns, [&](const Pattern& p) { return p.slug == node.pattern; })) << node.pattern;
        }
    }
    for (const FlowEdge& edge : patternFlow({}).edges)
        for (const std::string& end : {edge.from, edge.to})
            EXPECT_TRUE(std::ranges::any_of(patternFlow({}).nodes, [&](const FlowNode& node) { return node.id == end; })) << end;
}

} // namespace
} // namespace kl
