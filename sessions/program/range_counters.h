// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "profiler/protocol/program_trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline program {

/// A launch shape of which one launch was counted, and what its launches take inside an NVTX range.
struct CountedShape {
    const MetricSet* metrics = nullptr;
    std::int64_t launches = 0;
    double ns = 0;
};

/// Counters of the kernels inside an NVTX range together, each kernel counted in one launch.
struct RangeCounters {
    double covered = 0;                   ///< of the GPU time inside the range, that of kernels which were counted; 0 to 1
    std::map<std::string, double> values; ///< percentages and ratios weighted by time; sums times launches
    std::optional<CountedRange> whole;    ///< the range counted as a whole, or why it was not; unset where it was not tried
};

/// Of the metrics that every shape has. Unset if no shape has a launch in the range. `rangeNs`: GPU time of all its launches.
std::optional<RangeCounters> countersTogether(const std::vector<CountedShape>& shapes, double rangeNs);

} // namespace kl::inline program
