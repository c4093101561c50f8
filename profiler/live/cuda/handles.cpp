// SPDX-License-Identifier: MIT
#include "profiler/live/cuda/handles.h"

#include <atomic>
#include <fmt/format.h>

namespace kl::inline live {

Result<Stream> makeStream()
{
    CUstream stream = nullptr;
    KL_TRY(KL_CUDA(StreamCreate, &stream, CU_STREAM_NON_BLOCKING));
    return Stream(stream);
}

Result<Module> loadModule(const void* image)
{
    CUmodule module = nullptr;
    KL_TRY(KL_CUDA(ModuleLoadData, &module, image));
    return Module(module);
}

Result<DeviceMemory> allocate(std::size_t bytes)
{
    CUdeviceptr pointer = 0;
    Status status = KL_CUDA(MemAlloc, &pointer, bytes);
    if (!status) {
        Error error = status.error();
        if (isDeviceLimit(error)) {
            std::size_t free = 0;
            std::size_t total = 0;
            cuda().MemGetInfo(&free, &total);
            error.message = fmt::format("Not enough device memory: {} bytes requested, {} of {} free.", bytes, free, total);
            error.hint = "Choose a smaller problem, or stop other programs on the GPU (nvidia-smi).";
        }
        return error;
    }
    return DeviceMemory(pointer);
}

Result<PrimaryContext> PrimaryContext::retain(int index)
{
    CUdevice device = 0;
    CUcontext context = nullptr;
    KL_TRY(KL_CUDA(DeviceGet, &device, index));
    KL_TRY(KL_CUDA(DevicePrimaryCtxRetain, &context, device));
    PrimaryContext guard(device, context);
    KL_TRY(KL_CUDA(CtxSetCurrent, context));
    return guard;
}

PrimaryContext::~PrimaryContext()
{
    if (!context_ || contextLost())
        return;
    cuda().CtxSetCurrent(nullptr);
    cuda().DevicePrimaryCtxRelease(device_);
}

Result<MappedWord> MappedWord::make()
{
    void* host = nullptr;
    KL_TRY(KL_CUDA(MemHostAlloc, &host, sizeof(std::uint32_t), CU_MEMHOSTALLOC_DEVICEMAP));
    CUdeviceptr device = 0;
    if (Status status = KL_CUDA(MemHostGetDevicePointer, &device, host, 0); !status) {
        cuda().MemFreeHost(host);
        return status.error();
    }
    MappedWord word(static_cast<std::uint32_t*>(host), device);
    word.store(0);
    return word;
}

MappedWord::~MappedWord()
{
    if (host_ && !contextLost())
        cuda().MemFreeHost(host_);
}

void MappedWord::store(std::uint32_t value) noexcept
{
    std::atomic_ref<std::uint32_t>(*host_).store(value, std::memory_order_release);
}

} // namespace kl::inline live
