// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/diagnosis.h"

#include <optional>
#include <string>

namespace kl::inline diagnosis {

/// Old time / new time if the finding is fixed as estimated; unset without an estimate, and for one of all the time.
std::optional<double> computeEstimatedSpeedup(const Finding& finding);

/// Old time / new time expected of one fix of a finding: what similar changes gained, where that is known, else computeEstimatedSpeedup().
/// The one figure that every page shows beside a fix.
std::optional<double> computeExpectedSpeedup(const Finding& finding, const Fix& fix);

/// The estimate of a finding as every report shows it: "Estimated speedup 4.5× (78 % less GPU time): FORMULA", of launch-overhead with
/// "wall time"; or that there is none.
std::string estimateText(const Finding& finding);

/// A speedup of above in a cell or a list: "4.50×", or "not estimated".
std::string shortEstimate(const std::optional<double>& speedup);

} // namespace kl::inline diagnosis
