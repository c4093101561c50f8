// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/run_facts.h"

#include <optional>
#include <string_view>

namespace kl {

/// How much of the present time mending a finding should take away; nothing when an ingredient is missing.
using EstimateFormula = std::optional<Estimate> (*)(const RunFacts&);

/// A formula by its id in the tree's data ("excess-sectors", "roof", "launch-gaps" …); null when there is none.
EstimateFormula findEstimate(std::string_view id);

} // namespace kl
