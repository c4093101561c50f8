// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace kl {

/// An active experiment: the same launches with one thing changed, timed in turns with the unchanged ones, L2 cold. How the time follows
/// distinguishes throughput from latency without counters.
///
/// - "half-occupancy": unused shared memory makes half as many blocks fit an SM. The work is the same, so a unit that is busy all the
///   time stays so (ratio near 1); where warps wait, half of them hide half as much (ratio towards 2).
/// - "half-grid": the first half of the blocks. A full GPU takes half as long (0.5); a partly empty one, the same time (1).
struct Experiment {
    std::string id;
    std::string change;          ///< what was changed, in figures: "2 instead of 4 blocks per SM, by 57 KiB of shared memory per block"
    std::optional<double> ratio; ///< time changed / time unchanged, medians
    int n = 0;                   ///< passes of each
    std::string unavailable;     ///< why there is no ratio; empty when there is one

    bool operator==(const Experiment&) const = default;
};

} // namespace kl
