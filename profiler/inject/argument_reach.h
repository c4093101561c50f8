// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace kl::inject {

/// An argument that points into a device allocation.
struct ArgumentReach {
    std::uint64_t pointer = 0;
    std::uint64_t base = 0; ///< of the allocation
    std::uint64_t size = 0;
};

/// Bytes from the lowest of these pointers into each allocation to its end, all allocations together; unset without any.
std::optional<std::int64_t> bytesWithinReach(std::span<const ArgumentReach> arguments);

} // namespace kl::inject
