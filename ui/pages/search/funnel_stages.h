// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/space/search_space.h"
#include "ui/pages/search/funnel_chart.h"

#include <optional>
#include <vector>

namespace kl::ui {

/// A checked space as stages of a funnel: the whole space, then one per gate. `other`: the same space on another GPU, or null.
std::vector<FunnelStage> funnelStages(const SearchSpace& space, const std::optional<SearchSpace>& other);

} // namespace kl::ui
