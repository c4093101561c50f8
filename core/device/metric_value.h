// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_name.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>

namespace kl::inline device {

/// The value of a metric in a set; unset where it was not collected or is missing.
inline std::optional<double> metricValue(const MetricSet& metrics, MetricName name)
{
    const auto found = metrics.values.find(std::string(name));
    return found == metrics.values.end() ? std::nullopt : found->second;
}

} // namespace kl::inline device
