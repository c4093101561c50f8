// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/model/work.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <vector>

namespace kl::inline live {

/// A kernel of a loaded module, and what compiler and driver say about its launch.
struct LaunchEntry {
    CUfunction function = nullptr;
    LaunchFacts facts;
};

/// Refuses a launch whose name, grid, block or shared memory no device or not this one takes. Errors: device limits, badInput.
Status checkGeometry(const LaunchSpec& launch, const DeviceInfo& device);

/// Looks an entry up, opts in to its shared memory and describes it, without its instruction mix. Errors: a missing entry
/// (kCompileFailure), device limits.
Result<LaunchEntry> resolveEntry(CUmodule module, const LaunchSpec& spec, const DeviceInfo& device);

/// What compiler and driver say about each launch of the work; allocates no buffer. Errors as BuiltWork::build.
Result<std::vector<LaunchFacts>> describeLaunches(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device);

} // namespace kl::inline live
