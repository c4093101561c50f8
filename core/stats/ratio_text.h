// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"

#include <string>
#include <string_view>

namespace kl::inline stats {

/// "1.18× to 1.22×": both ends with as many decimals as tell them apart, and rounded outwards, so that what is printed holds all of the
/// interval: an end of 1.1996 does not read as a threshold of 1.20 that was met.
std::string intervalText(const Ratio& ratio);

/// "1.20× (1.18× to 1.22×)", with the interval's decimals.
std::string ratioText(const Ratio& ratio);

/// "1.20× (1.18× to 1.22×); 12.3 mJ against 10.2 mJ per launch", or "not measured: REASON".
std::string energyRatioText(const EnergyComparison& energy);

/// Why a verdict is what it is: "the whole interval is above 1", for "interval-above-1". Empty for a reason that the comparison's sentence
/// gives, e.g. "other-device".
std::string_view verdictReasonText(std::string_view reason);

/// The reciprocal: time(B) / time(A) with its interval. Precondition: all three above 0.
Ratio invertRatio(const Ratio& ratio);

/// A time compared with another in words: "3.50× faster than", "12.7× slower than", or "as fast as" where no decimal tells them
/// apart. Precondition: both above 0, in the same unit.
std::string paceText(double time, double other);

} // namespace kl::inline stats
