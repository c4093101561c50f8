// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// A metric over the duration of a launch.
struct PmSeries {
    std::string metric;         ///< CUPTI's name: "TriageCompute.sm__throughput.avg.pct_of_peak_sustained_elapsed"
    std::vector<double> values; ///< one per sample

    bool operator==(const PmSeries&) const = default;
};

/// Metrics that were sampled together, during one execution of the launch.
struct PmPass {
    std::vector<double> endNs; ///< of each sample, since the first SM became active; a sample begins where the one before it ends
    std::vector<PmSeries> series;

    bool operator==(const PmPass&) const = default;
};

/// Metrics of the longest launch, sampled by the GPU's performance monitors at a fixed interval.
struct PmSampling {
    std::string launch;         ///< entry of the launch
    double intervalNs = 0;      ///< between two samples
    std::vector<PmPass> passes; ///< empty: `unavailable` says why
    std::string unavailable;

    bool operator==(const PmSampling&) const = default;
};

} // namespace kl
