// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/protocol/metric_messages.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kl::cli {

class Program;

/// Which metrics a profile collects; empty or 0: not given.
struct MetricOptions {
    int tier = 2;
    std::vector<std::string> metrics;  ///< CUPTI names or "regex:" expressions
    std::vector<std::string> sections; ///< ids or aliases of resources/sections.json
    int maxPasses = 0;
    std::string chip; ///< CUPTI's name, for a plan without a GPU
};

/// Adds --tier, --metrics, --sections, --max-passes and --chip.
void addMetricOptions(CLI::App& app, MetricOptions& options);

/// The metrics that --sections and --metrics name together, each once; empty where neither is given, and the tier applies.
/// Error usage for an unknown section.
Result<std::vector<std::string>> chooseMetrics(const MetricOptions& options);

/// What would be collected on --chip, on the recording's chip, or on this machine's GPU, and in how many passes. Needs a worker, and a
/// GPU only where no chip is named. Errors: badInput for a name that no chip has, with the nearest; environment.
Result<MetricsAnswer> planMetrics(Program& program, const MetricOptions& options);

/// Asks the worker about `request.chip`, whether or not it has a GPU; empty: the recording's or this machine's.
Result<MetricsAnswer> askAboutChip(Program& program, MetricsRequest request);

} // namespace kl::cli
