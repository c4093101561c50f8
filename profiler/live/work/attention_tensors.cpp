// SPDX-License-Identifier: MIT
#include "profiler/live/work/attention_tensors.h"

#include "core/base/try.h"

namespace kl::inline live {
namespace {

Result<DeviceMemory> uploadInput(std::size_t place, std::size_t bytes, const StreamPlace& from)
{
    const std::vector<std::byte>* elements = from.input(place);
    if (elements == nullptr || elements->size() != bytes)
        return Error{.code = ErrorCode::badInput,
                     .message = "The kernel's inputs are not the Q, K and V that this baseline needs.",
                     .hint = "Name them in this order as the reference's inputs, with 16-bit elements.",
                     .where = "baseline"};
    KL_ASSIGN(DeviceMemory memory, allocate(bytes));
    KL_TRY(KL_CUDA(MemcpyHtoDAsync, memory.get(), elements->data(), bytes, from.stream));
    return memory;
}

} // namespace

Result<AttentionTensors> AttentionTensors::make(const AttentionSizes& sizes, const StreamPlace& place)
{
    Result<DeviceMemory> q = uploadInput(0, sizes.queryBytes(), place);
    Result<DeviceMemory> k = q ? uploadInput(1, sizes.keyBytes(), place) : Result<DeviceMemory>(q.error());
    Result<DeviceMemory> v = k ? uploadInput(2, sizes.keyBytes(), place) : Result<DeviceMemory>(k.error());
    KL_ASSIGN(DeviceMemory o, v ? allocate(sizes.queryBytes()) : Result<DeviceMemory>(v.error()));
    AttentionTensors tensors;
    tensors.q_ = std::move(*q);
    tensors.k_ = std::move(*k);
    tensors.v_ = std::move(*v);
    tensors.o_ = std::move(o);
    tensors.outputBytes_ = sizes.queryBytes();
    KL_TRY(KL_CUDA(MemsetD8Async, tensors.o_.get(), 0xff, tensors.outputBytes_, place.stream)); // NaN: what is not written shows
    return tensors;
}

Result<std::optional<std::vector<std::byte>>> AttentionTensors::output() const
{
    std::vector<std::byte> bytes(outputBytes_);
    KL_TRY(KL_CUDA(MemcpyDtoH, bytes.data(), o_.get(), outputBytes_));
    return std::optional(std::move(bytes));
}

} // namespace kl::inline live
