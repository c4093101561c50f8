// SPDX-License-Identifier: MIT
#include "profiler/inject/argument_reach.h"

#include <algorithm>
#include <map>

namespace kl::inject {

std::optional<std::int64_t> bytesWithinReach(std::span<const ArgumentReach> arguments)
{
    std::map<std::uint64_t, std::uint64_t> bytes; // by allocation
    for (const ArgumentReach& one : arguments)
        if (one.pointer >= one.base && one.pointer - one.base < one.size) {
            std::uint64_t& most = bytes[one.base];
            most = std::max(most, one.size - (one.pointer - one.base));
        }
    if (bytes.empty())
        return {};
    std::int64_t sum = 0;
    for (const auto& [base, within] : bytes)
        sum += static_cast<std::int64_t>(within);
    return sum;
}

} // namespace kl::inject
