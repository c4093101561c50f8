// SPDX-License-Identifier: MIT
#include "profiler/live/cuda/driver.h"

#include "profiler/live/host/oldest_driver.h"
#include "profiler/live/host/shared_library.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>
#include <thread>

namespace kl::inline live {
namespace {

std::atomic<bool> lost{false};
std::atomic<bool> adopted{false};

decltype(&::cuGetErrorName) getErrorName = nullptr;
decltype(&::cuGetErrorString) getErrorString = nullptr;

const char* errorName(CUresult result) noexcept
{
    const char* text = nullptr;
    return getErrorName && getErrorName(result, &text) == CUDA_SUCCESS && text ? text : "CUDA_ERROR_UNKNOWN";
}

const char* errorText(CUresult result) noexcept
{
    const char* text = nullptr;
    return getErrorString && getErrorString(result, &text) == CUDA_SUCCESS && text ? text : "unknown error";
}

Error unusable(std::string message, std::string hint, std::string detail = {})
{
    return {.code = ErrorCode::environment,
            .message = std::move(message),
            .hint = std::move(hint),
            .where = "libcuda.so.1",
            .detail = std::move(detail)};
}

Result<Driver> loadDriver()
{
    const Result<SharedLibrary> library = SharedLibrary::open({"libcuda.so.1"});
    if (!library)
        return unusable("No NVIDIA driver is installed on this machine (libcuda.so.1 was not found).",
                        "Install NVIDIA driver 560 or newer and load it; in a container, start it with GPU access.",
                        library.error().message);
    const auto getProc =
        library->function<CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*)>("cuGetProcAddress_v2");
    if (!getProc)
        return unusable("The NVIDIA driver on this machine is older than CUDA 12.", kNewerDriver);

    Driver driver;
    std::string missing;
    // Asked for as of the oldest CUDA: newer versions give some names another parameter list (cuCtxSynchronize since 13.0).
    const auto bind = [&](const char* name, void** target) {
        CUdriverProcAddressQueryResult found{};
        if (getProc(name, target, kOldestDriverCuda, CU_GET_PROC_ADDRESS_DEFAULT, &found) != CUDA_SUCCESS || !*target)
            missing = name;
    };
    bind("cuGetErrorName", reinterpret_cast<void**>(&getErrorName));
    bind("cuGetErrorString", reinterpret_cast<void**>(&getErrorString));
#define KL_CUDA_BIND(name) bind("cu" #name, reinterpret_cast<void**>(&driver.name));
    KL_CUDA_FUNCTIONS(KL_CUDA_BIND)
#undef KL_CUDA_BIND
    if (!missing.empty())
        return unusable(fmt::format("The NVIDIA driver on this machine has no {}: it is too old.", missing), kNewerDriver);
    driver.DriverGetVersion(&driver.version);
    if (driver.version < kOldestDriverCuda)
        return unusable(
            fmt::format("The NVIDIA driver supports CUDA {}.{}; KernelLoop needs 12.6.", driver.version / 1000, driver.version % 1000 / 10),
            kNewerDriver);
    if (const CUresult started = adopted ? CUDA_SUCCESS : driver.Init(0); started != CUDA_SUCCESS) {
        if (started == CUDA_ERROR_NO_DEVICE)
            return unusable("The NVIDIA driver is installed but finds no GPU.",
                            "Check `nvidia-smi -L` and CUDA_VISIBLE_DEVICES; start a container with GPU access.", errorName(started));
        return unusable(fmt::format("The NVIDIA driver failed to initialize: {} ({}).", errorText(started), errorName(started)),
                        "Check `nvidia-smi`; after a driver update, reboot so that the library and the kernel module match.",
                        errorName(started));
    }
    int devices = 0;
    if (driver.DeviceGetCount(&devices) != CUDA_SUCCESS || devices == 0)
        return unusable("The NVIDIA driver is installed but finds no GPU.", "Check `nvidia-smi -L` and CUDA_VISIBLE_DEVICES.");
    return driver;
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

const Result<Driver>& Driver::load()
{
    static const Result<Driver> driver = loadDriver();
    return driver;
}

void Driver::adopt() noexcept
{
    adopted = true;
}

const Driver& cuda() noexcept
{
    return *Driver::load();
}

bool isSticky(const Error& error) noexcept
{
    return isOneOf(error.detail,
                   {"CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_TIMEOUT", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_ASSERT",
                    "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_MISALIGNED_ADDRESS",
                    "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC", "CUDA_ERROR_ECC_UNCORRECTABLE",
                    "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_UNKNOWN", "KL_KERNEL_HANGS"});
}

bool isDeviceLimit(const Error& error) noexcept
{
    return isOneOf(error.detail, {"CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "KL_DEVICE_LIMIT"});
}

Status checkCuda(CUresult result, const char* call, const char* file, int line)
{
    if (result == CUDA_SUCCESS)
        return {};
    Error error{.code = ErrorCode::environment,
                .message = fmt::format("{} failed: {} ({}).", call, errorText(result), errorName(result)),
                .where = fmt::format("{}:{}", file, line),
                .detail = errorName(result)};
    if (isSticky(error)) {
        lost = true;
        error.message = fmt::format("The kernel faulted: {} ({}, reported by {}).", errorText(result), errorName(result), call);
        error.hint = "Run it under compute-sanitizer to find the access.";
    }
    if (isSticky(error) || isDeviceLimit(error))
        error.code = ErrorCode::kernelFailed;
    return error;
}

bool contextLost() noexcept
{
    return lost;
}

Status waitFor(CUstream stream, double seconds)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    while (true) {
        const CUresult state = cuda().StreamQuery(stream);
        if (state != CUDA_ERROR_NOT_READY)
            return checkCuda(state, "cuStreamQuery(stream)");
        const std::chrono::duration<double> waited = Clock::now() - begin;
        if (waited.count() > seconds) {
            lost = true;
            return Error{.code = ErrorCode::kernelFailed,
                         .message = fmt::format("The kernel did not finish within {:.0f} s.", seconds),
                         .hint = "Look for a loop that never ends or a barrier that not all threads reach.",
                         .detail = "KL_KERNEL_HANGS"};
        }
        if (waited > std::chrono::milliseconds(2))
            std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

} // namespace kl::inline live
