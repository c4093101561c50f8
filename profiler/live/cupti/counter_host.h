// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/range_profiler.h"

#include <memory>
#include <utility>
#include <vector>

namespace kl::inline live {

/// The metrics of a device and the configurations of the requests so far. Querying them takes a quarter of a second, so code that
/// profiles again and again keeps it from one RangeProfiler to the next.
class CounterHost {
public:
    explicit CounterHost(std::unique_ptr<MetricHost> metrics) : metrics_(std::move(metrics)) {}

    MetricHost& metrics() noexcept { return *metrics_; }

    /// selectMetrics(), remembered.
    Result<MetricSelection> select(const MetricRequest& request);

private:
    std::unique_ptr<MetricHost> metrics_;
    std::vector<std::pair<MetricRequest, MetricSelection>> selections_; ///< the latest few
};

} // namespace kl::inline live
