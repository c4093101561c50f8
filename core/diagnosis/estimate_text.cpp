// SPDX-License-Identifier: MIT
#include "core/diagnosis/estimate_text.h"

#include "core/base/format.h"
#include "core/diagnosis/classes.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::inline diagnosis {

std::optional<double> computeEstimatedSpeedup(const Finding& finding)
{
    if (!finding.estimate || finding.estimate->runtimeReduction >= 1)
        return std::nullopt;
    return 1 / (1 - finding.estimate->runtimeReduction);
}

std::optional<double> computeExpectedSpeedup(const Finding& finding, const Fix& fix)
{
    return fix.gain && *fix.gain < 1 ? std::optional(1 / (1 - *fix.gain)) : computeEstimatedSpeedup(finding);
}

std::string estimateText(const Finding& finding)
{
    if (!finding.estimate)
        return "No speedup estimate: the tree has no formula for this finding, or a metric for it is missing.";
    const std::string less = fmt::format("{} less {} time", formatPercent(std::round(finding.estimate->runtimeReduction * 100)),
                                         finding.classId == "launch-overhead" || finding.classId == kHostBound ? "wall" : "GPU");
    const std::optional<double> speedup = computeEstimatedSpeedup(finding);
    return fmt::format("{}: {}", speedup ? fmt::format("Estimated speedup {} ({})", formatRatio(speedup), less) : "Estimated: " + less,
                       finding.estimate->how);
}

std::string shortEstimate(const std::optional<double>& speedup)
{
    return speedup ? formatRatio(speedup) : "not estimated";
}

} // namespace kl::inline diagnosis
