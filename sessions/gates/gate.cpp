// SPDX-License-Identifier: MIT
#include "sessions/gates/gate.h"

#include "core/base/format.h"
#include "core/stats/ab.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

GateResult resultOf(const std::vector<CheckRow>& rows)
{
    bool passed = false;
    bool unknown = false;
    for (const CheckRow& row : rows) {
        if (row.requirement != Requirement::required)
            continue;
        if (row.result == GateResult::fail)
            return GateResult::fail;
        unknown = unknown || row.result == GateResult::unknown;
        passed = passed || row.result == GateResult::pass;
    }
    return unknown || !passed ? GateResult::unknown : GateResult::pass;
}

std::string firstTrouble(const GateView& gate)
{
    for (const GateResult wanted : {GateResult::fail, GateResult::unknown})
        for (const CheckRow& row : gate.checks)
            if (row.requirement == Requirement::required && row.result == wanted)
                return fmt::format("{}: {}{}", row.title, row.found.empty() ? "not known yet" : row.found,
                                   row.threshold.empty() ? "" : fmt::format(" (needed: {})", row.threshold));
    return "nothing was found";
}

std::string keepVerdict(const GateView& gate, const GateInput& input)
{
    const std::optional<Comparison>& seen = input.view.evaluation;
    if (!seen || !seen->ratio)
        return gate.result == GateResult::fail ? fmt::format("Revert: {}.", firstTrouble(gate)) : firstTrouble(gate) + ".";
    const Ratio& ratio = *seen->ratio;
    const std::string figures = fmt::format("old / new {} (95 % interval {} to {}, {} blocks)", formatRatio(ratio.value),
                                            formatRatio(ratio.low), formatRatio(ratio.high), seen->blocks);
    if (gate.result == GateResult::pass)
        return fmt::format("Keep: {}, at least {}.", figures, formatRatio(input.plan.keepAt()));
    if (gate.result == GateResult::fail)
        return fmt::format("Revert and try a different fix: {}, below {}.", figures, formatRatio(input.plan.keepAt()));
    return fmt::format("Inconclusive: {} spans {}. Revert, unless it is waived with a reason.", figures, formatRatio(input.plan.keepAt()));
}

std::string verdictOf(const GateView& gate, const GateInput& input)
{
    const bool pass = gate.result == GateResult::pass;
    if (gate.id == "G1")
        return pass ? "Everything required is there." : fmt::format("Not ready. {}.", firstTrouble(gate));
    if (gate.id == "G2" && pass && input.view.baselineRun && input.view.baselineRun->speedup) {
        const double speedup = *input.view.baselineRun->speedup;
        return adviceOf(levelOf(speedup, input.plan), speedup, input.plan);
    }
    if (gate.id == "G3" && pass)
        return input.view.profileRun->diagnosis->finding.title;
    if (gate.id == "G4")
        return pass ? fmt::format("{} is right on every size of the suite.", toText(*input.view.candidate))
                    : fmt::format("Not proven right: revert, or open a debug session. {}.", firstTrouble(gate));
    if (gate.id == "G5")
        return keepVerdict(gate, input);
    return pass ? "Passed." : firstTrouble(gate) + ".";
}

} // namespace

std::string levelOf(double speedup, const SessionTemplate& plan)
{
    if (speedup < plan.threshold("speedup_min"))
        return "critical";
    if (speedup < plan.threshold("speedup_high"))
        return "high";
    return speedup <= plan.threshold("speedup_success") ? "medium" : "success";
}

std::string adviceOf(const std::string& level, double speedup, const SessionTemplate& plan)
{
    const std::string figure = fmt::format("{} of the baseline's speed", formatRatio(speedup));
    if (level == "critical")
        return fmt::format("Critical, {}: stop optimising and profile.", figure);
    if (level == "high")
        return fmt::format("High, {}: profile, then mend the largest finding.", figure);
    if (level == "medium")
        return fmt::format("Medium, {}: validate correctness, test larger sizes, then profile.", figure);
    if (speedup >= plan.threshold("speedup_next_bottleneck"))
        return fmt::format("Success, {}: document it, and profile for the next bottleneck.", figure);
    return fmt::format("Success, {}: document and scale; a profile says what is left.", figure);
}

bool satisfied(const GateView& gate) noexcept
{
    return gate.result == GateResult::pass || gate.progress == GateProgress::waived;
}

GateView evaluateGate(const SessionTemplate::Gate& gate, const GateInput& input)
{
    GateView view;
    view.id = gate.id;
    view.title = gate.title;
    view.rule = gate.rule;
    for (const std::string& check : gate.checks)
        for (CheckRow& row : evaluateCheck(check, input))
            view.checks.push_back(std::move(row));
    view.result = resultOf(view.checks);

    const bool evidence = input.facts.evidence.contains(gate.id);
    const auto waiver = input.facts.waivers.find(gate.id);
    if (view.result == GateResult::pass) {
        view.progress = GateProgress::done;
    } else if (waiver != input.facts.waivers.end()) {
        view.progress = GateProgress::waived;
        view.waivedReason = waiver->second.reason;
    } else if (evidence) {
        view.progress = GateProgress::running;
    } else if (!input.facts.tried.empty() && input.plan.phaseOfGate(gate.id) && (gate.id == "G4" || gate.id == "G5")) {
        view.progress = GateProgress::stale; // its evidence was about a candidate that was reverted
    }
    if (evidence)
        view.verdict = verdictOf(view, input);
    return view;
}

} // namespace kl
