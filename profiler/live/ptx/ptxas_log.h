// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kl {

/// What the assembler says of one kernel (ptxas -v).
struct KernelResources {
    int registers = 0;
    std::int64_t stackBytes = 0; ///< a thread
    std::int64_t spillStores = 0;
    std::int64_t spillLoads = 0;
    std::int64_t staticSmem = 0; ///< a block
    int barriers = 0;

    bool operator==(const KernelResources&) const = default;
};

/// By name of the kernel; names of other functions are left out. What is not said stays 0.
std::map<std::string, KernelResources> kernelResources(std::string_view ptxasLog);

} // namespace kl
