// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "kernels/catalog.h"
#include "sessions/store/rows.h"

#include <string>
#include <vector>

namespace kl::ui {

/// Runs to compare, and why.
struct RunPair {
    std::vector<std::string> ids; ///< A and B; empty when there is no pair
    std::string why;              ///< one sentence
};

/// The suggestion for an empty basket: the newest run of a variant that fixes another one (B) and the newest run of that other one (A)
/// on the same problem and GPU; else the newest two variants of one kernel, the slower one first. Sizes that a family is measured on
/// by default come before others, which are mostly the small ones of a suite. Runs that failed, are incorrect or have no time are skipped.
/// `runs`: newest first.
RunPair chooseOpeningPair(const Catalog& catalog, const std::vector<RunSummary>& runs);

/// The newest runs of two variants on the same problem (empty: on any), GPU and source, A first; else the newest of each that has one.
/// `runs`: newest first.
std::vector<std::string> listKernelRuns(const std::string& a, const std::string& b, const std::string& problem,
                                        const std::vector<RunSummary>& runs);

/// The runs to show for a measured A/B, which does not say its problem: of the pairs of its two sides with the same problem and GPU, the
/// one whose times are closest to those measured, or the newest of equally close ones; without such a pair the newest of each side.
/// `runs`: newest first.
std::vector<std::string> listSideRuns(const Comparison& measured, const std::vector<RunSummary>& runs);

} // namespace kl::ui
