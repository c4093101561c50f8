// SPDX-License-Identifier: MIT
#include "core/device/launch_gain.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline device {

Result<LaunchGain> launchGain(const LaunchCost& cost)
{
    for (const auto& [name, value] : {std::pair("kernel time", cost.kernelUs), std::pair("launch time", cost.launchUs)})
        if (!std::isfinite(value) || value <= 0)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("The {} is {} µs; it must be above 0.", name, value),
                         .hint = "Give microseconds as a run shows them: GPU time, and host time less GPU time.",
                         .where = name};
    if (cost.kernels < 2)
        return Error{.code = ErrorCode::badInput,
                     .message = "Fusing needs at least two kernels.",
                     .hint = "Give the number of kernels to fuse.",
                     .where = "kernels"};
    const double k = cost.kernelUs;
    const double l = cost.launchUs;
    const double n = cost.kernels;
    LaunchGain gain;
    gain.serialUs = k + l;
    gain.queuedUs = std::max(k, l);
    gain.kernelWorkMost = k / gain.serialUs;
    gain.kernelWorkQueued = k > l ? (k - l) / k : 0;
    gain.fusionMost = n; // n (k + l) / (k + l)
    gain.fusionLeast = n * (k + l) / (n * k + l);
    gain.launchRemoved = (k + l) / k;
    return gain;
}

} // namespace kl::inline device
