// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_flow.h"

#include "core/diagnosis/classes.h"
#include "sessions/patterns/pattern_library.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

std::string nextOf(const FlowFacts& facts)
{
    const PatternFlow flow = patternFlow(facts);
    return flow.next() ? flow.next()->id : std::string();
}

FlowState stateOf(const FlowFacts& facts, const std::string& id)
{
    const PatternFlow flow = patternFlow(facts);
    return std::ranges::find(flow.nodes, id, &FlowNode::id)->state;
}

TEST(PatternFlow, ShowsWhichPatternIsNext)
{
    FlowFacts facts;
    EXPECT_EQ(nextOf(facts), "environment");
    facts.environment = false;
    EXPECT_EQ(nextOf(facts), "environment") << "fix it and check again";
    facts.environment = true;
    EXPECT_EQ(nextOf(facts), "baseline");
    facts.speedup = 0.49;
    EXPECT_EQ(nextOf(facts), "critical");
    facts.speedup = 0.5;
    EXPECT_EQ(nextOf(facts), "high");
    facts.speedup = 1;
    EXPECT_EQ(nextOf(facts), "success");
    EXPECT_EQ(stateOf(facts, "critical"), FlowState::skipped);
    facts.speedup = 0.1;
    facts.classId = "uncoalesced";
    EXPECT_EQ(nextOf(facts), "memory");
    EXPECT_EQ(stateOf(facts, "tree"), FlowState::done);
    EXPECT_EQ(stateOf(facts, "launch"), FlowState::skipped);
    facts.changed = true;
    EXPECT_EQ(nextOf(facts), "again");
    facts.gain = Ratio{1.3, 1.2, 1.4};
    EXPECT_EQ(nextOf(facts), "keep");
    facts.gain = Ratio{1.3, 1.19, 1.4};
    EXPECT_EQ(nextOf(facts), "revert");
    facts.outcome = "reverted";
    EXPECT_EQ(nextOf(facts), "") << "decided";
    EXPECT_EQ(stateOf(facts, "revert"), FlowState::done);
}

TEST(PatternFlow, AnIncorrectResultIsDebuggedFirst)
{
    FlowFacts facts;
    facts.environment = true;
    facts.incorrect = true;
    facts.speedup = 2;
    EXPECT_EQ(nextOf(facts), "debug");
}

TEST(PatternFlow, AFindingWithoutABottleneckLeadsToTheFix)
{
    FlowFacts facts;
    facts.environment = true;
    facts.speedup = 0.8;
    facts.classId = "balanced";
    EXPECT_EQ(nextOf(facts), "fix");
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
