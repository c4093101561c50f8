// SPDX-License-Identifier: MIT
#include "sessions/program/program_finding.h"

#include "core/base/format.h"
#include "core/diagnosis/classes.h"

#include <fmt/format.h>

namespace kl::inline program {

std::optional<Finding> programFinding(const ProgramTotals& totals)
{
    if (!(totals.spanNs > 0) || totals.launches < kLaunchesForHost || totals.busyNs >= kHostBoundBelow * totals.spanNs)
        return {};
    const double busy = totals.busyNs / totals.spanNs;
    Finding finding;
    finding.classId = kHostBound;
    finding.title = fmt::format("Host-bound: the GPU is busy for {} of {}, from its first activity to its last.", formatPercent(100 * busy),
                                formatTime(totals.spanNs));
    finding.priority = "P0";
    finding.confidence = 0.9;
    finding.path.push_back({"program", "busy_percent", 100 * busy, 100 * kHostBoundBelow, "<", true});
    finding.estimate = Estimate{1 - busy, fmt::format("at best, time in which the GPU idles = 1 - {} busy", formatPercent(100 * busy))};
    const auto fix = [&](const char* id, const char* title, double confidence, const char* why) {
        finding.fixes.push_back({id, title, {}, confidence, {}, why, id, 0, {}, {programStep()}});
    };
    fix("cuda-graph", "Capture the launches in a CUDA graph", 0.7, "One call launches all of them, with small gaps.");
    fix("overlap-host", "Keep the GPU fed: prepare the next step while it works", 0.6,
        "Asynchronous copies and launches, and no synchronization that the result does not need.");
    fix("fuse-kernels", "Fuse small kernels", 0.5, "Fewer launches for the same work.");
    return finding;
}

} // namespace kl::inline program
