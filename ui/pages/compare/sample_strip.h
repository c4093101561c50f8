// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/xy_chart.h"

#include <vector>

namespace kl::ui {

/// Every cold GPU sample of each run as a strip in the order of measuring, with the median and its interval in its middle. Microseconds.
XYSpec sampleStrips(const std::vector<const RunRecord*>& runs);

/// Chart title for the first two runs: the share of all sample pairs in which the second run is faster (ties count half). Empty
/// if one of them has no samples.
QString sampleFinding(const std::vector<const RunRecord*>& runs);

} // namespace kl::ui
