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

std::string stallWord(std::string_view metric)
{
    constexpr std::string_view prefix = "smsp__pcsamp_warps_issue_stalled_";
    if (!metric.starts_with(prefix) || metric.ends_with("_not_issued"))
        return {};
    const std::string_view word = metric.substr(prefix.size());
    if (word == "no_instructions") // spelled otherwise in the metrics' names
        return "no_instruction";
    return std::string(word == "warpgroup_arrive" ? "gmma" : word);
}

MetricName stallMetric(const StallReason& reason) noexcept
{
    const auto found = std::ranges::find(kStallReasons, reason.id, &StallReason::id);
    return metric_table::kStalls[static_cast<std::size_t>(found - kStallReasons.begin())];
}

} // namespace kl::inline device
