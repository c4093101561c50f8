// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kl::inline live {

/// The assembler's report on one kernel (ptxas -v).
struct KernelResources {
    int registers = 0;
    std::int64_t stackBytes = 0; ///< per thread
    std::int64_t spillStores = 0;
    std::int64_t spillLoads = 0;
    std::int64_t staticSmem = 0; ///< per block
    int barriers = 0;

    bool operator==(const KernelResources&) const = default;
};

/// By name of the kernel; names of other functions are left out. Missing values are 0.
std::map<std::string, KernelResources> kernelResources(std::string_view ptxasLog);

} // namespace kl::inline live
