// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/metric_values.h"

#include "profiler/live/cupti/metric_plan.h"

#include <cmath>

namespace kl::inline live {
namespace {

std::optional<double> computeClock(const std::vector<std::string>& names, const std::vector<double>& values)
{
    double time = 0;
    double cycles = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == kTimeMetric)
            time = values[i];
        else if (names[i] == kCyclesMetric)
            cycles = values[i];
    }
    return time > 0 && cycles > 0 && std::isfinite(cycles / time) ? std::optional(cycles / time * 1000) : std::nullopt;
}

} // namespace

MetricSet makePlannedSet(const MetricSelection& selection, int tier, bool kernelReplay)
{
    MetricSet set;
    set.tier = tier;
    set.missing = selection.missing;
    set.spelled = selection.mapSpelled();
    set.plan.passes = selection.passes;
    set.rangeMode = "AutoRange";
    set.replayMode = kernelReplay ? "KernelReplay" : "UserReplay";
    return set;
}

void storeValues(const MetricSelection& selection, const std::vector<double>& values, MetricSet& set)
{
    for (std::size_t i = 0; i < selection.names.size(); ++i) {
        if (std::isfinite(values[i]))
            set.values[selection.names[i]] = values[i];
        else
            set.missing[selection.names[i]] = "undefined for this launch: it had no such events";
    }
    set.clockMhz = computeClock(selection.listConfigured(), values);
}

} // namespace kl::inline live
