// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/measurement.h"

#include <vector>

namespace kl::inline stats {

/// Median with its 95 % order-statistic interval (binomial, no distribution assumed). Empty input: n = 0.
Summary summarize(const std::vector<double>& samples);

/// Student t interval on the block medians of the paired log ratios, two-sided 97.5 % (so that looks at 10 and at 20 blocks
/// keep 5 % in all). Precondition: at least 2 blocks, each with as many a as b.
Ratio computeRatio(const std::vector<AbBlock>& blocks);

/// A verdict over 10 or 20 blocks. `noise`: calibrated A/A noise of the device as a fraction; a verdict needs an effect above
/// max(1 %, 2 × noise).
struct AbVerdict {
    Verdict verdict = Verdict::inconclusive;
    std::string reason;
    bool needMore = false; ///< 10 more blocks may decide
};
AbVerdict judge(const Ratio& ratio, int blocks, double noise);

/// Gate 5. keepAt is the least old / new that keeps (1.20). An effect that is not above 2 × noise never keeps: inconclusive.
enum class KeepDecision { keep, revert, moreBlocks, inconclusive };
KeepDecision judgeKeep(const Ratio& ratio, int blocks, double keepAt, double noise);

/// Two runs that were not interleaved: each is one block, so the spread between blocks cannot be seen in them. The interval is the
/// quotient of the two medians' intervals, widened on both ends by 2 × `between` (what the median of one and the same kernel moves
/// from run to run, a fraction). Never "equivalent": that needs interleaving.
struct UnpairedVerdict {
    Ratio ratio;
    Verdict verdict = Verdict::inconclusive;
    std::string reason;
};
UnpairedVerdict judgeUnpaired(const Summary& a, const Summary& b, double between);

/// A/A noise: root mean square of ln(time(A) / time(B)) about 0, the true effect, over repeats of a kernel against itself, as a
/// fraction (exp − 1). Twice this covers about 95 % of the repeats where they scatter normally. 0 for no ratios.
double computeNoise(const std::vector<double>& ratios);

} // namespace kl::inline stats
