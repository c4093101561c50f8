// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

struct CUfunc_st;

namespace kl::inject {

/// The kernel and geometry of a launch call of the driver.
struct LaunchParams {
    CUfunc_st* function = nullptr;
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    int dynamicSmem = 0;
    void** arguments = nullptr;   ///< one address per parameter; null where they are packed
    const void* packed = nullptr; ///< all of them in one buffer
    std::size_t packedBytes = 0;
    std::array<int, 3> cluster{}; ///< of the launch's attributes; zeros: none
    bool cooperative = false;
};

/// `callbackId` is one of CUPTI's for cuLaunchKernel, cuLaunchKernelEx or cuLaunchCooperativeKernel, `data` its functionParams.
LaunchParams launchParams(std::uint32_t callbackId, const void* data);

} // namespace kl::inject
