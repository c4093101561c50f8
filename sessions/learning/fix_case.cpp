// SPDX-License-Identifier: MIT
#include "sessions/learning/fix_case.h"

#include "core/base/format.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline learning {
namespace {

/// Throughputs, occupancy, access patterns, stalls and size: what an engineer looks at to say that two kernels are alike.
constexpr std::array<std::string_view, 20> kFeatures{"dram_percent",
                                                     "l2_percent",
                                                     "l1_percent",
                                                     "compute_sol_percent",
                                                     "issue_slots_percent",
                                                     "achieved_occupancy_percent",
                                                     "threads_per_warp",
                                                     "sectors_per_load",
                                                     "sectors_per_store",
                                                     "bank_conflict_percent",
                                                     "barrier_stall_percent",
                                                     "long_scoreboard_percent",
                                                     "short_scoreboard_percent",
                                                     "mio_throttle_percent",
                                                     "math_throttle_percent",
                                                     "lg_throttle_percent",
                                                     "wait_stall_percent",
                                                     "duration_us",
                                                     "waves",
                                                     "longest_launch_percent"};
constexpr double kSecondaryTrust = 0.5;

std::string replaceWithDashes(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '-'; });
    return text;
}

ParamValue findTunableValue(const Tunable& tunable, const Address& address)
{
    const auto found = address.tunables.find(tunable.name);
    return found != address.tunables.end() ? found->second : tunable.defaultValue;
}

std::string valueText(const ParamValue& value)
{
    return std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : std::to_string(std::get<std::int64_t>(value));
}

std::string classifyTunable(const Tunable& tunable, const ParamValue& from, const ParamValue& to)
{
    if (const auto meaning = tunable.meaning.find(valueText(to)); meaning != tunable.meaning.end())
        return meaning->second;
    const auto* before = std::get_if<std::int64_t>(&from);
    const auto* after = std::get_if<std::int64_t>(&to);
    if (!before || !after)
        return replaceWithDashes(tunable.name + '-' + valueText(to));
    const std::string& kind = *after > *before ? tunable.raising : tunable.lowering;
    return !kind.empty() ? kind : replaceWithDashes(tunable.name + (*after > *before ? "-up" : "-down"));
}

/// Of tunables that both variants have.
std::vector<const Tunable*> findDiffering(const KernelFamily& family, const Variant& a, const Variant& b, const Address& from,
                                          const Address& to)
{
    std::vector<const Tunable*> found;
    for (const Tunable& tunable : family.tunables)
        if (std::ranges::count(a.tunables, tunable.name) > 0 && std::ranges::count(b.tunables, tunable.name) > 0 &&
            findTunableValue(tunable, from) != findTunableValue(tunable, to))
            found.push_back(&tunable);
    return found;
}

bool isEvidence(const RunRecord& run)
{
    return isUsable(run) && run.timing && run.timing->gpu.median > 0 && !run.program;
}

} // namespace

std::string fixChanceText(double chance, bool isChange)
{
    return fmt::format("{} chance{}", formatPercent(std::round(100 * chance)), isChange ? " of ≥" + formatRatio(kFixPays) : "");
}

double computePromise(const std::optional<double>& estimate)
{
    const double promise = estimate ? -std::log(std::max(1 - *estimate, 1e-3)) : std::log(2.0);
    return std::clamp(promise, 0.02, std::log(20.0));
}

std::span<const std::string_view> caseFeatures()
{
    return kFeatures;
}

FixState computeState(const RunRecord& run, const DiagnosisTree& tree)
{
    const Diagnosis diagnosis = tree.diagnose(run, {});
    FixState state;
    state.family = run.kernel.family.substr(0, run.kernel.family.find('+'));
    state.kernel = toText(run.kernel);
    state.problem = toText(run.problem);
    state.device = run.device.name;
    state.classId = diagnosis.finding.classId;
    if (diagnosis.finding.estimate)
        state.estimate = diagnosis.finding.estimate->runtimeReduction;
    const RunFacts facts(run, RunFacts::Missing::predict);
    for (const std::string_view id : kFeatures) {
        const Value value = findQuantity(id)->compute(facts);
        state.features.push_back(value ? Value(std::log1p(std::max(0.0, *value))) : std::nullopt);
    }
    const auto believe = [&](const Finding& finding, double share) {
        std::optional<double> estimate = finding.estimate ? std::optional(finding.estimate->runtimeReduction) : std::nullopt;
        if (computePromise(state.estimate) >= std::log(kFixPays) && computePromise(estimate) > computePromise(state.estimate))
            estimate = state.estimate;
        for (const Fix& fix : finding.fixes) {
            const FixTrust trust{share * fix.confidence, estimate};
            if (fix.kind.empty())
                continue;
            const auto [known, added] = state.trust.try_emplace(fix.kind, trust);
            if (trust.confidence * computePromise(trust.estimate) > known->second.confidence * computePromise(known->second.estimate))
                known->second = trust;
        }
    };
    believe(diagnosis.finding, 1);
    for (const Finding& finding : diagnosis.secondary)
        believe(finding, kSecondaryTrust);
    return state;
}

std::optional<std::string> classifyChange(const Catalog& catalog, const Address& from, const Address& to)
{
    const Result<const KernelFamily*> family = catalog.family(from.family);
    const Result<const Variant*> before = catalog.variant(from);
    const Result<const Variant*> after = catalog.variant(to);
    if (from.family != to.family || !family || !before || !after)
        return {};
    const std::vector<const Tunable*> tunables = findDiffering(**family, **before, **after, from, to);
    if (from.variant == to.variant)
        return tunables.size() == 1
                   ? std::optional(classifyTunable(*tunables[0], findTunableValue(*tunables[0], from), findTunableValue(*tunables[0], to)))
                   : std::nullopt;
    if (!tunables.empty())
        return {};
    if (const auto named = (*after)->changes.find(from.variant); named != (*after)->changes.end())
        return named->second;
    return (*after)->fixes == from.variant ? std::optional(replaceWithDashes(to.family + '-' + to.variant)) : std::nullopt;
}

std::vector<FixState> computeStates(const std::vector<RunRecord>& runs, const Catalog& catalog, const DiagnosisTree& tree)
{
    std::vector<FixState> states;
    for (const RunRecord& before : runs) {
        if (!isEvidence(before) || !isProfile(before))
            continue;
        std::vector<FixOutcome> outcomes;
        for (const RunRecord& after : runs) {
            if (after.kernel.family != before.kernel.family || after.problem != before.problem || after.device.name != before.device.name ||
                !isEvidence(after))
                continue;
            if (std::optional<std::string> kind = classifyChange(catalog, before.kernel, after.kernel))
                outcomes.push_back(
                    {toText(after.kernel), std::move(*kind), std::log(before.timing->gpu.median / after.timing->gpu.median)});
        }
        if (outcomes.empty())
            continue;
        states.push_back(computeState(before, tree));
        states.back().outcomes = std::move(outcomes);
    }
    return states;
}

} // namespace kl::inline learning
