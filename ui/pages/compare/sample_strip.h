// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/xy_chart.h"

#include <vector>

namespace kl {

/// Every cold GPU sample of each run as a strip, with the median and its interval beside it. Microseconds.
XYSpec sampleStrips(const std::vector<const RunRecord*>& runs);

} // namespace kl
