// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_flow.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kl::inline patterns {
namespace {

constexpr std::pair<const char*, const char*> kGroups[] = {
    {"uncoalesced", "memory"},        {"dram-bound", "memory"},      {"l2-bound", "memory"},        {"l1-bound", "memory"},
    {"bank-conflicts", "memory"},     {"register-spills", "memory"}, {"launch-overhead", "launch"}, {"small-grid", "launch"},
    {"tail-effect", "launch"},        {"load-imbalance", "launch"},  {"host-bound", "launch"},      {"tensor-bound", "compute"},
    {"fp32-bound", "compute"},        {"fp64-bound", "compute"},     {"xu-bound", "compute"},       {"int-bound", "compute"},
    {"issue-bound", "compute"},       {"divergence", "compute"},     {"power-limited", "compute"},  {"sync-bound", "latency"},
    {"occupancy-limited", "latency"}, {"latency-bound", "latency"},  {"atomics", "latency"},        {"mio-bound", "latency"},
};

/// Boxes in order; fact and state follow from the facts.
constexpr struct {
    const char* id;
    const char* title;
    const char* pattern;
    int column;
    int row;
} kNodes[] = {
    {"environment", "Validate the environment", "environment-validation", 0, 1},
    {"baseline", "Measure the baseline", "baseline-first", 1, 1},
    {"debug", "Debug in seven steps", "iterative-debugging-loop", 2, 0},
    {"critical", "Stop and profile", "profile-before-optimize", 2, 1},
    {"high", "Profile", "profile-before-optimize", 2, 2},
    {"success", "Compare and document", "compare-state-of-the-art", 2, 3},
    {"tree", "Ask the decision tree", "profiling-decision-tree", 3, 1},
    {"memory", "Coalesce, vectorize, stage", "", 4, 0},
    {"launch", "Fuse, larger launches", "launch-overhead-apart", 4, 1},
    {"compute", "Tensor cores, fewer instructions", "design-for-target", 4, 2},
    {"latency", "More in flight, less waiting", "", 4, 3},
    {"fix", "Apply one fix", "profile-before-optimize", 5, 1},
    {"again", "Measure again", "numbers-over-intuition", 6, 1},
    {"keep", "Keep", "", 7, 0},
    {"revert", "Revert, try another", "", 7, 2},
};

constexpr struct {
    const char* from;
    const char* to;
    const char* label;
} kEdges[] = {
    {"environment", "baseline", ""},
    {"baseline", "debug", "incorrect"},
    {"baseline", "critical", "below 0.5×"},
    {"baseline", "high", "below 1×"},
    {"baseline", "success", "1× and more"},
    {"critical", "tree", ""},
    {"high", "tree", ""},
    {"tree", "memory", "memory"},
    {"tree", "launch", "launch"},
    {"tree", "compute", "compute"},
    {"tree", "latency", "latency"},
    {"memory", "fix", ""},
    {"launch", "fix", ""},
    {"compute", "fix", ""},
    {"latency", "fix", ""},
    {"fix", "again", ""},
    {"again", "keep", ""},
    {"again", "revert", ""},
};

FlowNode* findFlowNode(PatternFlow& flow, std::string_view id)
{
    return &*std::ranges::find(flow.nodes, id, &FlowNode::id);
}

/// One of a column is `chosen`, the others are not taken.
void branch(PatternFlow& flow, std::string_view chosen, FlowState state)
{
    const int column = findFlowNode(flow, chosen)->column;
    for (FlowNode& node : flow.nodes)
        if (node.column == column)
            node.state = node.id == chosen ? state : FlowState::skipped;
}

/// The column of the speedup: where the flow goes on, or the end of it.
const char* chooseBand(const FlowFacts& facts)
{
    constexpr double kCritical = 0.5;
    return facts.incorrect ? "debug" : *facts.speedup < kCritical ? "critical" : *facts.speedup < 1 ? "high" : "success";
}

} // namespace

const char* bottleneckGroup(const std::string& classId)
{
    const auto found = std::ranges::find_if(kGroups, [&](const auto& row) { return classId == row.first; });
    return found == std::end(kGroups) ? "none" : found->second;
}

FlowFacts flowFacts(const RunRecord& run)
{
    FlowFacts facts;
    facts.environment = true;
    facts.incorrect = isRefuted(run.correctness.result);
    facts.speedup = run.speedup;
    if (run.diagnosis)
        facts.classId = run.diagnosis->finding.classId;
    return facts;
}

FlowFacts flowFacts(const SessionView& view)
{
    FlowFacts facts;
    if (view.environment)
        facts.environment = passes(*view.environment);
    const auto wrong = [](const std::optional<RunRecord>& run) { return run && run->status == ResultStatus::validationFailed; };
    facts.incorrect = wrong(view.candidateRun) || (!view.candidateRun && (wrong(view.smallestRun) || wrong(view.startRun)));
    if (view.baselineRun)
        facts.speedup = view.baselineRun->speedup;
    if (view.profileRun && view.profileRun->diagnosis)
        facts.classId = view.profileRun->diagnosis->finding.classId;
    facts.changed = view.candidate.has_value();
    if (view.candidate)
        facts.fix = view.sourceChange ? "own edit" : view.candidate->variant;
    if (view.evaluation && view.evaluation->ratio)
        facts.gain = computeProduct(view.parked, view.evaluation->ratio);
    facts.outcome = view.outcome;
    return facts;
}

const FlowNode* PatternFlow::next() const
{
    const auto found = std::ranges::find(nodes, FlowState::now, &FlowNode::state);
    return found == nodes.end() ? nullptr : &*found;
}

PatternFlow patternFlow(const FlowFacts& facts)
{
    PatternFlow flow;
    for (const auto& node : kNodes)
        flow.nodes.push_back({node.id, node.title, node.pattern, node.column, node.row, {}, FlowState::ahead});
    for (const auto& edge : kEdges)
        flow.edges.push_back({edge.from, edge.to, edge.label});
    const auto reach = [&](const char* id, bool done, std::string fact = {}) {
        FlowNode* node = findFlowNode(flow, id);
        node->state = done ? FlowState::done : FlowState::now;
        node->fact = std::move(fact);
        return done;
    };
    const bool checked = facts.environment.value_or(false);
    if (!reach("environment", checked, facts.environment ? checked ? "passes" : "fails" : ""))
        return flow;
    if (!reach("baseline", facts.speedup || facts.incorrect, facts.speedup ? formatRatio(*facts.speedup) : std::string()))
        return flow;
    const std::string band = chooseBand(facts);
    const bool profiled = !facts.classId.empty();
    const bool stays = band == "debug" || (band == "success" && !profiled && !facts.changed);
    branch(flow, band, stays || !profiled ? FlowState::now : FlowState::done);
    if (stays || !profiled)
        return flow;
    const std::string group = bottleneckGroup(facts.classId);
    reach("tree", true, facts.classId);
    if (group != "none")
        branch(flow, group, facts.changed ? FlowState::done : FlowState::now);
    if (!reach("fix", facts.changed, facts.fix)) {
        if (group != "none") // the branch says which fix: it is the one that is next
            findFlowNode(flow, "fix")->state = FlowState::ahead;
        return flow;
    }
    if (!reach("again", facts.gain.has_value(), facts.gain ? formatRatio(facts.gain->value) : std::string()))
        return flow;
    const bool kept = facts.outcome.empty() ? facts.gain->low >= facts.keepAt : facts.outcome == "kept";
    branch(flow, kept ? "keep" : "revert", facts.outcome.empty() ? FlowState::now : FlowState::done);
    return flow;
}

} // namespace kl::inline patterns
