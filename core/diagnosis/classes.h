// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace kl::inline diagnosis {

/// What can limit a kernel, as the words appear in JSON, in the order in which the tree first asks for them.
inline constexpr std::array<std::string_view, 26> kClasses{
    "invalid",           "power-limited", "launch-overhead", "small-grid",   "tail-effect",    "load-imbalance", "register-spills",
    "uncoalesced",       "dram-bound",    "l2-bound",        "l1-bound",     "bank-conflicts", "tensor-bound",   "issue-bound",
    "fp32-bound",        "fp64-bound",    "xu-bound",        "int-bound",    "divergence",     "sync-bound",     "mio-bound",
    "occupancy-limited", "latency-bound", "atomics",         "not-measured", "balanced"};

/// What can limit a program as a whole: never the class of a kernel.
inline constexpr std::string_view kHostBound = "host-bound";

constexpr bool isClass(std::string_view word)
{
    for (const std::string_view classId : kClasses)
        if (classId == word)
            return true;
    return false;
}

} // namespace kl::inline diagnosis
