// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cuda/tensor_map.h"
#include "profiler/live/work/work_buffers.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kl::inline live {

/// The arguments of one launch, as cuLaunchKernelEx takes them. Moved, never copied: the pointers go into the other two.
struct LaunchArguments {
    std::vector<std::uint64_t> values; ///< storage, 8 bytes each
    std::vector<CUtensorMap> maps;     ///< the same of those arguments that are one
    std::vector<void*> pointers;
    std::string packed; ///< all of them in the kernel's layout, in place of the others; of a lifted launch
    std::size_t packedBytes = 0;
    std::array<void*, 5> extra{}; ///< as cuLaunchKernelEx takes `packed`

    LaunchArguments() = default;
    LaunchArguments(LaunchArguments&&) = default;
    LaunchArguments& operator=(LaunchArguments&&) = default;

    /// For the call, which copies what they point to.
    void** parameters() { return packed.empty() ? pointers.data() : nullptr; }
    void** packedParameters();
};

/// The launch's arguments, on the work's buffers. Error badInput: no such buffer, a scalar of another type; encodeTensorMap's.
Result<LaunchArguments> bindArguments(const LaunchSpec& spec, const WorkBuffers& buffers);

} // namespace kl::inline live
