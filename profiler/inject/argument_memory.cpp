// SPDX-License-Identifier: MIT
#include "profiler/inject/argument_memory.h"

#include "profiler/inject/argument_reach.h"
#include "profiler/live/cuda/driver.h"

#include <algorithm>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <vector>

namespace kl::inject {
namespace {

constexpr std::size_t kMostArguments = 4096; // parameters fit in 32764 bytes
constexpr std::size_t kMostParameterBytes = 32764;

/// Of the driver that the program runs on. Not in the worker's table: it supports older ones.
struct ParameterFunctions {
    CUresult (*paramInfo)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;
    CUresult (*addressRange)(CUdeviceptr*, std::size_t*, CUdeviceptr) = nullptr;

    ParameterFunctions()
    {
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
        if (!library)
            return;
        paramInfo = reinterpret_cast<decltype(paramInfo)>(::dlsym(library, "cuFuncGetParamInfo"));
        addressRange = reinterpret_cast<decltype(addressRange)>(::dlsym(library, "cuMemGetAddressRange_v2"));
    }
};

const ParameterFunctions& parameters()
{
    static const ParameterFunctions functions;
    return functions;
}

} // namespace

CUfunction resolveFunction(CUfunction given)
{
    int registers = 0;
    CUfunction function = nullptr;
    const bool isFunction = cuda().FuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, given) == CUDA_SUCCESS;
    if (!isFunction && cuda().KernelGetFunction(&function, reinterpret_cast<CUkernel>(given)) == CUDA_SUCCESS)
        return function;
    return given;
}

std::string argumentBytes(const LaunchParams& launch, CUfunction function, std::vector<LiftedParameter>& places)
{
    std::string bytes;
    std::size_t offset = 0, size = 0;
    for (std::size_t i = 0;
         parameters().paramInfo && i < kMostArguments && parameters().paramInfo(function, i, &offset, &size) == CUDA_SUCCESS; ++i) {
        if (offset > kMostParameterBytes || size > kMostParameterBytes - offset)
            break;
        bytes.resize(std::max(bytes.size(), offset + size));
        places.push_back({offset, size});
        if (launch.arguments && launch.arguments[i])
            std::memcpy(bytes.data() + offset, launch.arguments[i], size);
    }
    if (!launch.arguments && launch.packed)
        std::memcpy(bytes.data(), launch.packed, std::min(bytes.size(), launch.packedBytes));
    return bytes;
}

std::optional<std::int64_t> argumentMemory(const LaunchParams& launch, CUfunc_st* function)
{
    if (!parameters().paramInfo || !parameters().addressRange)
        return {};
    std::vector<LiftedParameter> places;
    const std::string bytes = argumentBytes(launch, function, places);
    std::vector<ArgumentReach> reaches;
    for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= bytes.size(); at += sizeof(CUdeviceptr)) {
        CUdeviceptr pointer = 0, base = 0;
        std::size_t size = 0;
        std::memcpy(&pointer, bytes.data() + at, sizeof pointer);
        if (pointer != 0 && parameters().addressRange(&base, &size, pointer) == CUDA_SUCCESS)
            reaches.push_back({pointer, base, size});
    }
    return bytesWithinReach(reaches);
}

} // namespace kl::inject
