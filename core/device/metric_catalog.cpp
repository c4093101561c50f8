// SPDX-License-Identifier: MIT
#include "core/device/metric_catalog.h"

#include "core/device/metric_table.h"

#include <algorithm>

namespace kl::inline device {

std::span<const MetricInfo> metricCatalog()
{
    return metric_table::kAll;
}

const MetricInfo* findMetric(std::string_view name)
{
    const MetricInfo* alias = nullptr;
    for (const MetricInfo& metric : metricCatalog()) {
        if (metric.name == name)
            return &metric;
        if (!alias && std::ranges::find(metric.alternatives, name) != metric.alternatives.end())
            alias = &metric;
    }
    return alias;
}

std::vector<std::string> listTierMetrics(int tier)
{
    const int limit = std::clamp(tier, 0, 2);
    std::vector<std::string> names;
    for (const MetricInfo& metric : metricCatalog())
        if (metric.tier <= limit)
            names.emplace_back(metric.name);
    return names;
}

std::string lackReason(const MetricInfo& metric, std::string_view chip)
{
    for (const std::string_view prefix : metric.lackedBy)
        if (chip.starts_with(prefix))
            return std::string(metric.lackedWhy);
    return {};
}

} // namespace kl::inline device
