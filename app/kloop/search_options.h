// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kl {

/// What a command line says about a search.
struct SearchOptions {
    std::string strategy = "brute_force";
    std::uint64_t seed = 1;
    double budget = 0; ///< seconds of measuring; 0: no limit
    std::size_t top = 10;
    bool fresh = false; ///< measure again what an earlier search measured
};

} // namespace kl
