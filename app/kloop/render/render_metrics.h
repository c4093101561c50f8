// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/protocol/metric_messages.h"

#include <string>

namespace kl::cli {

/// "79 metrics in 19 passes on GH100, 3 left out".
std::string planSentence(const MetricsAnswer& plan);

std::string renderPlan(const MetricsAnswer& plan);
Json planToJson(const MetricsAnswer& plan);

/// The catalog's metrics and the sections; `passes` of each section and tier where a chip is known, in the order of
/// metricSections() and of the tiers.
struct MetricListing {
    std::string chip; ///< empty: unknown
    std::vector<std::optional<int>> tierPasses;
    std::vector<std::optional<int>> sectionPasses;
};
std::string renderListing(const MetricListing& listing);
Json listingToJson(const MetricListing& listing);

std::string renderFound(const MetricsAnswer& answer);

} // namespace kl::cli
