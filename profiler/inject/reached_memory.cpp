// SPDX-License-Identifier: MIT
#include "profiler/inject/reached_memory.h"

#include "core/base/try.h"
#include "profiler/inject/changed_ranges.h"
#include "profiler/live/cuda/driver.h"

#include <algorithm>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

namespace kl::inject {
namespace {

constexpr std::size_t kPart = 64U << 20;
constexpr std::size_t kMostWords = 65536; ///< of one part that are looked up, a microsecond each

/// Of the driver that the program runs on. Not in the worker's table: only lifting needs them.
struct DriverFunctions {
    CUresult (*addressRange)(CUdeviceptr*, std::size_t*, CUdeviceptr) = nullptr;
    CUresult (*pointerAttribute)(void*, CUpointer_attribute, CUdeviceptr) = nullptr;
    CUresult (*functionModule)(CUmodule*, CUfunction) = nullptr;

    DriverFunctions()
    {
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
        if (!library)
            return;
        addressRange = reinterpret_cast<decltype(addressRange)>(::dlsym(library, "cuMemGetAddressRange_v2"));
        pointerAttribute = reinterpret_cast<decltype(pointerAttribute)>(::dlsym(library, "cuPointerGetAttribute"));
        functionModule = reinterpret_cast<decltype(functionModule)>(::dlsym(library, "cuFuncGetModule"));
    }
};

const DriverFunctions& driver()
{
    static const DriverFunctions functions;
    return functions;
}

/// Why the memory at an address cannot be copied for a launch elsewhere; empty where it can.
std::string foreign(std::uint64_t address, unsigned type)
{
    unsigned managed = 0;
    int device = 0;
    CUdevice own = 0;
    if (driver().pointerAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == CUDA_SUCCESS && managed != 0)
        return "managed memory (cudaMallocManaged), which host and GPU may both write";
    if (type == CU_MEMORYTYPE_HOST)
        return "memory of the host, mapped for the GPU";
    if (driver().pointerAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) == CUDA_SUCCESS &&
        cuda().CtxGetDevice(&own) == CUDA_SUCCESS && device != own)
        return "memory of another GPU";
    return {};
}

} // namespace

CUmodule findModule(CUfunction function)
{
    CUmodule module = nullptr;
    return driver().functionModule && driver().functionModule(&module, function) == CUDA_SUCCESS ? module : nullptr;
}

bool ReachedMemory::known(std::uint64_t address) const
{
    const auto next = found_.upper_bound(address);
    return next != found_.begin() && address - std::prev(next)->first < std::prev(next)->second.bytes;
}

/// Nothing where the address is none of CUDA's.
Status ReachedMemory::add(std::uint64_t address, const char* reached, const std::string& whose)
{
    unsigned type = 0;
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    if (known(address) || !driver().pointerAttribute || !driver().addressRange ||
        driver().pointerAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS)
        return {};
    if (const std::string why = foreign(address, type); !why.empty())
        return Error{.code = ErrorCode::environment, .message = fmt::format("{} points to {}: {:#x}.", whose, why, address)};
    if (driver().addressRange(&base, &bytes, address) == CUDA_SUCCESS && bytes > 0)
        found_[base] = LiftedMemory{base, bytes, reached, {}, {}, {}};
    return {};
}

Status ReachedMemory::addArguments(std::string_view arguments)
{
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= arguments.size(); at += sizeof(std::uint64_t))
        for (const std::uint64_t word : possibleAddresses(arguments.substr(at, sizeof(std::uint64_t)), 1))
            KL_TRY(add(word, "argument", fmt::format("The argument at byte {}", at)));
    return {};
}

Status ReachedMemory::addBehind()
{
    const std::map<std::uint64_t, LiftedMemory> first = found_;
    std::string part;
    for (const auto& [address, memory] : first)
        for (std::uint64_t at = 0; at < memory.bytes; at += kPart) {
            part.resize(std::min<std::uint64_t>(kPart, memory.bytes - at));
            KL_TRY(checkCuda(cuda().MemcpyDtoH(part.data(), address + at, part.size()), "cuMemcpyDtoH"));
            for (const std::uint64_t word : possibleAddresses(part, kMostWords))
                if (const Status added = add(word, "pointer", "A word in memory that the arguments lead to"); !added)
                    notes_.insert(added.error().message + " It is not part of the lifted launch.");
        }
    return {};
}

void ReachedMemory::addAll(const std::set<std::uint64_t>& addresses)
{
    for (const std::uint64_t address : addresses)
        (void)add(address, "all", "An allocation"); // what is not this GPU's memory is left out
}

std::uint64_t ReachedMemory::bytes() const
{
    std::uint64_t sum = 0;
    for (const auto& [address, memory] : found_)
        sum += memory.bytes;
    return sum;
}

} // namespace kl::inject
