// SPDX-License-Identifier: MIT
#include "core/device/run_figures.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kl::inline device {
namespace {

constexpr std::string_view kSpeedup = "speedup";

const std::array<MetricInfo, 6>& ownFigures()
{
    static const std::array<MetricInfo, 6> figures{
        {{"gpu_ns", 0, "GPU time, cold", "ns", Better::lower, "Median GPU time of a pass after the L2 was flushed.", {}, {}, {}},
         {"gpu_ns_hot", 0, "GPU time, hot", "ns", Better::lower, "Median GPU time of a pass immediately after another one.", {}, {}, {}},
         {"host_ns", 0, "host time", "ns", Better::lower, "Median time on the host from the launch to its end.", {}, {}, {}},
         {kSpeedup, 0, "speedup", "ratio", Better::higher, "GPU time of the baseline / GPU time of the kernel.", {}, {}, {}},
         {"memory_bytes", 0, "peak memory", "bytes", Better::lower, "Peak device memory of the variant.", {}, {}, {}},
         {"energy_per_launch_j",
          0,
          "energy per launch",
          "J",
          Better::lower,
          "Energy of the whole board per pass of the launch sequence, issued back to back.",
          {},
          {},
          {}}}};
    return figures;
}

} // namespace

const MetricInfo* findFigure(std::string_view name)
{
    const auto own = std::ranges::find(ownFigures(), name, &MetricInfo::name);
    return own != ownFigures().end() ? &*own : findMetric(name);
}

std::string formatFigure(std::string_view name, double value)
{
    if (name == kSpeedup)
        return formatRatio(value);
    const MetricInfo* info = findFigure(name);
    return formatWithUnit(value, info != nullptr ? info->unit : std::string_view());
}

std::string formatDifference(double change)
{
    constexpr double kTenfold = 10, kHundredth = 0.01;
    const double factor = 1 + change;
    const bool beyond = factor >= kTenfold || factor <= -kTenfold || (factor > 0 && factor < kHundredth);
    return beyond && std::isfinite(change) ? formatNumber(factor) + "×" : formatChange(change);
}

} // namespace kl::inline device
