// SPDX-License-Identifier: MIT
#include "profiler/live/work/work_buffers.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/data/numbers.h"
#include "profiler/live/work/work_errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kGuardBytes = 4096; // keeps the data aligned to every access width
constexpr unsigned char kGuardByte = 0xA5;
constexpr std::size_t kInputsKept = 256U << 20;

/// The worker's, whose one GPU thread builds all works.
InputCache& inputs()
{
    static InputCache cache(kInputsKept);
    return cache;
}

} // namespace

Status WorkBuffers::place(const WorkSpec& work)
{
    std::vector<MemorySpan> spans;
    for (const BufferSpec& spec : work.buffers)
        if (spec.address)
            spans.emplace_back(*spec.address, static_cast<std::size_t>(spec.count) * static_cast<std::size_t>(countBytes(spec.type)));
    if (spans.empty())
        return {};
    KL_ASSIGN(placed_, PlacedMemory::map(spans));
    return {};
}

Status WorkBuffers::allocate(const WorkSpec& work, const WorkBuffers* like, bool fillInputs)
{
    for (const BufferSpec& spec : work.buffers) {
        if (spec.count <= 0)
            return badWork(fmt::format("Buffer {} has {} elements.", spec.name, spec.count));
        WorkBuffer buffer;
        buffer.spec = spec;
        buffer.bytes = static_cast<std::size_t>(spec.count) * static_cast<std::size_t>(countBytes(spec.type));
        buffer.guard = state_ == BufferState::guarded && !spec.address ? kGuardBytes : 0;
        buffer.memory = like && !spec.address ? like->memoryLike(spec) : nullptr;
        if (!buffer.memory && !spec.address) {
            KL_ASSIGN(DeviceMemory memory, kl::allocate(buffer.bytes + 2 * buffer.guard));
            buffer.memory = std::make_shared<const DeviceMemory>(std::move(memory));
        }
        if (spec.role == BufferRole::input && fillInputs)
            buffer.content = inputs().content(spec, work.seed, buffers_.size());
        bytes_ += static_cast<std::int64_t>(buffer.bytes);
        buffers_.push_back(std::move(buffer));
    }
    return {};
}

std::shared_ptr<const DeviceMemory> WorkBuffers::memoryLike(const BufferSpec& spec) const
{
    const WorkBuffer* buffer = find(spec.name);
    return buffer && buffer->spec == spec ? buffer->memory : nullptr;
}

const WorkBuffer* WorkBuffers::find(const std::string& name) const
{
    for (const WorkBuffer& buffer : buffers_)
        if (buffer.spec.name == name)
            return &buffer;
    return nullptr;
}

Status WorkBuffers::reset()
{
    const Timed time("buffers: fill");
    for (const WorkBuffer& buffer : buffers_) {
        const bool zeros = buffer.spec.fill == Fill::zeros;
        if (buffer.guard > 0) {
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.memory->get(), kGuardByte, kGuardBytes, stream_));
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.data() + buffer.bytes, kGuardByte, kGuardBytes, stream_));
        }
        if (buffer.spec.role == BufferRole::input || (state_ == BufferState::bare && !zeros))
            continue;
        const std::uint32_t poison = zeros ? 0U : poisonWord(buffer.spec.type);
        if (countBytes(buffer.spec.type) == 1)
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.data(), static_cast<unsigned char>(poison), buffer.bytes, stream_));
        else if (countBytes(buffer.spec.type) == 2)
            KL_TRY(KL_CUDA(MemsetD16Async, buffer.data(), static_cast<unsigned short>(poison), buffer.bytes / 2, stream_));
        else
            KL_TRY(KL_CUDA(MemsetD32Async, buffer.data(), poison, buffer.bytes / 4, stream_));
    }
    // In the stream: a plain copy of pageable memory may return before its last part has arrived, and the stream does not wait for it.
    for (const WorkBuffer& buffer : buffers_)
        if (buffer.content)
            KL_TRY(KL_CUDA(MemcpyHtoDAsync, buffer.data(), buffer.content->data(), buffer.bytes, stream_));
    return KL_CUDA(StreamSynchronize, stream_);
}

std::vector<MemorySpan> WorkBuffers::memory() const
{
    std::vector<MemorySpan> spans;
    for (const WorkBuffer& buffer : buffers_)
        spans.emplace_back(buffer.data(), buffer.bytes);
    return spans;
}

Result<std::vector<std::byte>> WorkBuffers::read(const std::string& name) const
{
    const WorkBuffer* buffer = find(name);
    if (!buffer)
        return badWork(fmt::format("There is no buffer {}.", name));
    std::vector<std::byte> data(buffer->bytes);
    KL_TRY(KL_CUDA(MemcpyDtoH, data.data(), buffer->data(), buffer->bytes));
    return data;
}

Status WorkBuffers::adoptInputs()
{
    for (WorkBuffer& buffer : buffers_) {
        if (buffer.spec.role != BufferRole::input || buffer.content)
            continue;
        KL_ASSIGN(std::vector<std::byte> held, read(buffer.spec.name));
        buffer.content = std::make_shared<const std::vector<std::byte>>(std::move(held));
    }
    return {};
}

Result<std::optional<std::string>> WorkBuffers::guardViolation() const
{
    std::vector<unsigned char> guard(kGuardBytes);
    const auto broken = [&] { return std::any_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte != kGuardByte; }); };
    for (const WorkBuffer& buffer : buffers_) {
        if (buffer.guard == 0)
            continue;
        KL_TRY(KL_CUDA(MemcpyDtoH, guard.data(), buffer.memory->get(), kGuardBytes));
        if (broken())
            return std::optional<std::string>(fmt::format("The kernel wrote before the start of buffer {}.", buffer.spec.name));
        KL_TRY(KL_CUDA(MemcpyDtoH, guard.data(), buffer.data() + buffer.bytes, kGuardBytes));
        if (broken())
            return std::optional<std::string>(fmt::format("The kernel wrote past the end of buffer {}.", buffer.spec.name));
    }
    return std::optional<std::string>{};
}

} // namespace kl::inline live
