// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_catalog.h"

#include <string>
#include <string_view>

namespace kl::inline device {

/// Description of a figure that comparisons list along with hardware metrics ("gpu_ns", "speedup"), or of a metric of the catalog; null for
/// any other name.
const MetricInfo* findFigure(std::string_view name);

/// A figure of that name for people: "8.13 µs", "1.27×", "4.00 MiB"; a plain number where its unit is not known.
std::string formatFigure(std::string_view name, double value);

/// What a figure of another run became, for people: "+12 %" as a relative change up to tenfold, "1,063×" or "0.004×" as a factor beyond
/// tenfold or below a hundredth, where percents say nothing. `change`: (b − a) / a.
std::string formatDifference(double change);

} // namespace kl::inline device
