// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/lifted_launch.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kl::inject {

/// Where two contents of an allocation differ: whole pieces of 512 bytes (the last may be shorter), as PyTorch's allocator hands them out.
/// Ranges less than 4 KiB apart are one, and so are more until there are no more than 16. Precondition: both have the same size.
std::vector<LiftedRange> findChangedRanges(std::string_view before, std::string_view after);

/// Words of an allocation, or of arguments, that can be addresses of device memory: each page of 2 MiB that they lie in once, ascending.
/// Numbers that look like one by chance are among them; the driver tells them apart. At most `most` pages.
std::vector<std::uint64_t> possibleAddresses(std::string_view bytes, std::size_t most);

} // namespace kl::inject
