// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/run_facts.h"

#include <optional>
#include <string_view>

namespace kl {

/// How much of the present time fixing a finding should take away; nothing when an ingredient is missing.
using EstimateFormula = std::optional<Estimate> (*)(const RunFacts&);

/// A formula by its id in the tree's data ("excess-sectors", "roof", "launch-gaps" …); null when there is none.
EstimateFormula findEstimate(std::string_view id);

/// What a change took away of the time that the estimate of a finding of this class is about: of launch-overhead the time from launch to
/// completion as the host sees it, of every other class GPU time. Negative where it got slower, nothing where that time was not measured.
std::optional<double> realizedReduction(std::string_view classId, const Timing& before, const Timing& after);

} // namespace kl
