// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kl::cli {

class Program;

/// `kloop search --simulate`.
struct SimulateOptions {
    std::vector<std::string> files;
    int repeats = 100;
    std::size_t trials = 0; ///< also how many replays are near the optimum after so many; 0: not
};

/// The names in a comma-separated list of strategies, "all" replaced by every one of them, each once.
std::vector<std::string> strategyNames(const std::string& list);

/// Replays the recorded spaces and prints their scores. `list`: a list as above. `exportTo`:
/// where the recorded space, then only one, is written in another format; may be empty.
Result<int> simulateSearch(Program& program, const SimulateOptions& options, const std::string& list, std::uint64_t seed, std::size_t width,
                           const std::string& exportTo);

} // namespace kl::cli
