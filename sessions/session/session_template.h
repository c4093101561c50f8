// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/evidence.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline session {

/// A figure that a template may set, and what reads it.
struct Threshold {
    std::string_view name;
    double otherwise = 0; ///< where a template does not set it
    std::string_view usedBy;
};

/// Every threshold. A template sets those that its gates read; the others of it have no effect.
inline constexpr Threshold kThresholds[] = {
    {"speedup_min", 0.5, "G2: below it the level is critical, the gate fails and only profiling is allowed"},
    {"speedup_high", 1.0, "G2: below it the level is high"},
    {"speedup_success", 1.5, "G2: above it the level is success"},
    {"speedup_next_bottleneck", 2.0, "G2: at or above it, look for the next bottleneck"},
    {"speedup_target", 1.2, "G2 and the report: the goal, reached or not"},
    {"memory_bandwidth_min", 70, "G3: memory bandwidth, percent of the DRAM peak"},
    {"occupancy_min", 50, "G3: achieved occupancy, percent"},
    {"warp_efficiency_min", 75, "G3: active threads of a warp, percent of 32"},
    {"bank_conflicts_max", 10, "G3: bank conflicts, percent of the wavefronts"},
    {"kernel_duration_min_us", 10, "G3: below it launch overhead is suspected"},
    {"keep_improvement_min", 0.2, "G5: minimum improvement to keep a change"},
    {"max_abs_diff", 0.01, "correctness gates: the largest difference"},
    {"gross_error", 0.1, "correctness gates: above it a difference is too large for rounding"},
    {"peak_memory_max", 2, "G4: peak memory over that of the kept variant"},
    {"silence_timeout_s", 60, "every stage: silence after which a stall is reported"},
};

/// A session kind as data (sessions/templates/KIND.json, or one of a team, see template_library.h): phases with budgets, gates over the
/// closed list of checks (see sessions/session/checks.h), thresholds. Each session keeps a copy, so that old verdicts remain explainable.
struct SessionTemplate {
    struct Question {
        std::string id;
        std::string text;
    };
    struct Phase {
        std::string id;
        std::string title;
        std::string purpose;
        double budgetMinutes = 0;
        std::vector<std::string> gates;
        std::vector<std::string> steps;    ///< actions without a check of their own; those of the gates' checks need no mention
        std::vector<std::string> patterns; ///< slugs
    };
    struct Gate {
        std::string id;
        std::string title;
        std::string question;
        std::string rule;
        std::vector<std::string> checks;
    };

    std::string kind;
    std::string title;
    double budgetMinutes = 0;
    double idleAfterMinutes = 120; ///< a longer gap between two events is not counted
    std::map<std::string, double> thresholds;
    std::vector<Question> questions;
    std::vector<Phase> phases;
    std::vector<Gate> gates;

    /// One of kThresholds; its default where the template has none.
    double threshold(std::string_view name) const;
    /// The ratio old / new from which a change is kept: 1 + keep_improvement_min.
    double keepAt() const { return 1 + threshold("keep_improvement_min"); }
    const Gate* gate(const std::string& id) const;
    /// The evidence that a gate's checks use, in the method's order.
    std::vector<Evidence> listEvidence(const Gate& gate) const;
    /// The evidence that a phase gathers: that of its steps, then of its gates. Empty for the phase that documents the session.
    std::vector<Evidence> listEvidence(const Phase& phase) const;
    /// Whether any phase gathers it.
    bool asksFor(Evidence evidence) const;
    /// The gate with a check that uses it, or null.
    const Gate* lookUpGate(Evidence evidence) const;
    /// The phase that gathers it, or null.
    const Phase* lookUpPhase(Evidence evidence) const;
};

/// The first threshold of a template that nothing reads, usually a typo; empty without one. A session's own copy may have one.
std::string unknownThreshold(const SessionTemplate& plan);

/// Error badInput names the field: a missing threshold, an unknown check, step, gate or field, an id twice, a gate that does not close a
/// phase, steps out of the method's order, a budget that is not positive, phases that together exceed the whole budget.
Result<SessionTemplate> parseTemplate(std::string_view json, std::string_view where);

} // namespace kl::inline session
