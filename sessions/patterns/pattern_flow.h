// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
#include "sessions/session/session_view.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline patterns {

/// What decides which pattern is next: what is known of a session, or of a single run.
struct FlowFacts {
    std::optional<bool> environment; ///< whether the check passed; unset: not checked
    bool incorrect = false;          ///< a result that counts is not correct
    std::optional<double> speedup;   ///< against the baseline
    std::string classId;             ///< of the finding; empty without a profile
    bool changed = false;            ///< one fix was applied
    std::string fix;                 ///< which: the variant, or "own edit"
    std::optional<Ratio> gain;       ///< of the interleaved comparison, with what was parked before; unset until measured
    double keepAt = 1.2;             ///< lower end of the gain from which a change is kept
    std::string outcome;             ///< "kept", "reverted"; empty while open

    bool operator==(const FlowFacts&) const = default;
};

FlowFacts flowFacts(const SessionView& view);
/// Of a run outside a session: the environment is taken to be checked, since the run ran.
FlowFacts flowFacts(const RunRecord& run);

enum class FlowState {
    done,   ///< passed
    now,    ///< this pattern is next
    ahead,  ///< may still come
    skipped ///< of a branch that was not taken
};

/// A box of the flow: a pattern, or a decision's end.
struct FlowNode {
    std::string id;
    std::string title;
    std::string pattern; ///< slug; empty: none
    int column = 0;      ///< from the left
    int row = 0;         ///< from the top
    std::string fact;    ///< what is known there: "0.25×", "bank-conflicts"
    FlowState state = FlowState::ahead;
};

struct FlowEdge {
    std::string from;
    std::string to;
    std::string label; ///< the condition: "below 0.5×"
};

/// When to apply which pattern, from the start of a session to keep or revert.
struct PatternFlow {
    std::vector<FlowNode> nodes; ///< columns from the left, each from the top
    std::vector<FlowEdge> edges;

    /// The pattern to apply next; null when the session is decided.
    const FlowNode* next() const;
};

/// The flow with the states that the facts give it. Thresholds: 0.5 and 1.0 as `decide`, keepAt as gate G5.
PatternFlow patternFlow(const FlowFacts& facts);

/// "memory", "launch", "compute", "latency": the branch of a class after the profile; "none" for those that name no bottleneck. Every class
/// has one.
const char* bottleneckGroup(const std::string& classId);

} // namespace kl::inline patterns
