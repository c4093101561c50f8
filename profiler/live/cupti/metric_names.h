// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/metric_plan.h"

#include <string>
#include <vector>

namespace kl::inline live {

/// Prefix of a name that selects all metrics of the chip that match an expression, as in Nsight Compute: "regex:^dram__bytes".
inline constexpr const char* kRegexPrefix = "regex:";

/// Limit of the metrics selected by one expression.
inline constexpr std::size_t kMostMatches = 200;

/// The usual rollup of a base name: "sum" of a counter, "ratio" or "pct" of a ratio, the average share of the
/// sustained peak of a throughput. Empty for an unknown base name.
std::string usualRollup(const std::string& base, MetricSource& source);

/// The names, each "regex:EXPRESSION" replaced by the metrics that match, sorted. An expression with `\.` in it is matched against
/// whole names ("dram__bytes_read.sum"), others against base names, which then get their usual rollup. ECMAScript syntax,
/// anywhere in the name. Error badInput: no expression, or one that matches nothing or more than kMostMatches.
Result<std::vector<std::string>> expandNames(const std::vector<std::string>& names, MetricSource& source);

/// Metrics of the chip with similar names, best first: other rollups of the same base, else near bases.
std::vector<std::string> nearMetrics(const std::string& name, MetricSource& source);

} // namespace kl::inline live
