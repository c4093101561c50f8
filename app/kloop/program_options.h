// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// What a command line says about a program to profile: `kloop profile … -- CMD`.
struct ProgramOptions {
    std::vector<std::string> command; ///< everything after "--"
    std::string kernel;               ///< expression searched in demangled names; empty: every kernel
    int skip = 0;                     ///< launches of each kernel that pass before one is profiled
    int count = 0;                    ///< kernels that are profiled at most; 0: not said
    std::string out;                  ///< file for the JSON answer; empty: none
};

} // namespace kl
