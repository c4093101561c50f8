// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/live/cuda/handles.h"

#include <memory>
#include <string>

namespace kl::inline live {

/// Empties a device's caches so that a counted launch starts cold and clean. Reads and does not write: writing a buffer
/// leaves the L2 full of dirty lines, which the counted launch would have to write back (measured on an H200: 20 MB more DRAM writes
/// and 12 % more time for a 64 MB copy). The instruction and constant caches are emptied too, as by ncu: the driver does so when it loads
/// code, and a launch then fetches its own again (H200: 960 sectors of an FMA kernel under ncu and here, 192 without). Needs a current
/// context. One thread.
class CacheFlush {
public:
    /// Kernel launches that issue() makes.
    static constexpr int kLaunches = 1;

    /// Errors: device limits, no NVRTC.
    static Result<std::unique_ptr<CacheFlush>> make(const DeviceInfo& device);

    /// Loads and unloads a module, then reads all of a buffer several times as large as the L2. The read is asynchronous.
    Status issue(CUstream stream);

private:
    CacheFlush() = default;

    std::string code_; ///< of module_, loaded again by each issue()
    Module module_;
    CUfunction read_ = nullptr;
    DeviceMemory memory_;
    std::uint64_t bytes_ = 0;
    unsigned blocks_ = 1;
};

} // namespace kl::inline live
