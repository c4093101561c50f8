// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cuda/driver.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kl::inline live {

/// One owned driver handle: movable, released once, never throws. Release errors are dropped on purpose: they repeat a sticky
/// error that the request already reported.
template <class Handle, auto Release> class CudaHandle {
public:
    CudaHandle() = default;
    explicit CudaHandle(Handle handle) noexcept : handle_(handle) {}
    CudaHandle(CudaHandle&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    CudaHandle& operator=(CudaHandle&& other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~CudaHandle()
    {
        if (handle_ && !contextLost())
            (cuda().*Release)(handle_);
    }

    Handle get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != Handle{}; }

private:
    Handle handle_{};
};

using Stream = CudaHandle<CUstream, &Driver::StreamDestroy>;
using Module = CudaHandle<CUmodule, &Driver::ModuleUnload>;
using Graph = CudaHandle<CUgraph, &Driver::GraphDestroy>;
using GraphExec = CudaHandle<CUgraphExec, &Driver::GraphExecDestroy>;
using DeviceMemory = CudaHandle<CUdeviceptr, &Driver::MemFree>;
using PhysicalMemory = CudaHandle<CUmemGenericAllocationHandle, &Driver::MemRelease>; ///< without an address until it is mapped

Result<Stream> makeStream();
Result<Module> loadModule(const void* image);

/// `bytes` of device memory. Error with isDeviceLimit when there is not enough.
Result<DeviceMemory> allocate(std::size_t bytes);

/// Device `index`'s primary context, current on the constructing thread for as long as it lives.
class PrimaryContext {
public:
    static Result<PrimaryContext> retain(int index);
    PrimaryContext(PrimaryContext&& other) noexcept : device_(other.device_), context_(std::exchange(other.context_, nullptr)) {}
    PrimaryContext& operator=(PrimaryContext&&) = delete;
    ~PrimaryContext();

    CUcontext get() const noexcept { return context_; }
    CUdevice device() const noexcept { return device_; }

private:
    PrimaryContext(CUdevice device, CUcontext context) noexcept : device_(device), context_(context) {}

    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

/// A word of page-locked host memory, mapped for the device.
class MappedWord {
public:
    static Result<MappedWord> make();
    MappedWord(MappedWord&& other) noexcept : host_(std::exchange(other.host_, nullptr)), device_(other.device_) {}
    MappedWord& operator=(MappedWord&&) = delete;
    ~MappedWord();

    void store(std::uint32_t value) noexcept;
    CUdeviceptr device() const noexcept { return device_; }

private:
    MappedWord(std::uint32_t* host, CUdeviceptr device) noexcept : host_(host), device_(device) {}

    std::uint32_t* host_ = nullptr;
    CUdeviceptr device_ = 0;
};

} // namespace kl::inline live
