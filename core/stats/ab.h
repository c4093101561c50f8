// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/measurement.h"

#include <vector>

namespace kl {

/// Median with its 95 % order-statistic interval (binomial, no distribution assumed). Empty input: n = 0.
Summary summarise(const std::vector<double>& samples);

/// Student t interval on the block medians of the paired log ratios, two-sided 97.5 % (so that looks at 10 and at 20 blocks
/// keep 5 % in all). Precondition: at least 2 blocks, each with as many a as b.
Ratio ratioOf(const std::vector<AbBlock>& blocks);

/// A verdict over 10 or 20 blocks. `noise`: calibrated A/A noise of the device as a fraction; a verdict needs an effect above
/// max(1 %, 2 × noise).
struct AbVerdict {
    Verdict verdict = Verdict::inconclusive;
    std::string reason;
    bool needMore = false; ///< 10 more blocks may decide
};
AbVerdict judge(const Ratio& ratio, int blocks, double noise);

/// Gate 5. keepAt is the least old / new that keeps (1.20).
enum class KeepDecision { keep, revert, moreBlocks, inconclusive };
KeepDecision judgeKeep(const Ratio& ratio, int blocks, double keepAt);

} // namespace kl
