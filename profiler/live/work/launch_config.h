// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"
#include "kernels/model/work.h"
#include "profiler/live/cuda/driver.h"

#include <array>

namespace kl::inline live {

/// Arguments of cuLaunchKernelEx: a shape with its attributes. Not copied, since the configuration points into it.
class LaunchConfig {
public:
    /// `grid` and `dynamicSmem` replace the launch's own. `follows`: another launch of the same call is before it in the stream; a
    /// programmatic launch that is the first of a call waits for all before it, since what is measured begins there.
    LaunchConfig(const LaunchSpec& launch, const std::vector<std::int64_t>& grid, std::int64_t dynamicSmem, CUstream stream, bool follows);
    LaunchConfig(const LaunchConfig&) = delete;
    LaunchConfig& operator=(const LaunchConfig&) = delete;

    const CUlaunchConfig& get() const noexcept { return config_; }

private:
    CUlaunchAttributeValue& add(CUlaunchAttributeID id);

    CUlaunchConfig config_{};
    std::array<CUlaunchAttribute, 3> attributes_{};
};

/// Prepares the function for its clusters, fills their facts (clusterBlocks, waves), and rejects what the device does not support:
/// clusters and programmatic launches before compute capability 9.0, clusters that do not fit, cooperative grids that are not resident at
/// once. Expects describeLaunch()'s facts.
Status prepareShape(CUfunction function, const LaunchSpec& launch, const DeviceInfo& device, LaunchFacts& facts);

} // namespace kl::inline live
