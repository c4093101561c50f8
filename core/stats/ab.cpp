// SPDX-License-Identifier: MIT
#include "core/stats/ab.h"

#include "core/stats/distributions.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace kl::inline stats {
namespace {

/// Looks are at 10 and at 20 blocks only (docs/dev/decisions/0004-prime-ab-passes.md).
constexpr int kLastLook = 20;
/// An interval inside ± 1 % is "no difference".
constexpr double kEquivalent = 0.01;
/// Two looks at 97.5 % each keep 5 % in all (Bonferroni).
constexpr double kConfidenceOfALook = 0.975;

/// Median of the log ratios of one block's pairs. Pairs with a time that is not positive say nothing.
double blockEffect(const AbBlock& block)
{
    std::vector<double> logs;
    const std::size_t pairs = std::min(block.a.size(), block.b.size());
    for (std::size_t i = 0; i < pairs; ++i)
        if (block.a[i] > 0 && block.b[i] > 0)
            logs.push_back(std::log(block.a[i] / block.b[i]));
    return computeMedian(std::move(logs));
}

} // namespace

Summary summarize(const std::vector<double>& samples)
{
    if (samples.empty())
        return {};
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const int n = static_cast<int>(sorted.size());
    // Largest j with P(X < j) <= 2.5 % for X of binomial(n, 1/2): [x_j, x_(n+1-j)] covers the median at 95 % or more. Below 6
    // samples no pair of order statistics does: the whole range is given.
    int j = 1;
    while (j < n / 2 && binomialCdf(j, n, 0.5) <= 0.025)
        ++j;
    return {computeMedian(sorted), sorted[static_cast<std::size_t>(j - 1)], sorted[static_cast<std::size_t>(n - j)], n};
}

Ratio computeRatio(const std::vector<AbBlock>& blocks)
{
    assert(blocks.size() >= 2);
    std::vector<double> effects;
    for (const AbBlock& block : blocks)
        effects.push_back(blockEffect(block));
    const auto n = static_cast<double>(effects.size());
    double mean = 0;
    for (const double effect : effects)
        mean += effect / n;
    double squares = 0;
    for (const double effect : effects)
        squares += (effect - mean) * (effect - mean);
    const double error = std::sqrt(squares / (n - 1) / n);
    const double half = studentQuantile(0.5 + kConfidenceOfALook / 2, n - 1) * error;
    return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

AbVerdict judge(const Ratio& ratio, int blocks, double noise)
{
    const bool more = blocks < kLastLook;
    if (!std::isfinite(ratio.value) || !std::isfinite(ratio.low) || !std::isfinite(ratio.high) || !(ratio.low > 0))
        return {Verdict::notComparable, "no-ratio", false};
    if (ratio.low > 1 - kEquivalent && ratio.high < 1 + kEquivalent)
        return {Verdict::equivalent, "interval-inside-one-percent", false};
    const double floor = std::max(kEquivalent, 2 * std::max(0.0, noise));
    if (ratio.low > 1)
        return ratio.value - 1 > floor ? AbVerdict{Verdict::faster, "interval-above-1", false}
                                       : AbVerdict{Verdict::inconclusive, "effect-below-noise", more};
    if (ratio.high < 1)
        return 1 - ratio.value > floor ? AbVerdict{Verdict::slower, "interval-below-1", false}
                                       : AbVerdict{Verdict::inconclusive, "effect-below-noise", more};
    return {Verdict::inconclusive, "interval-contains-1", more};
}

KeepDecision judgeKeep(const Ratio& ratio, int blocks, double keepAt, double noise)
{
    const KeepDecision open = blocks < kLastLook ? KeepDecision::moreBlocks : KeepDecision::inconclusive;
    if (ratio.low >= keepAt)
        return ratio.value - 1 > 2 * noise ? KeepDecision::keep : open;
    if (ratio.high < keepAt)
        return KeepDecision::revert;
    return open;
}

UnpairedVerdict judgeUnpaired(const Summary& a, const Summary& b, double between)
{
    const auto positive = [](const Summary& s) { return s.median > 0 && s.low > 0 && s.high >= s.low; };
    if (!positive(a) || !positive(b))
        return {{}, Verdict::notComparable, "no-ratio"};
    const double wide = 1 + 2 * std::max(0.0, between);
    UnpairedVerdict verdict;
    verdict.ratio = {a.median / b.median, a.low / b.high / wide, a.high / b.low * wide};
    if (verdict.ratio.low > 1)
        verdict.verdict = Verdict::faster;
    else if (verdict.ratio.high < 1)
        verdict.verdict = Verdict::slower;
    verdict.reason = verdict.verdict == Verdict::faster   ? "interval-above-1"
                     : verdict.verdict == Verdict::slower ? "interval-below-1"
                                                          : "runs-not-interleaved";
    return verdict;
}

double computeNoise(const std::vector<double>& ratios)
{
    double squares = 0;
    for (const double ratio : ratios)
        squares += std::log(ratio) * std::log(ratio);
    return ratios.empty() ? 0 : std::expm1(std::sqrt(squares / static_cast<double>(ratios.size())));
}

} // namespace kl::inline stats
