// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kl::inject {

/// How the next launches of a kernel are sampled.
struct LaunchSampling {
    int periodLog2 = 11; ///< two to this power cycles between two samples of an SM; at first, nothing is known of the kernel's duration
    int launches = 0;    ///< worth sampling

    bool operator==(const LaunchSampling&) const = default;
};

/// After one launch of a kernel, sampled with a period of 2^`periodLog2` cycles, gave so many samples: nothing more when they are 20,000,
/// which resolve a line of one percent; else a finer period, 32 cycles at least, and launches, five at most, that give as many together.
LaunchSampling chooseSamplingAfter(int periodLog2, std::int64_t samples);

} // namespace kl::inject
