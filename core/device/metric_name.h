// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_table.h"
#include "core/device/report_metrics.h"

#include <algorithm>
#include <string_view>

namespace kl::inline device {

/// The name of a hardware metric, CUPTI's own. It is written as a literal, and one that neither the catalog nor the list of report
/// metrics holds does not compile: `facts.metric("dram__bytes_read.sum")`.
class MetricName {
public:
    consteval MetricName(const char* text) : text_(text)
    {
        if (!isKnown(text_))
            throw "neither metric_table.h nor report_metrics.h has a metric of this name";
    }
    /// A row of the catalog, whose text outlives the name.
    constexpr MetricName(const MetricInfo& metric) noexcept : text_(metric.name) {}

    constexpr std::string_view text() const noexcept { return text_; }
    constexpr operator std::string_view() const noexcept { return text_; }

    friend constexpr bool operator==(MetricName a, MetricName b) noexcept { return a.text_ == b.text_; }

private:
    static constexpr bool isKnown(std::string_view name)
    {
        return std::ranges::find(metric_table::kAll, name, &MetricInfo::name) != metric_table::kAll.end() ||
               std::ranges::find(kReportMetrics, name) != kReportMetrics.end();
    }

    std::string_view text_;
};

/// The metric of a stall reason, by its id; one that is none does not compile.
consteval MetricName stallMetric(const char* reasonId)
{
    for (std::size_t i = 0; i < kStallReasons.size(); ++i)
        if (kStallReasons[i].id == reasonId)
            return metric_table::kStalls[i];
    throw "stall_reasons.h has no reason of this id";
}

/// The same for a row of the table.
MetricName stallMetric(const StallReason& reason) noexcept;

} // namespace kl::inline device
