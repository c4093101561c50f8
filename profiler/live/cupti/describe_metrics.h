// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/counter_host.h"
#include "profiler/protocol/metric_messages.h"

namespace kl::inline live {

/// CUPTI's host side for a chip by its name, in any case. Error badInput for an unknown chip, with the list.
Result<std::unique_ptr<MetricHost>> openChip(const std::string& chip);

/// Answers the request for one chip: its metrics that hold `search`, or else the plan of the requested metrics. A name that only
/// other chips have is missing with that reason; one that no chip has is in `unknown`. Errors as selectMetrics.
Result<MetricsAnswer> describeMetrics(const MetricsRequest& request, CounterHost& counters);

} // namespace kl::inline live
