// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/base/try.h"

#include <cuda.h>

/// Every driver function that KernelLoop calls: name without the "cu" prefix.
// The formatter would lay this list out again on every pass.
// clang-format off
#define KL_CUDA_FUNCTIONS(X)                                                                                                               \
    X(Init)                                                                                                                                \
    X(DriverGetVersion)                                                                                                                    \
    X(DeviceGetCount) X(DeviceGet) X(DeviceGetName) X(DeviceGetUuid) X(DeviceGetAttribute) X(DeviceTotalMem) X(DevicePrimaryCtxRetain)     \
        X(DevicePrimaryCtxRelease) X(CtxSetCurrent) X(CtxSynchronize) X(ModuleLoadData) X(ModuleUnload) X(ModuleGetFunction)               \
            X(FuncGetAttribute) X(FuncSetAttribute) X(MemAlloc) X(MemFree) X(MemGetInfo) X(MemHostAlloc) X(MemFreeHost)                    \
                X(MemHostGetDevicePointer) X(MemcpyHtoDAsync) X(MemcpyDtoH) X(MemcpyDtoDAsync) X(MemsetD8Async) X(MemsetD16Async)          \
                    X(MemsetD32Async) X(StreamCreate) X(StreamDestroy) X(StreamSynchronize) X(StreamQuery) X(StreamBeginCapture)           \
                        X(StreamEndCapture) X(GraphInstantiateWithFlags) X(GraphLaunch) X(GraphDestroy) X(GraphExecDestroy)                \
                            X(LaunchKernel) X(LaunchKernelEx) X(OccupancyMaxActiveBlocksPerMultiprocessor) X(OccupancyMaxActiveClusters)       \
                                X(CtxGetDevice) X(CtxGetCurrent) X(CtxResetPersistingL2Cache) X(ModuleGetGlobal) X(ModuleLoadDataEx) X(KernelGetFunction) X(TensorMapEncodeTiled)                 \
                                    X(MemAddressReserve) X(MemAddressFree) X(MemCreate) X(MemRelease) X(MemMap) X(MemUnmap) X(MemSetAccess) X(MemGetAllocationGranularity)
// clang-format on

namespace kl::inline live {

/// The CUDA driver's functions, bound through cuGetProcAddress: the plain exported symbol is the oldest ABI of a function.
struct Driver {
#define KL_CUDA_MEMBER(name) decltype(&::cu##name) name = nullptr;
    KL_CUDA_FUNCTIONS(KL_CUDA_MEMBER)
#undef KL_CUDA_MEMBER
    int version = 0; ///< 13000

    /// Loads libcuda once per process and initializes it. Error environment, with the fix: no driver, a driver
    /// too old, no device.
    static const Result<Driver>& load();

    /// The program that this code was injected into initializes the driver: load(), called from now on, leaves that out. A second
    /// cuInit, from another thread than the first, was seen to wait forever for a lock whose owner had ended (H200, CUDA 13.0).
    static void adopt() noexcept;
};

/// The loaded driver. Precondition: Driver::load() succeeded (everything past it holds a context).
const Driver& cuda() noexcept;

/// Success, or an Error: message with call text and CUDA's words, where = file:line, detail = "CUDA_ERROR_…".
/// code is kernelFailed for faults and memory requests of a kernel, environment otherwise. file and line are the caller's, by
/// compiler builtins: the clang-tidy of Debian 12 does not support std::source_location.
Status checkCuda(CUresult result, const char* call, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// The kernel or its buffers need more than the device has.
bool isDeviceLimit(const Error& error) noexcept;

/// The context is lost: every later call fails, only a new process helps.
bool isSticky(const Error& error) noexcept;

/// True once a sticky error was seen or a kernel hangs. Guards then release nothing: a release would fail, or wait forever.
bool contextLost() noexcept;

/// Waits until the stream is empty, at most `seconds`. Past it the kernel counts as hanging: Error kernelFailed, and the context
/// counts as lost, since a running kernel cannot be stopped from within its process.
Status waitFor(CUstream stream, double seconds);

/// Largest time a kernel may take before it counts as hanging, seconds.
inline constexpr double kHangSeconds = 20;

} // namespace kl::inline live

/// `Status s = KL_CUDA(MemAlloc, &pointer, bytes);`
#define KL_CUDA(name, ...) ::kl::checkCuda(::kl::cuda().name(__VA_ARGS__), "cu" #name "(" #__VA_ARGS__ ")")
