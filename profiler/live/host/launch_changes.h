// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/experiment.h"
#include "core/model/measurement.h"
#include "kernels/model/work.h"

#include <vector>

namespace kl {

/// How a launch is shaped: what may change without changing the code or what a block does.
struct LaunchShape {
    std::vector<std::int64_t> grid;
    std::int64_t dynamicSmem = 0;
    bool mostShared = false; ///< L1 gives shared memory all that it can: the least L1 cache that the device has

    bool operator==(const LaunchShape&) const = default;
};

/// An experiment that can be made: time of `changed` over time of `unchanged`.
struct LaunchChange {
    Experiment experiment; ///< without its ratio; `unavailable` says why it cannot be made
    LaunchShape unchanged;
    LaunchShape changed;
};

/// The experiments of Experiment's list, for one launch. Shared memory that nobody uses takes room from L1, so "half-occupancy" compares
/// two launches that both leave L1 the least; "small-l1" tells what that alone costs. Blocks that wait for each other (a fence and
/// atomics in the code) are not run in part: they could wait for ever.
std::vector<LaunchChange> launchChanges(const LaunchSpec& launch, const LaunchFacts& facts, const DeviceInfo& device);

} // namespace kl
