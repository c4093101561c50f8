// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <vector>

namespace kl::inline stats {

/// Middle value (mean of the two middle ones for an even count); 0 for no values.
double computeMedian(std::vector<double> values);

/// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan); 0 for no values.
double computeQuantile(std::vector<double> values, double probability);

/// Width of a series' 95 % CI over its median, a fraction; 0 for a median that is not positive.
double relativeNoise(const Summary& summary);

} // namespace kl::inline stats
