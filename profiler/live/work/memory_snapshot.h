// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cuda/handles.h"

#include <utility>
#include <vector>

namespace kl::inline live {

/// A piece of device memory: address and bytes.
using MemorySpan = std::pair<CUdeviceptr, std::size_t>;

/// A copy of device memory, kept on the device. A launch that is repeated for several passes needs the same memory each time.
class MemorySnapshot {
public:
    /// Copies the spans. Error with isDeviceLimit when the device has no room for a second copy of them.
    static Result<MemorySnapshot> take(std::vector<MemorySpan> spans, CUstream stream);

    /// Restores everything. Asynchronous; copies, no kernel.
    Status restore(CUstream stream) const;

private:
    std::vector<MemorySpan> spans_;
    DeviceMemory copy_;
};

} // namespace kl::inline live
