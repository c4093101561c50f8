// SPDX-License-Identifier: MIT
#include "core/model/baselines.h"

namespace kl {

std::optional<Baseline> findFastest(const std::vector<Baseline>& baselines)
{
    const Baseline* best = nullptr;
    for (const Baseline& baseline : baselines)
        if (!best || (baseline.gpu && (!best->gpu || baseline.gpu->median < best->gpu->median)))
            best = &baseline;
    return best ? std::optional(*best) : std::nullopt;
}

} // namespace kl
