// SPDX-License-Identifier: MIT
#include "ui/pages/search/funnel_stages.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kl::ui {

std::vector<FunnelStage> funnelStages(const SearchSpace& space, const std::optional<SearchSpace>& other)
{
    std::size_t left = space.total;
    std::optional<std::size_t> otherLeft;
    if (other)
        otherLeft = left;
    std::vector<FunnelStage> stages;
    stages.push_back({QCoreApplication::translate("FunnelChart", "All combinations"), 0, left, otherLeft, {}, true});
    for (const SpaceGate gate : kSpaceGates) {
        const auto index = static_cast<std::size_t>(gate);
        left -= space.rejected[index];
        if (other)
            *otherLeft -= other->rejected[index];
        const auto first = std::ranges::find(space.points, std::optional(index), &SpacePoint::rejectedBy);
        const bool judged = std::ranges::any_of(space.points, [&](const SpacePoint& point) { return point.verdicts[index].judged; });
        const std::string help = first != space.points.end()      ? "Example: " + first->verdicts[index].reason
                                 : judged || space.points.empty() ? std::string()
                                                                  : space.points.front().verdicts[index].reason;
        stages.push_back({q(titleFor(gate)), space.rejected[index], left, otherLeft, q(help), judged});
    }
    return stages;
}

} // namespace kl::ui
