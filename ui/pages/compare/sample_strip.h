// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/xy_chart.h"

#include <vector>

namespace kl {

/// Every cold GPU sample of each run as a strip in the order of measuring, with the median and its interval in its middle. Microseconds.
XYSpec sampleStrips(const std::vector<const RunRecord*>& runs);

/// What the strips of the first two runs say: how many of all pairs of a sample of each the second one wins (a tie counts half). Empty
/// where one of them has no samples.
QString sampleFinding(const std::vector<const RunRecord*>& runs);

} // namespace kl
