// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/metric_plan.h"

#include <string>
#include <vector>

namespace kl {

/// Starts a name that stands for all of the chip's metrics that match an expression, as in Nsight Compute: "regex:^dram__bytes".
inline constexpr const char* kRegexPrefix = "regex:";

/// Most metrics that one expression may stand for.
inline constexpr std::size_t kMostMatches = 200;

/// The rollup that a base name is usually read with: "sum" of a counter, "ratio" or "pct" of a ratio, the average share of the
/// sustained peak of a throughput. Empty for an unknown base name.
std::string usualRollup(const std::string& base, MetricSource& source);

/// The names, each "regex:EXPRESSION" replaced by the metrics that match, sorted. An expression with `\.` in it is held against
/// whole names ("dram__bytes_read.sum"), another against base names, which then come with their usual rollup. ECMAScript syntax,
/// anywhere in the name. Error badInput: no expression, or one that matches nothing or more than kMostMatches.
Result<std::vector<std::string>> expandNames(const std::vector<std::string>& names, MetricSource& source);

/// Metrics of the chip that someone who wrote this name may have meant, best first: other rollups of the same base, else near bases.
std::vector<std::string> nearMetrics(const std::string& name, MetricSource& source);

} // namespace kl
