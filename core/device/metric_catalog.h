// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_name.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline device {

/// Every metric of tiers 0 to 2, in the order in which they are configured. The order matters: CUPTI packs metrics into passes
/// greedily, and this one needs 1 pass in tier 0, 3 in tier 1 and 19 in tier 2 on GH100.
std::span<const MetricInfo> metricCatalog();

/// The entry of a metric's name or of one of its alternatives; null when it is in no tier.
const MetricInfo* findMetric(std::string_view name);

/// Names collected at a tier, that of the lower tiers included: 15 in tier 0. Values outside 0 to 2 are taken as the nearest.
std::vector<std::string> listTierMetrics(int tier);

/// Why the chip ("GH100") has no such metric, by the catalog; empty when it should have it.
std::string lackReason(const MetricInfo& metric, std::string_view chip);

/// All stall reasons, gmma (Hopper alone) included: the ones that add up to the warp latency per instruction issued.
std::span<const StallReason> stallReasons();

/// Title of a stall reason; the id itself for one that is not known.
std::string stallTitle(std::string_view reasonId);

/// The reason's id of a metric of sampled program counters: "long_scoreboard" of "smsp__pcsamp_warps_issue_stalled_long_scoreboard". Empty
/// for what is not a reason (sample counts) and for "…_not_issued", which repeats those samples of the others in whose cycle no warp was
/// issued.
std::string stallWord(std::string_view metric);

} // namespace kl::inline device
