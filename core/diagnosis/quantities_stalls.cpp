// SPDX-License-Identifier: MIT
// Quantities of why warps wait: each stall reason as a share of a warp's latency per instruction issued.
#include "core/device/metric_catalog.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <array>

namespace kl::inline diagnosis {
namespace {

Value computeStallShare(const RunFacts& f, MetricName stall)
{
    const Value latency = f.metric("smsp__average_warp_latency_per_inst_issued.ratio");
    return times(quotient(f.metric(stall), latency), 100);
}

Value barrier(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("barrier"));
}
Value longScoreboard(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("long_scoreboard"));
}
Value shortScoreboard(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("short_scoreboard"));
}
Value mioThrottle(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("mio_throttle"));
}
Value lgThrottle(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("lg_throttle"));
}
Value mathThrottle(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("math_pipe_throttle"));
}
Value wait(const RunFacts& f)
{
    return computeStallShare(f, stallMetric("wait"));
}
Value globalMemory(const RunFacts& f)
{
    return sumValues({longScoreboard(f), lgThrottle(f)});
}
Value sharedMemory(const RunFacts& f)
{
    return sumValues({shortScoreboard(f), mioThrottle(f)});
}
/// Stalls that more resident warps would fill: waits for data and for the own last instruction.
Value hideable(const RunFacts& f)
{
    return sumValues({longScoreboard(f), shortScoreboard(f), wait(f)});
}

Value dominant(const RunFacts& f)
{
    const auto shares = stallShares(f);
    return shares.empty() ? std::nullopt : Value(shares.front().percent);
}

/// Positive: no other stall is as large.
Value computeLead(const RunFacts& f, MetricName stall)
{
    const Value own = computeStallShare(f, stall);
    if (!own)
        return {};
    double other = 0;
    for (const StallReason& reason : stallReasons()) {
        const MetricName metric = stallMetric(reason);
        if (reason.id != "selected" && metric != stall)
            other = std::max(other, computeStallShare(f, metric).value_or(0));
    }
    return *own - other;
}

Value barrierLead(const RunFacts& f)
{
    return computeLead(f, stallMetric("barrier"));
}
/// A warp that is not selected could have been: it waits for its turn, not for data.
Value notSelectedLead(const RunFacts& f)
{
    return computeLead(f, stallMetric("not_selected"));
}

/// Positive: no other wait is as long as that for the memory input/output unit.
Value sharedMemoryLead(const RunFacts& f)
{
    const Value own = sharedMemory(f);
    if (!own)
        return {};
    Value other;
    for (const StallReason& reason : stallReasons())
        if (reason.id != "selected" && reason.id != "mio_throttle" && reason.id != "short_scoreboard")
            other = findLargest({other, computeStallShare(f, stallMetric(reason))});
    return *own - other.value_or(0);
}

/// What waits for an mbarrier waits for the answer of an instruction, as for data.
Value scoreboard(const RunFacts& f)
{
    return sumValues({longScoreboard(f), shortScoreboard(f)});
}

constexpr std::array<Quantity, 15> kStalls{{
    {"barrier_stall_percent", "barrier stalls", "%", "barrier stall / warp latency", barrier},
    {"barrier_lead", "barrier stalls minus the next stall", "%", "barrier stall minus the largest other stall, in percentage points",
     barrierLead},
    {"not_selected_lead", "ready warps minus the next stall", "%", "not selected minus the largest other stall, in percentage points",
     notSelectedLead},
    {"long_scoreboard_percent", "long scoreboard stalls", "%", "long scoreboard stall / warp latency", longScoreboard},
    {"short_scoreboard_percent", "short scoreboard stalls", "%", "short scoreboard stall / warp latency", shortScoreboard},
    {"scoreboard_percent", "scoreboard stalls", "%", "(long + short scoreboard) / warp latency: data, and mbarriers", scoreboard},
    {"mio_throttle_percent", "MIO throttle stalls", "%", "MIO throttle stall / warp latency", mioThrottle},
    {"lg_throttle_percent", "local/global throttle stalls", "%", "LG throttle stall / warp latency", lgThrottle},
    {"math_throttle_percent", "math pipe stalls", "%", "math pipe throttle stall / warp latency", mathThrottle},
    {"wait_stall_percent", "fixed waits", "%", "wait stall / warp latency", wait},
    {"global_memory_stall_percent", "global-memory stalls", "%", "(long scoreboard + LG throttle) / warp latency", globalMemory},
    {"shared_memory_stall_percent", "shared-memory stalls", "%", "(short scoreboard + MIO throttle) / warp latency", sharedMemory},
    {"shared_memory_lead", "shared-memory stalls minus the next stall", "%",
     "short scoreboard + MIO throttle minus the largest other stall, in percentage points", sharedMemoryLead},
    {"hideable_stall_percent", "stalls that more warps hide", "%", "(long + short scoreboard + wait) / warp latency", hideable},
    {"dominant_stall_percent", "dominant stall", "%", "largest stall / warp latency", dominant},
}};

} // namespace

std::span<const Quantity> stallQuantities()
{
    return kStalls;
}

std::vector<StallShare> stallShares(const RunFacts& facts)
{
    std::vector<StallShare> shares;
    for (const StallReason& reason : stallReasons())
        if (reason.id != "selected")
            if (const Value share = computeStallShare(facts, stallMetric(reason)); share && *share > 0)
                shares.push_back({std::string(reason.id), *share});
    std::stable_sort(shares.begin(), shares.end(), [](const StallShare& a, const StallShare& b) { return a.percent > b.percent; });
    return shares;
}

} // namespace kl::inline diagnosis
