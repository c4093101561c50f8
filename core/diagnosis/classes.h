// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace kl::inline diagnosis {

/// What can limit a kernel, as the words appear in JSON, in the order in which the tree first asks for them.
inline constexpr std::array<std::string_view, 26> kClasses{
    "invalid",           "power-limited", "launch-overhead", "small-grid",   "tail-effect",    "load-imbalance", "register-spills",
    "uncoalesced",       "dram-bound",    "l2-bound",        "l1-bound",     "bank-conflicts", "tensor-bound",   "issue-bound",
    "fp32-bound",        "fp64-bound",    "xu-bound",        "int-bound",    "divergence",     "sync-bound",     "mio-bound",
    "occupancy-limited", "latency-bound", "atomics",         "not-measured", "balanced"};

/// What each of them is in a sentence, in the same order: "Evidence for uncoalesced accesses".
inline constexpr std::array<std::string_view, kClasses.size()> kClassTitles{
    "an invalid run",
    "a power or heat limit",
    "launch overhead",
    "a small grid",
    "a tail effect",
    "load imbalance",
    "register spills",
    "uncoalesced accesses",
    "a DRAM bandwidth limit",
    "an L2 bandwidth limit",
    "an L1 bandwidth limit",
    "bank conflicts",
    "a tensor pipe limit",
    "an instruction issue limit",
    "an FP32 pipe limit",
    "an FP64 pipe limit",
    "a transcendental pipe limit",
    "an integer pipe limit",
    "divergence",
    "barrier stalls",
    "MIO stalls",
    "low occupancy",
    "exposed latency",
    "contended atomics",
    "missing counters",
    "no single limit",
};
static_assert(!kClassTitles.back().empty(), "each class has a title");

/// What can limit a program as a whole: never the class of a kernel.
inline constexpr std::string_view kHostBound = "host-bound";

constexpr bool isClass(std::string_view word)
{
    for (const std::string_view classId : kClasses)
        if (classId == word)
            return true;
    return false;
}

/// Of a class of kClasses; any other word as it is.
constexpr std::string_view classTitle(std::string_view classId)
{
    for (std::size_t i = 0; i < kClasses.size(); ++i)
        if (kClasses[i] == classId)
            return kClassTitles[i];
    return classId;
}

} // namespace kl::inline diagnosis
