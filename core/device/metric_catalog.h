// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// Which direction of a metric is good news, other things equal.
enum class Better { higher, lower, neutral };

/// One hardware metric that a profile collects. Values are stored under `name` on every chip; a chip that spells it otherwise
/// is queried for the first of `alternatives` that it has.
struct MetricInfo {
    std::string_view name;  ///< CUPTI's
    int tier = 2;           ///< cheapest tier that holds it; tier n collects tiers 0 to n
    std::string_view title; ///< short, for table heads: "achieved occupancy"
    std::string_view unit;  ///< "%", "ns", "B", "sectors/request", "" for a plain count or ratio
    Better better = Better::neutral;
    std::string_view help; ///< what it says about a kernel, one or two sentences
    std::vector<std::string_view> alternatives = {};
    std::vector<std::string_view> lackedBy = {}; ///< chips without it, by the start of their name ("GB", "AD1")
    std::string_view lackedWhy = {};
};

/// Every metric of tiers 0 to 2, in the order in which they are configured. The order matters: CUPTI packs metrics into passes
/// greedily, and this one needs 1 pass in tier 0, 3 in tier 1 and 19 in tier 2 on GH100.
std::span<const MetricInfo> metricCatalog();

/// The entry of a metric's name or of one of its alternatives; null when it is in no tier.
const MetricInfo* findMetric(std::string_view name);

/// Names collected at a tier, that of the lower tiers included: 15 in tier 0. Values outside 0 to 2 are taken as the nearest.
std::vector<std::string> metricsOfTier(int tier);

/// Why the chip ("GH100") has no such metric, by the catalog; empty when it should have it.
std::string lackReason(const MetricInfo& metric, std::string_view chip);

/// A reason why a resident warp could not issue in a cycle.
struct StallReason {
    std::string_view id;    ///< CUPTI's word: "long_scoreboard"
    std::string_view title; ///< "long scoreboard"
    std::string_view help;  ///< what the warp waits for, and what shortens it
};

/// All stall reasons, gmma (Hopper alone) included: the ones that add up to the warp latency per instruction issued.
std::span<const StallReason> stallReasons();

/// Title of a stall reason; the id itself for one that is not known.
std::string stallTitle(std::string_view reasonId);

/// "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio".
std::string stallMetric(std::string_view reasonId);

} // namespace kl
