// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// What a command line says about files of measurements: `kloop analyze`, `import` and `export`.
struct ImportOptions {
    std::vector<std::string> files;
    std::string kernel;            ///< expression searched in kernel names; empty: every one
    bool keep = true;              ///< store what another tool measured
    bool noCounters = false;       ///< what would be said without hardware counters
    std::vector<std::string> runs; ///< to export: run:ID, the start of one, or an address for all of its runs
    std::string output;            ///< of an export
};

} // namespace kl
