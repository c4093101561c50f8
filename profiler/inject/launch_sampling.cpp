// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_sampling.h"

#include <algorithm>
#include <cmath>

namespace kl::inject {
namespace {

constexpr double kEnoughSamples = 20'000;
constexpr double kSamplesALaunch = 10'000; // that CUPTI's buffer holds easily
constexpr int kMostLaunches = 5;
constexpr int kShortestPeriodLog2 = 5;

} // namespace

LaunchSampling chooseSamplingAfter(int periodLog2, std::int64_t samples)
{
    const auto seen = static_cast<double>(std::max<std::int64_t>(samples, 1));
    if (seen >= kEnoughSamples)
        return {periodLog2, 0};
    const int finer = std::max(0, static_cast<int>(std::ceil(std::log2(kSamplesALaunch / seen))));
    const int period = std::max(kShortestPeriodLog2, periodLog2 - finer);
    const double aLaunch = seen * static_cast<double>(1 << (periodLog2 - period));
    return {period, std::clamp(static_cast<int>(std::ceil(kEnoughSamples / aLaunch)), 1, kMostLaunches)};
}

} // namespace kl::inject
