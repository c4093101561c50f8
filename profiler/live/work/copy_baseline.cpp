// SPDX-License-Identifier: MIT
#include "profiler/live/work/stream_baseline.h"

#include "core/base/try.h"

namespace kl::inline live {
namespace {

class CopyBaseline final : public StreamBaseline {
public:
    CopyBaseline(DeviceMemory from, DeviceMemory to, std::size_t bytes, CUstream stream)
        : from_(std::move(from)), to_(std::move(to)), bytes_(bytes), stream_(stream)
    {
    }

    Status issue() override { return KL_CUDA(MemcpyDtoDAsync, to_.get(), from_.get(), bytes_, stream_); }

private:
    DeviceMemory from_;
    DeviceMemory to_;
    std::size_t bytes_;
    CUstream stream_;
};

} // namespace

Result<std::unique_ptr<StreamBaseline>> makeCopyBaseline(std::size_t bytes, const StreamPlace& place)
{
    KL_ASSIGN(DeviceMemory from, allocate(bytes));
    KL_ASSIGN(DeviceMemory to, allocate(bytes));
    KL_TRY(KL_CUDA(MemsetD8Async, from.get(), 1, bytes, place.stream));
    return std::unique_ptr<StreamBaseline>(std::make_unique<CopyBaseline>(std::move(from), std::move(to), bytes, place.stream));
}

} // namespace kl::inline live
