// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/run_facts.h"

#include <optional>
#include <string_view>

namespace kl::inline diagnosis {

/// Estimated share of the current time that fixing a finding saves; unset when an input is missing.
using EstimateFormula = std::optional<Estimate> (*)(const RunFacts&);

/// A formula by its id in the tree's data ("excess-sectors", "roof", "launch-gaps" …); null when there is none.
EstimateFormula findEstimate(std::string_view id);

/// The share of time that a change saved, of the time that this class's estimate refers to: of launch-overhead the time from launch to
/// completion as the host sees it, of every other class GPU time. Negative where it got slower, unset where that time was not measured.
std::optional<double> computeRealizedReduction(std::string_view classId, const Timing& before, const Timing& after);

} // namespace kl::inline diagnosis
