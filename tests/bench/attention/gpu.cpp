// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <cstdio>
#include <cstdlib>
#include <nvrtc.h>

namespace bench {

void check(CUresult result, const char* call, const char* file, int line)
{
    if (result == CUDA_SUCCESS)
        return;
    const char* text = "unknown error";
    cuGetErrorString(result, &text);
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, text);
    std::exit(5);
}

Buffer::Buffer(std::size_t bytes)
{
    CHECK(cuMemAlloc(&address_, bytes));
}

std::string compile(const std::string& source, std::vector<std::string> options, std::string& log)
{
    static const std::string architecture = [] {
        CUdevice device = 0;
        int major = 0, minor = 0;
        CHECK(cuDeviceGet(&device, 0));
        CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
        CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
        return "-arch=sm_" + std::to_string(10 * major + minor);
    }();
    options.insert(options.end(), {"--std=c++17", "-lineinfo", architecture});
    std::vector<const char*> texts;
    for (const std::string& option : options)
        texts.push_back(option.c_str());
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
    const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(texts.size()), texts.data());
    std::size_t size = 0;
    std::string code;
    if (result == NVRTC_SUCCESS) {
        nvrtcGetCUBINSize(program, &size);
        code.resize(size);
        nvrtcGetCUBIN(program, code.data());
    } else {
        nvrtcGetProgramLogSize(program, &size);
        log.resize(size);
        nvrtcGetProgramLog(program, log.data());
    }
    nvrtcDestroyProgram(&program);
    return code;
}

} // namespace bench
