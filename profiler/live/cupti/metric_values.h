// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <vector>

namespace kl::inline live {

struct MetricSelection;

/// The set of a selection before counting: what is missing and why, the plan (ran = 0), the modes.
MetricSet makePlannedSet(const MetricSelection& selection, int tier, bool kernelReplay);

/// Puts one launch's values, in the order of selection.configured(), into its set, and the SM clock of its pass where time and cycles are
/// among them: cycles / ns × 1000 = MHz. A value that is not finite is missing: there were no such events.
void storeValues(const MetricSelection& selection, const std::vector<double>& values, MetricSet& set);

} // namespace kl::inline live
