// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/evidence.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

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

    /// Precondition: one of the names that parseTemplate asks for.
    double threshold(const std::string& name) const;
    /// The ratio old / new from which a change is kept: 1 + keep_improvement_min.
    double keepAt() const { return 1 + threshold("keep_improvement_min"); }
    const Gate* gate(const std::string& id) const;
    /// The evidence that a gate's checks use, in the method's order.
    std::vector<Evidence> evidenceOf(const Gate& gate) const;
    /// The evidence that a phase gathers: that of its steps, then of its gates. Empty for the phase that documents the session.
    std::vector<Evidence> evidenceOf(const Phase& phase) const;
    /// Whether any phase gathers it.
    bool asksFor(Evidence evidence) const;
    /// The gate with a check that uses it, or null.
    const Gate* gateOf(Evidence evidence) const;
    /// The phase that gathers it, or null.
    const Phase* phaseOf(Evidence evidence) const;
};

/// Error badInput names the field: a missing threshold, an unknown check, step, gate or field, an id twice, a gate that does not close a
/// phase, steps out of the method's order, a budget that is not positive, phases that together exceed the whole budget.
Result<SessionTemplate> parseTemplate(std::string_view json, std::string_view where);

} // namespace kl
