// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// What a command line says about a space of tunables and about compiling.
struct SpaceOptions {
    std::string arch = "sm_90";
    std::string list;                   ///< "survivors", "rejected", "all"; empty: the funnel alone
    std::string point;                  ///< tunables of one point, whose gates are all shown
    std::vector<std::string> whatIf;    ///< other GPUs or architectures, asked besides
    bool allGpus = false;               ///< compile: for every GPU of the device table, not for `arch` alone
    bool all = false;                   ///< compile: everything that passes the gates
    int jobs = 0;                       ///< compile: threads; 0: one a processor
    std::optional<double> minOccupancy; ///< percent; nothing: the descriptor's
};

} // namespace kl
