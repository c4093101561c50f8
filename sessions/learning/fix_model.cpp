// SPDX-License-Identifier: MIT
#include "sessions/learning/fix_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kl::inline learning {
namespace {

constexpr double kElsewhere = 0.1;
constexpr double kSimilar = 0.2;
constexpr double kPriorWeight = 2;
constexpr double kUnnamed = 0.05;
constexpr double kSurest = 0.98; ///< no chance is called larger, or its opposite smaller: the cases are a few hundred
constexpr int kSharedFeatures = 4;
constexpr int kCasesToCalibrate = 20;
constexpr std::size_t kFamiliesToCalibrate = 4;

/// Of the finding that names the kind; of the first finding where none does.
double promiseIn(const FixState& state, const std::string& kind)
{
    const auto found = state.trust.find(kind);
    return promiseOf(found != state.trust.end() ? found->second.estimate : state.estimate);
}

double trustIn(const FixState& state, const std::string& kind)
{
    const auto found = state.trust.find(kind);
    return found != state.trust.end() ? std::max(kUnnamed, found->second.confidence) : kUnnamed;
}

/// a + b gain.
double valueOf(const std::array<double, 2>& line, double gain)
{
    return line[0] + line[1] * gain;
}

/// A gain's chance to reach what pays: gains scatter around what is expected by a logistic distribution.
double chanceOfPaying(double expected, double steepness)
{
    return std::clamp(1 / (1 + std::exp(-steepness * (expected - std::log(kFixPays)))), 1 - kSurest, kSurest);
}

struct Trial {
    double expected = 0; ///< gain, from similar cases of other families
    double gain = 0;     ///< measured
};

/// Least squares, each measured gain within -1 and 3, with a ridge of 1 towards the expectation as it is. Never flatter than a half: a
/// larger expectation stays the larger one.
std::array<double, 2> fitLine(const std::vector<Trial>& trials)
{
    double n = 1, x = 0, xx = 1, y = 0, xy = 1;
    for (const Trial& trial : trials) {
        const double gain = std::clamp(trial.gain, -1.0, 3.0);
        n += 1;
        x += trial.expected;
        xx += trial.expected * trial.expected;
        y += gain;
        xy += trial.expected * gain;
    }
    const double slope = std::max((n * xy - x * y) / (n * xx - x * x), 0.5);
    return {(y - slope * x) / n, slope};
}

/// The steepness under which the trials' outcomes are the likeliest, within 1 and 20, with a ridge of 1 towards 4: by golden section.
double fitSteepness(const std::vector<Trial>& trials, const std::array<double, 2>& line)
{
    const auto cost = [&](double steepness) {
        double sum = (steepness - 4) * (steepness - 4) / 2;
        for (const Trial& trial : trials) {
            const double p = std::clamp(chanceOfPaying(valueOf(line, trial.expected), steepness), 1e-9, 1 - 1e-9);
            sum -= std::log(trial.gain >= std::log(kFixPays) ? p : 1 - p);
        }
        return sum;
    };
    constexpr double kGolden = 0.6180339887498949;
    double low = 1, high = 20;
    for (int step = 0; step < 40; ++step) {
        const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
        (cost(left) < cost(right) ? high : low) = cost(left) < cost(right) ? right : left;
    }
    return (low + high) / 2;
}

} // namespace

double FixChance::reduction() const
{
    return 1 - std::exp(-std::max(gain, 0.0));
}

FixModel::FixModel(std::vector<FixState> states) : states_(std::move(states)), scales_(caseFeatures().size())
{
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        double sum = 0, squares = 0, n = 0;
        for (const FixState& state : states_)
            if (state.features[i]) {
                sum += *state.features[i];
                squares += *state.features[i] * *state.features[i];
                ++n;
            }
        if (n < 2)
            continue;
        scales_[i].mean = sum / n;
        const double variance = squares / n - scales_[i].mean * scales_[i].mean;
        scales_[i].deviation = variance > 1e-9 ? std::sqrt(variance) : 1;
    }
}

FixModel FixModel::trained(std::vector<FixState> states)
{
    FixModel model(std::move(states));
    model.calibrate();
    return model;
}

/// A case is expected by a model that has not seen its family, as any new kernel will be.
void FixModel::calibrate()
{
    std::set<std::string> families;
    for (const FixState& state : states_)
        families.insert(state.family);
    if (cases() < kCasesToCalibrate || families.size() < kFamiliesToCalibrate)
        return;
    std::vector<Trial> trials;
    for (const std::string& family : families) {
        std::vector<FixState> others;
        std::ranges::copy_if(states_, std::back_inserter(others), [&](const FixState& state) { return state.family != family; });
        const FixModel without(std::move(others));
        for (const FixState& state : states_)
            if (state.family == family)
                for (const FixOutcome& outcome : state.outcomes)
                    trials.push_back({without.expect(state, outcome.kind).gain, outcome.gain});
    }
    line_ = fitLine(trials);
    steepness_ = fitSteepness(trials, line_);
    calibrated_ = true;
}

double FixModel::distance(const FixState& a, const FixState& b) const
{
    double sum = 0;
    int shared = 0;
    for (std::size_t i = 0; i < scales_.size(); ++i)
        if (a.features[i] && b.features[i]) {
            const double apart = (*a.features[i] - *b.features[i]) / scales_[i].deviation;
            sum += apart * apart;
            ++shared;
        }
    return shared >= kSharedFeatures ? std::sqrt(sum / shared) : 1e3;
}

FixModel::Expectation FixModel::expect(const FixState& state, const std::string& kind) const
{
    struct Sum {
        double weight = 0, part = 0;
        int cases = 0, similar = 0;
    };
    std::map<std::string, Sum> families;
    for (const FixState& known : states_) {
        if (known.kernel == state.kernel && known.problem == state.problem)
            continue;
        double similarity = -1;
        for (const FixOutcome& outcome : known.outcomes) {
            if (outcome.kind != kind)
                continue;
            if (similarity < 0) {
                const double d = distance(state, known);
                similarity = std::max(kElsewhere, known.classId == state.classId ? std::exp(-d * d / 2) : 0);
            }
            Sum& sum = families[known.family];
            sum.weight += similarity;
            sum.part += similarity * std::clamp(outcome.gain / promiseIn(known, kind), -1.0, 2.0);
            ++sum.cases;
            sum.similar += similarity >= kSimilar ? 1 : 0;
        }
    }
    double weight = kPriorWeight;
    double part = kPriorWeight * trustIn(state, kind);
    Expectation expected;
    for (const auto& [family, sum] : families) {
        const double count = std::sqrt(static_cast<double>(sum.cases));
        weight += sum.weight / count;
        part += sum.part / count;
        expected.cases += sum.similar;
        expected.kernels += sum.similar > 0 ? 1 : 0;
    }
    expected.gain = part / weight * promiseIn(state, kind);
    return expected;
}

FixChance FixModel::chanceOf(const FixState& state, const std::string& kind) const
{
    const Expectation expected = expect(state, kind);
    const double gain = calibrated_ ? valueOf(line_, expected.gain) : expected.gain;
    const double chance = calibrated_ ? chanceOfPaying(gain, steepness_) : trustIn(state, kind);
    return {kind, chance, gain, expected.cases, expected.kernels, expected.cases >= kFewCases};
}

std::vector<FixChance> FixModel::rank(const FixState& state) const
{
    std::set<std::string> kinds;
    for (const auto& [kind, trust] : state.trust)
        kinds.insert(kind);
    for (const FixState& known : states_)
        for (const FixOutcome& outcome : known.outcomes)
            kinds.insert(outcome.kind);
    std::vector<FixChance> ranked;
    for (const std::string& kind : kinds)
        ranked.push_back(chanceOf(state, kind));
    std::ranges::stable_sort(ranked, std::ranges::greater{}, &FixChance::gain);
    return ranked;
}

int FixModel::cases() const noexcept
{
    int count = 0;
    for (const FixState& state : states_)
        count += static_cast<int>(state.outcomes.size());
    return count;
}

int FixModel::ownCases() const noexcept
{
    int count = 0;
    for (const FixState& state : states_)
        count += state.own ? static_cast<int>(state.outcomes.size()) : 0;
    return count;
}

} // namespace kl::inline learning
