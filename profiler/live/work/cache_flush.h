// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/live/cuda/handles.h"

#include <memory>

namespace kl {

/// Empties a device's caches so that a counted launch starts cold and clean. Reads and does not write: a buffer that was written over
/// the L2 leaves it full of dirty lines, which the counted launch would have to write back (measured on an H200: 20 MB more DRAM writes
/// and 12 % more time for a 64 MB copy). Needs a current context. One thread.
class CacheFlush {
public:
    /// Kernel launches that issue() makes.
    static constexpr int kLaunches = 1;

    /// Errors: device limits, no NVRTC.
    static Result<std::unique_ptr<CacheFlush>> make(const DeviceInfo& device);

    /// Reads all of a buffer several times as large as the L2. Asynchronous.
    Status issue(CUstream stream);

private:
    CacheFlush() = default;

    Module module_;
    CUfunction read_ = nullptr;
    DeviceMemory memory_;
    std::uint64_t bytes_ = 0;
    unsigned blocks_ = 1;
};

} // namespace kl
