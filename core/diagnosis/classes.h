// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace kl {

/// What can limit a kernel, as the words appear in JSON, in the order the tree asks.
inline constexpr std::array<std::string_view, 21> kClasses{
    "invalid",   "launch-overhead", "small-grid",     "tail-effect",       "register-spills", "uncoalesced", "dram-bound",
    "l2-bound",  "l1-bound",        "bank-conflicts", "tensor-bound",      "fp32-bound",      "fp64-bound",  "xu-bound",
    "int-bound", "divergence",      "sync-bound",     "occupancy-limited", "latency-bound",   "atomics",     "balanced"};

constexpr bool isClass(std::string_view word)
{
    for (const std::string_view classId : kClasses)
        if (classId == word)
            return true;
    return false;
}

} // namespace kl
