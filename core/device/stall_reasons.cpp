// SPDX-License-Identifier: MIT
#include "core/device/metric_catalog.h"

#include <algorithm>

namespace kl::inline device {

std::span<const StallReason> stallReasons()
{
    return kStallReasons;
}

std::string stallTitle(std::string_view reasonId)
{
    for (const StallReason& reason : kStallReasons)
        if (reason.id == reasonId)
            return std::string(reason.title);
    return std::string(reasonId);
}

MetricName stallMetric(const StallReason& reason) noexcept
{
    const auto found = std::ranges::find(kStallReasons, reason.id, &StallReason::id);
    return metric_table::kStalls[static_cast<std::size_t>(found - kStallReasons.begin())];
}

} // namespace kl::inline device
