// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/space/search_space.h"
#include "ui/pages/search/funnel_chart.h"

#include <optional>
#include <vector>

namespace kl {

/// A judged space as stages of a funnel: the whole of it, then one a gate. `other`: the same space on another GPU, or nothing.
std::vector<FunnelStage> funnelStages(const SearchSpace& space, const std::optional<SearchSpace>& other);

} // namespace kl
