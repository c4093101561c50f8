// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl::inline nsight {

/// The metric behind a name on ncu's details page: "Duration" of section "GPU Speed Of Light Throughput" is gpu__time_duration.sum.
/// A name that holds a metric's own ("Duration (gpu__time_duration.sum)", as written with --print-metric-name) is that one; an
/// unknown one becomes "SECTION: NAME".
std::string findLabelMetric(const std::string& section, const std::string& label);

} // namespace kl::inline nsight
