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
constexpr double kFlattest = 0.25; ///< a larger expectation never has the smaller chance, whatever the cases
constexpr int kSharedFeatures = 4;
constexpr int kCasesToCalibrate = 20;
constexpr std::size_t kFamiliesToCalibrate = 4;

/// Of the finding that names the kind; of the first finding where none does.
double promiseIn(const FixState& state, const std::string& kind)
{
    const auto found = state.trust.find(kind);
    return computePromise(found != state.trust.end() ? found->second.estimate : state.estimate);
}

double trustIn(const FixState& state, const std::string& kind)
{
    const auto found = state.trust.find(kind);
    return found != state.trust.end() ? std::max(kUnnamed, found->second.confidence) : kUnnamed;
}

using Predictors = std::array<double, 3>;

/// What the logistic reads: 1, how far the expectation exceeds what pays, whether the tree names the kind.
Predictors computePredictors(const FixState& state, const std::string& kind, double gain)
{
    return {1, std::log(std::max(gain, 1e-3) / std::log(kFixPays)), state.trust.contains(kind) ? 1.0 : 0.0};
}

double logistic(const std::array<double, 3>& curve, const Predictors& x)
{
    return 1 / (1 + std::exp(-(curve[0] * x[0] + curve[1] * x[1] + curve[2] * x[2])));
}

/// The gain that agrees with the chance: `even` is the expectation whose chance is 50 %.
double computeAgreeingGain(double expected, double even)
{
    const double pays = std::log(kFixPays);
    if (expected >= even)
        return pays + expected - even;
    return expected > 0 ? expected * pays / even : expected;
}

/// Root mean square difference of the features that both have, in standard deviations.
template <class Scales> double computeDistance(const Scales& scales, const FixState& a, const FixState& b)
{
    double sum = 0;
    int shared = 0;
    for (std::size_t i = 0; i < scales.size(); ++i)
        if (a.features[i] && b.features[i]) {
            const double apart = (*a.features[i] - *b.features[i]) / scales[i].deviation;
            sum += apart * apart;
            ++shared;
        }
    return shared >= kSharedFeatures ? std::sqrt(sum / shared) : 1e3;
}

struct Trial {
    Predictors x;
    bool paid = false;
};

/// Solves a x = b by elimination; `a` is positive definite, so that no pivot vanishes.
std::array<double, 3> solve(std::array<std::array<double, 3>, 3> a, std::array<double, 3> b)
{
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t row = i + 1; row < 3; ++row) {
            const double factor = a[row][i] / a[i][i];
            for (std::size_t k = i; k < 3; ++k)
                a[row][k] -= factor * a[i][k];
            b[row] -= factor * b[i];
        }
    for (std::size_t i = 3; i-- > 0;) {
        for (std::size_t k = i + 1; k < 3; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    return b;
}

/// Newton's method on the ridge-penalised likelihood, from the curve that it is drawn towards; 25 steps are more than it ever takes.
std::array<double, 3> fitLogistic(const std::vector<Trial>& trials)
{
    const std::array<double, 3> start{0, 1, 0};
    std::array<double, 3> curve = start;
    for (int step = 0; step < 25; ++step) {
        std::array<double, 3> gradient{0, start[1] - curve[1], start[2] - curve[2]};
        std::array<std::array<double, 3>, 3> curvature{{{1e-6, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        for (const Trial& trial : trials) {
            const double p = logistic(curve, trial.x);
            for (std::size_t i = 0; i < 3; ++i) {
                gradient[i] += ((trial.paid ? 1 : 0) - p) * trial.x[i];
                for (std::size_t k = 0; k < 3; ++k)
                    curvature[i][k] += p * (1 - p) * trial.x[i] * trial.x[k];
            }
        }
        const std::array<double, 3> move = solve(curvature, gradient);
        for (std::size_t i = 0; i < 3; ++i)
            curve[i] += move[i];
    }
    curve[1] = std::max(curve[1], kFlattest);
    return curve;
}

} // namespace

double FixChance::reduction() const
{
    return 1 - std::exp(-std::max(gain, 0.0));
}

FixModel::FixModel(std::vector<FixState> states) : states_(std::move(states)), scales_(scalesWithout(nullptr)) {}

FixModel::Scales FixModel::scalesWithout(const std::string* except) const
{
    Scales scales(caseFeatures().size());
    for (std::size_t i = 0; i < scales.size(); ++i) {
        double sum = 0, squares = 0, n = 0;
        for (const FixState& state : states_)
            if (state.features[i] && (except == nullptr || state.family != *except)) {
                sum += *state.features[i];
                squares += *state.features[i] * *state.features[i];
                ++n;
            }
        if (n < 2)
            continue;
        scales[i].mean = sum / n;
        const double variance = squares / n - scales[i].mean * scales[i].mean;
        scales[i].deviation = variance > 1e-9 ? std::sqrt(variance) : 1;
    }
    return scales;
}

FixModel FixModel::makeTrained(std::vector<FixState> states)
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
        const Scales scales = scalesWithout(&family);
        for (const FixState& state : states_)
            if (state.family == family)
                for (const FixOutcome& outcome : state.outcomes)
                    trials.push_back({computePredictors(state, outcome.kind, expectWithout(&family, scales, state, outcome.kind).gain),
                                      outcome.gain >= std::log(kFixPays)});
    }
    curve_ = fitLogistic(trials);
    calibrated_ = true;
}

FixModel::Expectation FixModel::expectWithout(const std::string* except, const Scales& scales, const FixState& state,
                                              const std::string& kind) const
{
    struct Sum {
        double weight = 0, part = 0;
        int cases = 0, similar = 0;
    };
    std::map<std::string, Sum> families;
    for (const FixState& known : states_) {
        if ((except != nullptr && known.family == *except) || (known.kernel == state.kernel && known.problem == state.problem))
            continue;
        double similarity = -1;
        for (const FixOutcome& outcome : known.outcomes) {
            if (outcome.kind != kind)
                continue;
            if (similarity < 0) {
                const double d = computeDistance(scales, state, known);
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

FixChance FixModel::estimateChance(const FixState& state, const std::string& kind) const
{
    const Expectation expected = expectWithout(nullptr, scales_, state, kind);
    FixChance result{kind, trustIn(state, kind), expected.gain, expected.cases, expected.kernels, expected.cases >= kFewCases};
    if (calibrated_) {
        const Predictors x = computePredictors(state, kind, expected.gain);
        result.chance = logistic(curve_, x);
        result.gain = computeAgreeingGain(expected.gain, std::log(kFixPays) * std::exp(-(curve_[0] * x[0] + curve_[2] * x[2]) / curve_[1]));
    }
    return result;
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
        ranked.push_back(estimateChance(state, kind));
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
