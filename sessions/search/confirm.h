// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"

namespace kl::inline search {

/// Passes of either side in a block of a confirmation.
inline constexpr int kConfirmBlock = 10;

/// Measures a kernel and its own baseline ("PyTorch SDPA" of attention) in turns: blocks of kConfirmBlock passes of each, every block
/// entered again, `samples` of each in all, and judges the ratio against `target`. A kernel without a baseline, or one that is not there,
/// has no rival: the confirmation says why. Errors: the collector's; kernelFailed if the kernel fails.
Result<Confirmation> confirm(Collector& collector, const Catalog& catalog, const Address& winner, const Params& problem, int samples,
                             double target, const Job& job);

} // namespace kl::inline search
