// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/protocol/lifted_launch.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct CUfunc_st;
struct CUmod_st;

namespace kl::inject {

/// The allocations of device memory that a launch can reach. Inside the launch call, with its context current and idle.
class ReachedMemory {
public:
    /// Allocations that words of the arguments point into. Error environment: one of them is memory that cannot be copied (the host's,
    /// managed, another GPU's).
    Status addArguments(std::string_view arguments);

    /// Those that words in the content of the allocations so far point into: one level deep. What cannot be copied goes into notes().
    Status addBehind();

    /// Those that any of these addresses lies in.
    void addAll(const std::set<std::uint64_t>& addresses);

    const std::map<std::uint64_t, LiftedMemory>& allocations() const noexcept { return found_; } ///< by address
    std::uint64_t bytes() const;
    const std::set<std::string>& notes() const noexcept { return notes_; }

private:
    bool known(std::uint64_t address) const;
    Status add(std::uint64_t address, const char* reached, const std::string& whose);

    std::map<std::uint64_t, LiftedMemory> found_;
    std::set<std::string> notes_;
};

/// The module of a function; null where the driver does not know it.
CUmod_st* findModule(CUfunc_st* function);

} // namespace kl::inject
