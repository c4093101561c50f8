// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A session kind as data (sessions/templates/KIND.json): phases with budgets, gates over the closed list of checks (see
/// sessions/gates/checks.h), thresholds. Each session keeps a copy, so that an old verdict stays explainable.
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
    double idleAfterMinutes = 120; ///< a longer gap between two events is no work
    std::map<std::string, double> thresholds;
    std::vector<Question> questions;
    std::vector<Phase> phases;
    std::vector<Gate> gates;

    /// Precondition: one of the names that parseTemplate asks for.
    double threshold(const std::string& name) const;
    /// The ratio old / new from which a change is kept: 1 + keep_improvement_min.
    double keepAt() const { return 1 + threshold("keep_improvement_min"); }
    const Gate* gate(const std::string& id) const;
    /// The phase that a gate closes, or nothing.
    const Phase* phaseOfGate(const std::string& id) const;
};

/// Error badInput names the field: a missing threshold, an unknown check or gate, an id twice, a budget that is not positive, phases
/// that together exceed the whole budget.
Result<SessionTemplate> parseTemplate(std::string_view json, std::string_view where);

/// The text of the template that the program carries for a kind. Error badInput lists the kinds there are.
Result<std::string> templateText(const std::string& kind);

/// Kinds with a template, sorted.
std::vector<std::string> templateKinds();

} // namespace kl
