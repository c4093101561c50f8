// SPDX-License-Identifier: MIT
#include "sessions/session/gate.h"

#include "core/base/format.h"
#include "core/stats/ab.h"
#include "core/stats/ratio_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace kl::inline session {
namespace {

GateResult combineResults(const std::vector<CheckRow>& rows)
{
    bool passed = false;
    bool unknown = false;
    for (const CheckRow& row : rows) {
        if (row.requirement != Requirement::required || (!row.blocks && row.result == GateResult::unknown))
            continue;
        if (row.result == GateResult::fail)
            return GateResult::fail;
        unknown = unknown || row.result == GateResult::unknown;
        passed = passed || row.result == GateResult::pass;
    }
    return unknown || !passed ? GateResult::unknown : GateResult::pass;
}

/// A speedup below speedup_min is known and fails; where there is none, the other rows of its gate say why.
bool isOpen(const CheckRow& row)
{
    return row.requirement != Requirement::required || row.result == GateResult::pass || !row.blocks;
}

std::string firstTrouble(const GateView& gate)
{
    for (const GateResult wanted : {GateResult::fail, GateResult::unknown})
        for (const CheckRow& row : gate.checks)
            if (!isOpen(row) && row.result == wanted)
                return fmt::format("{}: {}{}", row.title, row.found.empty() ? "not evaluated yet" : row.found,
                                   row.threshold.empty() ? "" : fmt::format(" (needed: {})", row.threshold));
    return "nothing was found";
}

std::string keepVerdict(const GateView& gate, const GateInput& input)
{
    const std::optional<Comparison>& seen = input.view.evaluation;
    if (!seen || !seen->ratio)
        return gate.result == GateResult::fail ? fmt::format("Revert: {}.", firstTrouble(gate)) : firstTrouble(gate) + ".";
    const Ratio ratio = computeProduct(input.view.parked, seen->ratio);
    const std::string steps = input.view.parked.empty() ? "" : fmt::format(" of {} steps together", input.view.parked.size() + 1);
    const std::string figures =
        fmt::format("old / new{} {} (95 % CI {}, {} blocks)", steps, formatRatio(ratio.value), intervalText(ratio), seen->blocks);
    const std::string keepAt = formatRatio(input.plan.keepAt());
    if (gate.result == GateResult::pass)
        return fmt::format("Keep: {}, at least {}.", figures, keepAt);
    if (canPark(input.view))
        return fmt::format("Set it aside: {}, measurably faster but below {}. It counts together with further steps.", figures, keepAt);
    if (gate.result == GateResult::fail)
        return fmt::format("Revert and try a different fix: {}, below {}.", figures, keepAt);
    return fmt::format("Inconclusive: {} spans {}. Revert, or waive the gate with a reason.", figures, keepAt);
}

/// What a passed gate says, by the last kind of evidence that it rests on.
std::string describePassed(Evidence last, const GateInput& input)
{
    const SessionView& view = input.view;
    if (last == Evidence::environment)
        return "All requirements are met.";
    if (last == Evidence::baseline && view.baselineRun && view.baselineRun->speedup)
        return composeAdvice(chooseLevel(*view.baselineRun->speedup, input.plan), *view.baselineRun->speedup, input.plan);
    if (last == Evidence::profile && view.profileRun && view.profileRun->diagnosis)
        return view.profileRun->diagnosis->finding.title;
    if (last == Evidence::startSuite)
        return fmt::format("{} is correct at every size in the suite.", toText(view.start));
    if ((last == Evidence::candidate || last == Evidence::memory) && view.candidate) {
        const std::optional<MemoryCheck>& memory = input.view.memoryCheck;
        return fmt::format("{} is correct at every size in the suite{}.", toText(*view.candidate),
                           memory && memory->found == 0 && !memory->complete ? "; its memory accesses are not checked" : "");
    }
    if (last == Evidence::minimalCase && view.candidate && view.failingProblem)
        return fmt::format("{} is correct at {}, the smallest size that failed.", toText(*view.candidate), toText(*view.failingProblem));
    return "Passed.";
}

std::string composeVerdict(const GateView& gate, Evidence last, const GateInput& input)
{
    if (last == Evidence::evaluation && input.view.has(last))
        return keepVerdict(gate, input);
    if (gate.result != GateResult::unknown && !gate.blocks)
        return describePassed(last, input);
    if (last == Evidence::environment)
        return fmt::format("Not ready. {}.", firstTrouble(gate));
    if (last == Evidence::candidate || last == Evidence::memory)
        return fmt::format("Not proven correct: revert, or open a debug session. {}.", firstTrouble(gate));
    return firstTrouble(gate) + ".";
}

/// The seq from which on a waiver counts: evidence that came later, another candidate or another device overtakes it.
int waivableFrom(const std::vector<Evidence>& kinds, const SessionFacts& facts)
{
    int seq = facts.conditionsSeq;
    for (const Evidence kind : kinds) {
        if (const auto found = facts.evidence.find(kind); found != facts.evidence.end())
            seq = std::max(seq, found->second);
        if (aboutCandidate(kind))
            seq = std::max(seq, facts.fixSeq);
    }
    return seq;
}

/// Why a gate's evidence counts no more; empty while it does.
std::string staleness(const std::vector<Evidence>& kinds, const GateInput& input)
{
    for (const Evidence kind : kinds)
        if (const auto found = input.view.stale.find(kind); found != input.view.stale.end())
            return found->second;
    const bool none = std::none_of(kinds.begin(), kinds.end(), [&](Evidence kind) { return input.view.has(kind); });
    const bool change = std::all_of(kinds.begin(), kinds.end(), aboutCandidate);
    if (none && change && !input.view.tried.empty())
        return fmt::format("Its evidence is from {}, which was dropped.", toText(input.view.tried.back()));
    if (none && change && !input.view.parked.empty())
        return fmt::format("Its evidence is from {}, which was set aside.", toText(input.view.parked.back().to));
    return {};
}

/// Rows about figures that a command of a program's target does not give.
constexpr std::array<std::string_view, 11> kNeedFigures{"smoke",
                                                        "finite",
                                                        "written",
                                                        "max-difference",
                                                        "gross-error",
                                                        "start-finite",
                                                        "start-written",
                                                        "start-max-difference",
                                                        "start-gross-error",
                                                        "kernel-max-difference",
                                                        "kernel-gross-error"};
/// Rows about a result, which name its figures.
constexpr std::array<std::string_view, 4> kNameFigures{"smallest-correct", "kernel-correct", "smallest-difference", "failing-case-fixed"};

/// A program's rows lead to no command of a worker, and claim no figures that its check does not give.
void adaptToProgram(CheckRow& row, const KernelFamily& family)
{
    std::erase_if(row.next, [](const NextStep& step) { return step.id == StepId::run || step.id == StepId::profile; });
    if (!family.checkedByCommand || row.found.empty())
        return;
    if (std::ranges::find(kNeedFigures, row.id) != kNeedFigures.end()) {
        row.requirement = Requirement::optional;
        row.result = GateResult::unknown;
        row.found = "not evaluated: the target's check command decides";
    } else if (row.result == GateResult::pass && std::ranges::find(kNameFigures, row.id) != kNameFigures.end()) {
        row.found = "correct, as the command of the target says";
    }
}

} // namespace

std::string chooseLevel(double speedup, const SessionTemplate& plan)
{
    if (speedup < plan.threshold("speedup_min"))
        return "critical";
    if (speedup < plan.threshold("speedup_high"))
        return "high";
    return speedup <= plan.threshold("speedup_success") ? "medium" : "success";
}

std::string composeAdvice(const std::string& level, double speedup, const SessionTemplate& plan)
{
    const std::string figure = fmt::format("{} the baseline's speed", formatRatio(speedup));
    if (level == "critical")
        return fmt::format("Critical, {}: stop optimizing and profile.", figure);
    if (level == "high")
        return fmt::format("High, {}: profile, then fix the largest finding.", figure);
    if (level == "medium")
        return fmt::format("Medium, {}: validate correctness, test larger sizes, then profile.", figure);
    if (speedup >= plan.threshold("speedup_next_bottleneck"))
        return fmt::format("Success, {}: document it, and profile for the next bottleneck.", figure);
    return fmt::format("Success, {}: document and scale; a profile shows what is left.", figure);
}

bool canPark(const SessionView& view) noexcept
{
    return view.cumulative && view.evaluation && view.evaluation->ratio && view.evaluation->verdict == Verdict::faster &&
           view.evaluation->ratio->low > 1;
}

bool satisfied(const GateView& gate) noexcept
{
    return gate.progress == GateProgress::waived ||
           (gate.result != GateResult::unknown && !gate.blocks && gate.progress != GateProgress::stale);
}

const char* outcomeWord(const GateView& gate) noexcept
{
    if (gate.progress == GateProgress::waived)
        return "waived";
    if (gate.progress == GateProgress::stale)
        return "stale";
    return gate.result == GateResult::pass ? "pass" : gate.result == GateResult::fail ? "fail" : "unknown";
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
    if (input.family && input.family->isProgram())
        for (CheckRow& row : view.checks)
            adaptToProgram(row, *input.family);
    view.result = combineResults(view.checks);
    view.blocks = !std::all_of(view.checks.begin(), view.checks.end(), isOpen);
    const bool judgesSpeedup = std::find(gate.checks.begin(), gate.checks.end(), "speedup-level") != gate.checks.end();
    if (judgesSpeedup && input.view.baselineRun && input.view.baselineRun->speedup)
        view.level = chooseLevel(*input.view.baselineRun->speedup, input.plan);

    const std::vector<Evidence> kinds = input.plan.listEvidence(gate);
    const bool evidence = std::any_of(kinds.begin(), kinds.end(), [&](Evidence kind) { return input.view.has(kind); });
    const std::string stale = staleness(kinds, input);
    const auto waiver = input.view.waivers.find(gate.id);
    const bool waived = waiver != input.view.waivers.end() && waiver->second.seq > waivableFrom(kinds, input.view);
    const bool way = view.result != GateResult::unknown && !view.blocks;
    if (waived && (!way || !stale.empty())) {
        view.progress = GateProgress::waived;
        view.waivedReason = waiver->second.reason;
    } else if (!stale.empty()) {
        view.progress = GateProgress::stale;
        view.staleReason = stale;
    } else if (way) {
        view.progress = GateProgress::done;
    } else if (evidence) {
        view.progress = GateProgress::running;
    }
    if (evidence)
        view.verdict = composeVerdict(view, kinds.back(), input);
    return view;
}

} // namespace kl::inline session
