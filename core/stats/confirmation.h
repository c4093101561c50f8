// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"

namespace kl::inline stats {

/// Geometric mean of rival / winner over re-entered blocks (`a` the rival's times, `b` the winner's), from the medians of each block, with
/// its 95 % interval by Student's t on the logarithms, and by the percentile bootstrap over the blocks (Efron 1979; 10,000 samples, always
/// the same ones). Fills samples, blocks, medians, both ratios, verdict and reason: the target is met where both intervals lie at or above
/// it, missed where both lie below it. Fewer than two blocks: no ratio, inconclusive. Precondition: no block has an empty side.
void judgeTarget(const std::vector<AbBlock>& blocks, Confirmation& confirmation);

} // namespace kl::inline stats
