// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/experiment.h"
#include "core/model/measurement.h"
#include "kernels/model/work.h"

#include <vector>

namespace kl::inline live {

/// The shape of a launch: what can change without changing the code or the work of a block.
struct LaunchSettings {
    std::vector<std::int64_t> grid;
    std::int64_t dynamicSmem = 0;
    bool mostShared = false; ///< maximum carve-out for shared memory: minimal L1 cache

    bool operator==(const LaunchSettings&) const = default;
};

/// A possible experiment: time of `changed` over time of `unchanged`.
struct LaunchChange {
    Experiment experiment; ///< without its ratio; `unavailable` is the reason if it is impossible
    LaunchSettings unchanged;
    LaunchSettings changed;
};

/// The experiments of Experiment's list, for one launch. Unused shared memory takes space from L1, so "half-occupancy" compares
/// two launches that both leave L1 the least; "small-l1" measures the cost of that alone. Blocks that wait for each other (a fence and
/// atomics in the code) are not run in part: they could wait forever.
std::vector<LaunchChange> launchChanges(const LaunchSpec& launch, const LaunchFacts& facts, const DeviceInfo& device);

} // namespace kl::inline live
