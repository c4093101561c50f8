// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cuda.h>
#include <string>
#include <vector>

namespace bench {

/// Ends the program with the call's text and the driver's message where a driver call fails.
void check(CUresult result, const char* call, const char* file, int line);
#define CHECK(call) ::bench::check(call, #call, __FILE__, __LINE__)

/// A buffer on the device, from the driver's allocator: aligned to 256 bytes.
class Buffer {
public:
    explicit Buffer(std::size_t bytes);
    ~Buffer() { cuMemFree(address_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    CUdeviceptr address() const noexcept { return address_; }

private:
    CUdeviceptr address_ = 0;
};

/// Machine code of a CUDA source for the current device; empty with NVRTC's log in `log` where it does not compile.
std::string compile(const std::string& source, std::vector<std::string> options, std::string& log);

struct Grid {
    unsigned x = 1, y = 1, z = 1;
};

/// One kernel; the arguments' values are read at once.
template <class... Args> void launch(CUfunction function, Grid grid, unsigned threads, unsigned sharedBytes, Args... args)
{
    void* values[] = {&args...};
    CHECK(cuLaunchKernel(function, grid.x, grid.y, grid.z, threads, 1, 1, sharedBytes, nullptr, values, nullptr));
}

} // namespace bench
