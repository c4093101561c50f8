// SPDX-License-Identifier: MIT
#include "sessions/learning/fix_validation.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

namespace kl::inline learning {
namespace {

/// Time after it within 10 % of the time after the best.
constexpr double kNear = 1.10;
constexpr int kBins = 10;

struct Prediction {
    double chance = 0;
    bool paid = false;
};

/// The best measured gain by kind: where two points are one change of the same kind away, that kind means the better one.
std::map<std::string, double> collectGains(const FixState& state)
{
    std::map<std::string, double> gains;
    for (const FixOutcome& outcome : state.outcomes) {
        const auto [found, added] = gains.try_emplace(outcome.kind, outcome.gain);
        found->second = std::max(found->second, outcome.gain);
    }
    return gains;
}

void count(FixRate& rate, bool right)
{
    ++rate.of;
    rate.right += right ? 1 : 0;
}

/// `ranked`: kinds, best first.
void judge(const FixState& state, const std::vector<std::string>& ranked, FixRate& offered, FixRate& choice, FixRate& any)
{
    const std::map<std::string, double> gains = collectGains(state);
    double best = gains.begin()->second;
    for (const auto& [kind, gain] : gains)
        best = std::max(best, gain);
    const auto near = [&](const std::string& kind) {
        const auto found = gains.find(kind);
        return found != gains.end() && found->second >= best - std::log(kNear);
    };
    const auto first = std::ranges::find_if(ranked, [&](const std::string& kind) { return gains.contains(kind); });
    const bool right = first != ranked.end() && near(*first);
    count(offered, right);
    if (gains.size() > 1)
        count(choice, right);
    count(any, !ranked.empty() && near(ranked.front()));
}

/// By the tree's confidence; kinds that it does not name come last, by name.
std::vector<std::string> byTree(const FixState& state)
{
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [kind, trust] : state.trust)
        order.emplace_back(-trust.confidence, kind);
    for (const auto& [kind, gain] : collectGains(state))
        if (!state.trust.contains(kind))
            order.emplace_back(0, kind);
    std::ranges::sort(order);
    std::vector<std::string> kinds;
    for (auto& [trust, kind] : order)
        kinds.push_back(std::move(kind));
    return kinds;
}

/// By expected gain alone, where FixOrder lists what is ready first: kinds of this family alone are offered, too, and expected by what is
/// known without it.
std::vector<std::string> rankKinds(const FixModel& model, const FixState& state)
{
    std::vector<FixChance> chances = model.rank(state);
    for (const auto& [kind, gain] : collectGains(state))
        if (std::ranges::find(chances, kind, &FixChance::kind) == chances.end())
            chances.push_back(model.estimateChance(state, kind));
    std::ranges::stable_sort(chances, std::ranges::greater{}, &FixChance::gain);
    std::vector<std::string> kinds;
    for (const FixChance& chance : chances)
        kinds.push_back(chance.kind);
    return kinds;
}

std::vector<ReliabilityRow> computeReliability(const std::vector<Prediction>& predicted)
{
    std::vector<ReliabilityRow> rows(kBins);
    for (int i = 0; i < kBins; ++i)
        rows[i].from = static_cast<double>(i) / kBins;
    for (const Prediction& one : predicted) {
        ReliabilityRow& row = rows[std::min(static_cast<int>(one.chance * kBins), kBins - 1)];
        ++row.cases;
        row.predicted += one.chance;
        row.paid += one.paid ? 1 : 0;
    }
    std::erase_if(rows, [](const ReliabilityRow& row) { return row.cases == 0; });
    for (ReliabilityRow& row : rows) {
        row.predicted /= row.cases;
        row.paid /= row.cases;
    }
    return rows;
}

double computeEce(const std::vector<Prediction>& predicted)
{
    double error = 0;
    for (const ReliabilityRow& row : computeReliability(predicted))
        error += row.cases * std::abs(row.predicted - row.paid);
    return predicted.empty() ? 0 : error / static_cast<double>(predicted.size());
}

void add(FixRate& sum, const FixRate& part)
{
    sum.right += part.right;
    sum.of += part.of;
}

std::string cell(const FixRate& rate)
{
    return rate.of > 0 ? fmt::format("{}/{}, {}", rate.right, rate.of, formatPercent(rate.percent())) : std::string("none");
}

} // namespace

FixValidation crossValidate(const std::vector<FixState>& states)
{
    FixValidation validation;
    std::vector<Prediction> all, top;
    std::set<std::string> families;
    for (const FixState& state : states)
        families.insert(state.family);
    for (const std::string& family : families) {
        std::vector<FixState> others;
        std::ranges::copy_if(states, std::back_inserter(others), [&](const FixState& state) { return state.family != family; });
        const FixModel model = FixModel::makeTrained(std::move(others));
        FamilyTrial trial;
        trial.family = family;
        for (const FixState& state : states) {
            if (state.family != family)
                continue;
            ++trial.states;
            const std::vector<std::string> ranked = rankKinds(model, state);
            judge(state, ranked, trial.offered, trial.choice, trial.any);
            judge(state, byTree(state), validation.treeOffered, validation.treeChoice, validation.treeAny);
            for (const FixOutcome& outcome : state.outcomes)
                all.push_back({model.estimateChance(state, outcome.kind).chance, outcome.gain >= std::log(kFixPays)});
            trial.cases += static_cast<int>(state.outcomes.size());
            const std::map<std::string, double> gains = collectGains(state);
            const auto first = std::ranges::find_if(ranked, [&](const std::string& kind) { return gains.contains(kind); });
            top.push_back({model.estimateChance(state, *first).chance, gains.at(*first) >= std::log(kFixPays)});
        }
        add(validation.offered, trial.offered);
        add(validation.choice, trial.choice);
        add(validation.any, trial.any);
        validation.families.push_back(std::move(trial));
    }
    validation.reliability = computeReliability(all);
    validation.ece = computeEce(all);
    validation.topEce = computeEce(top);
    validation.cases = static_cast<int>(all.size());
    for (const Prediction& one : all)
        validation.paid += one.paid ? 1.0 / static_cast<double>(all.size()) : 0;
    return validation;
}

std::string validationMarkdown(const FixValidation& v)
{
    std::string text = fmt::format(
        "# The recommender, by cross-validation over whole families\n\nEach family is judged by a model that was trained on all others: "
        "its "
        "scales, cases and calibration do not use the family. {} measured changes, of which {} pay (at least {:.2f} times as fast). "
        "\"Within 10 %\": the time after the recommended change is at most 1.10 times that after the best.\n\n",
        v.cases, formatPercent(100 * v.paid), kFixPays);
    text += "| | learned | tree's confidence alone |\n|---|---|---|\n";
    text += fmt::format("| Best ranked change that the kernel offers is within 10 % of the best | {} | {} |\n", cell(v.offered),
                        cell(v.treeOffered));
    text += fmt::format("| The same where it offers two or more kinds | {} | {} |\n", cell(v.choice), cell(v.treeChoice));
    text += fmt::format("| Best ranked of all kinds was measured there and is within 10 % | {} | {} |\n", cell(v.any), cell(v.treeAny));
    text += fmt::format("\nExpected calibration error: {:.3f} over all measured changes, {:.3f} over the best ranked of each state (ten "
                        "bins).\n\n| chance predicted | cases | mean predicted | paid |\n|---|---|---|---|\n",
                        v.ece, v.topEce);
    for (const ReliabilityRow& row : v.reliability)
        text += fmt::format("| {:.0f} to {:.0f} % | {} | {} | {} |\n", 100 * row.from, 100 * row.from + 10, row.cases,
                            formatPercent(100 * row.predicted), formatPercent(100 * row.paid));
    text += "\n| family left out | states | cases | offered, within 10 % | where there is a choice | of all kinds "
            "|\n|---|---|---|---|---|---|\n";
    for (const FamilyTrial& f : v.families)
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", f.family, f.states, f.cases, cell(f.offered), cell(f.choice), cell(f.any));
    return text;
}

} // namespace kl::inline learning
