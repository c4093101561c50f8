// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/baselines/attention_sizes.h"
#include "profiler/live/work/stream_baseline.h"

namespace kl::inline live {

/// Q, K, V and O of a baseline on the device; the inputs are the kernel's own elements.
class AttentionTensors {
public:
    /// Error badInput: the kernel's inputs are not those of attention of these sizes.
    static Result<AttentionTensors> make(const AttentionSizes& sizes, const StreamPlace& place);

    void* q() const noexcept { return address(q_); }
    void* k() const noexcept { return address(k_); }
    void* v() const noexcept { return address(v_); }
    void* o() const noexcept { return address(o_); }

    /// Bytes of O; the caller has synchronized.
    Result<std::optional<std::vector<std::byte>>> output() const;

    static void* address(const DeviceMemory& memory) noexcept { return reinterpret_cast<void*>(memory.get()); }

private:
    DeviceMemory q_;
    DeviceMemory k_;
    DeviceMemory v_;
    DeviceMemory o_;
    std::size_t outputBytes_ = 0;
};

} // namespace kl::inline live
