// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <vector>

namespace kl {

struct MetricSelection;

/// The set that a selection gives before anything is counted: what is missing and why, the plan (ran = 0), the modes.
MetricSet plannedSet(const MetricSelection& selection, int tier, bool kernelReplay);

/// Puts one launch's values, in the order of selection.configured(), into its set, and the SM clock of its pass where time and cycles are
/// among them: cycles / ns × 1000 = MHz. What is not finite is missing: nothing of the kind happened.
void storeValues(const MetricSelection& selection, const std::vector<double>& values, MetricSet& set);

} // namespace kl
