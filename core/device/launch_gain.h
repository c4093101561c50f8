// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

/// What there is to gain where launches cost as much as kernels do.
namespace kl::inline device {

/// A sequence of `kernels` kernels, each of kernelUs behind a launch of launchUs.
struct LaunchCost {
    double kernelUs = 0;
    double launchUs = 0;
    int kernels = 2; ///< that could be fused into one
};

/// Serial: each launch is issued once the kernel before has ended (the host waits, or each launch depends on its result); a step takes
/// launch + kernel. Queued: launches are issued ahead; a step takes the longer of the two.
struct LaunchGain {
    double serialUs = 0;         ///< of one step
    double queuedUs = 0;         ///< of one step
    double kernelWorkMost = 0;   ///< share of a serial step that a kernel of no time at all would save
    double kernelWorkQueued = 0; ///< the same for queued launches: 0 while the launch is the longer
    double fusionMost = 0;       ///< speedup of a serial sequence when the fused kernel takes as long as one (its data stays on the chip)
    double fusionLeast = 0;      ///< when it takes as long as all of them together
    double launchRemoved = 0;    ///< speedup of a serial sequence without any launch cost (a CUDA graph's upper bound)
};

/// Error badInput, naming the field: a time that is not above 0, fewer than two kernels.
/// Example: a 5 µs kernel behind a 10 µs launch saves at most 33 % by work on the kernel, and 2× by fusing two.
Result<LaunchGain> launchGain(const LaunchCost& cost);

} // namespace kl::inline device
