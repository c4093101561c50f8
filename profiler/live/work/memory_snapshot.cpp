// SPDX-License-Identifier: MIT
#include "profiler/live/work/memory_snapshot.h"

#include "core/base/try.h"

#include <numeric>

namespace kl::inline live {

Result<MemorySnapshot> MemorySnapshot::take(std::vector<MemorySpan> spans, CUstream stream)
{
    MemorySnapshot snapshot;
    snapshot.spans_ = std::move(spans);
    const std::size_t bytes = std::accumulate(snapshot.spans_.begin(), snapshot.spans_.end(), std::size_t{0},
                                              [](std::size_t sum, const MemorySpan& span) { return sum + span.second; });
    if (bytes == 0)
        return snapshot;
    KL_ASSIGN(DeviceMemory copy, allocate(bytes));
    snapshot.copy_ = std::move(copy);
    CUdeviceptr to = snapshot.copy_.get();
    for (const auto& [address, size] : snapshot.spans_) {
        KL_TRY(KL_CUDA(MemcpyDtoDAsync, to, address, size, stream));
        to += size;
    }
    KL_TRY(KL_CUDA(StreamSynchronize, stream));
    return snapshot;
}

Status MemorySnapshot::restore(CUstream stream) const
{
    CUdeviceptr from = copy_.get();
    for (const auto& [address, size] : spans_) {
        KL_TRY(KL_CUDA(MemcpyDtoDAsync, address, from, size, stream));
        from += size;
    }
    return {};
}

} // namespace kl::inline live
