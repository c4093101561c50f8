// SPDX-License-Identifier: MIT
#include "profiler/live/work/kernel_image.h"

#include "kernels/data/base64.h"
#include "profiler/live/cuda/handles.h"
#include "profiler/live/cupti/module_capture.h"

#include <array>
#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr unsigned kCudaMachine = 190; // EM_CUDA
constexpr std::size_t kLogBytes = 16384;

unsigned byteAt(std::string_view image, std::size_t at)
{
    return static_cast<unsigned char>(image[at]);
}

CompiledSource makeRefusedSource(std::string why)
{
    CompiledSource compiled;
    compiled.log = std::move(why);
    return compiled;
}

/// A cubin runs on its own major version at its own minor version or a higher one.
std::optional<std::string> unfit(const ImageSpec& image, std::string_view bytes, const DeviceInfo& device)
{
    const std::optional<int> arch = cubinArchitecture(bytes);
    if (!arch)
        return fmt::format("{} is not a cubin.", image.name);
    if (*arch / 10 == device.ccMajor && *arch % 10 <= device.ccMinor)
        return {};
    return fmt::format(
        "{} is compiled for sm_{}; this GPU ({}) is sm_{}{} and runs only sm_{}0 to sm_{}{}. Compile it with nvcc -arch=sm_{}{}, or use "
        "the .ptx or the .cu instead.",
        image.name, *arch, device.name, device.ccMajor, device.ccMinor, device.ccMajor, device.ccMajor, device.ccMinor, device.ccMajor,
        device.ccMinor);
}

/// The driver's own assembler, with what it says. Not its linker: code that can be linked has shared memory aligned to 16 bytes only, its
/// setmaxnreg are ignored, and its wgmma wait for each other (CUDA 13.0).
CompiledSource assemble(const ImageSpec& image, std::string ptx)
{
    std::array<char, kLogBytes> errors{};
    std::array<char, kLogBytes> infos{};
    std::array<CUjit_option, 5> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                                        CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    std::array<void*, 5> values{errors.data(), reinterpret_cast<void*>(errors.size() - 1), infos.data(),
                                reinterpret_cast<void*>(infos.size() - 1), reinterpret_cast<void*>(1)};
    CompiledSource compiled;
    CUmodule loaded = nullptr;
    CUresult result = CUDA_SUCCESS;
    compiled.cubin = captureCubin([&] {
        result = cuda().ModuleLoadDataEx(&loaded, ptx.c_str(), static_cast<unsigned>(options.size()), options.data(), values.data());
    });
    const Module module(loaded);
    compiled.ok = result == CUDA_SUCCESS;
    compiled.log = infos.data();
    if (!compiled.ok)
        compiled.log += fmt::format("{}\n{}", errors.data(), checkCuda(result, ("assembling " + image.name).c_str()).error().message);
    if (compiled.ok && compiled.cubin.empty())
        compiled.cubin = ptx; // which the driver assembles wherever it is loaded
    compiled.ptx = std::move(ptx);
    return compiled;
}

} // namespace

std::optional<int> cubinArchitecture(std::string_view image)
{
    if (image.size() < 64 ||
        !image.starts_with("\x7f"
                           "ELF") ||
        (byteAt(image, 18) | byteAt(image, 19) << 8) != kCudaMachine)
        return {};
    const bool since13 = byteAt(image, 8) >= 8;
    return static_cast<int>(byteAt(image, since13 ? 49 : 48));
}

Result<CompiledSource> loadImage(const ImageSpec& image, const DeviceInfo& device)
{
    const auto begin = std::chrono::steady_clock::now();
    std::optional<std::string> bytes = fromBase64(image.base64);
    if (!bytes)
        return Error{.code = ErrorCode::badInput, .message = fmt::format("{} arrived incomplete.", image.name), .where = image.name};
    CompiledSource compiled;
    if (image.ptx) {
        compiled = assemble(image, std::move(*bytes));
    } else if (const std::optional<std::string> why = unfit(image, *bytes, device)) {
        return makeRefusedSource(*why);
    } else {
        compiled.cubin = std::move(*bytes);
        compiled.ok = true;
    }
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return compiled;
}

} // namespace kl::inline live
