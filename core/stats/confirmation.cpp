// SPDX-License-Identifier: MIT
#include "core/stats/confirmation.h"

#include "core/stats/distributions.h"
#include "core/stats/robust.h"

#include <cmath>
#include <fmt/format.h>
#include <random>

namespace kl::inline stats {
namespace {

constexpr int kResamples = 10'000;
constexpr double kTail = 0.025; ///< on either side

double computeMean(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

Ratio studentRatio(const std::vector<double>& logs)
{
    const double mean = computeMean(logs);
    const auto n = static_cast<double>(logs.size());
    double squares = 0;
    for (const double value : logs)
        squares += (value - mean) * (value - mean);
    const double half = studentQuantile(1 - kTail, n - 1) * std::sqrt(squares / (n - 1) / n);
    return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

Ratio bootstrapRatio(const std::vector<double>& logs)
{
    std::mt19937_64 random(logs.size());
    std::vector<double> means;
    std::vector<double> sample(logs.size());
    for (int i = 0; i < kResamples; ++i) {
        for (double& value : sample)
            value = logs[random() % logs.size()];
        means.push_back(computeMean(sample));
    }
    return {std::exp(computeMean(logs)), std::exp(computeQuantile(means, kTail)), std::exp(computeQuantile(means, 1 - kTail))};
}

} // namespace

void judgeTarget(const std::vector<AbBlock>& blocks, Confirmation& confirmation)
{
    std::vector<double> logs, winner, rival;
    confirmation.samples = 0;
    for (const AbBlock& block : blocks) {
        rival.push_back(computeMedian(block.a));
        winner.push_back(computeMedian(block.b));
        logs.push_back(std::log(rival.back() / winner.back()));
        confirmation.samples += static_cast<int>(block.b.size());
    }
    confirmation.blocks = static_cast<int>(blocks.size());
    confirmation.winnerNs = computeMedian(winner);
    confirmation.rivalNs = computeMedian(rival);
    confirmation.verdict = TargetVerdict::inconclusive;
    if (blocks.size() < 2) {
        confirmation.reason = "Two blocks or more are needed for an interval.";
        return;
    }
    confirmation.student = studentRatio(logs);
    confirmation.bootstrap = bootstrapRatio(logs);
    const double target = confirmation.target;
    const double low = std::min(confirmation.student.low, confirmation.bootstrap.low);
    const double high = std::max(confirmation.student.high, confirmation.bootstrap.high);
    if (low >= target) {
        confirmation.verdict = TargetVerdict::met;
        confirmation.reason = fmt::format("Both intervals lie at or above {:.2f}×.", target);
    } else if (high < target) {
        confirmation.verdict = TargetVerdict::missed;
        confirmation.reason = fmt::format("Both intervals lie below {:.2f}×.", target);
    } else {
        confirmation.reason = fmt::format("{:.2f}× lies inside an interval.", target);
    }
}

} // namespace kl::inline stats
