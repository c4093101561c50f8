// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "kernels/catalog.h"
#include "sessions/store/rows.h"

#include <string>
#include <vector>

namespace kl {

/// Runs to compare, with what makes them belong together.
struct RunPair {
    std::vector<std::string> ids; ///< A and B; empty when there is no pair
    std::string why;              ///< one sentence
};

/// What an empty basket opens with: the newest run of a variant that fixes another one (B), beside the newest run of that other one (A)
/// on the same problem and device; else the newest two variants of one kernel, the slower one first. Sizes that a family is measured on
/// by default go before others, which are mostly the small ones of a suite. Runs that failed, are wrong or have no time do not count.
/// `runs`: newest first.
RunPair openingPair(const Catalog& catalog, const std::vector<RunSummary>& runs);

/// What stands beside a measured A/B: the newest runs of its two sides that are of one problem and device, or the newest of each.
std::vector<std::string> runsOfSides(const Comparison& measured, const std::vector<RunSummary>& runs);

} // namespace kl
