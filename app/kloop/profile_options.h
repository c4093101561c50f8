// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// What a command line says about the metrics of a profile; empty or 0: not said.
struct ProfileOptions {
    std::vector<std::string> metrics;  ///< CUPTI names or "regex:" expressions
    std::vector<std::string> sections; ///< ids or aliases of resources/sections.json
    int maxPasses = 0;
    std::string cacheControl;          ///< "flush" or "none"
    std::string chip;                  ///< CUPTI's name, for a plan without a GPU
    std::optional<std::string> search; ///< kloop metrics: words of a name or description; empty: all
    int searchLimit = 50;              ///< kloop metrics: rows of its answer
    bool plan = false;                 ///< print the passes and stop
    bool noCounters = false;           ///< measure and infer
    bool countersOnly = false;         ///< no correctness, timing or baseline
    bool experiments = false;          ///< change the launch's shape, beside counters, too
    bool all = false;                  ///< every variant of the catalog
    std::string ncuRules;              ///< kloop confusion: what Nsight Compute's rules said of the same kernels
    std::vector<std::string> unseen;   ///< kloop confusion: profiles of sizes that no threshold was tuned on
    std::string markdown;              ///< kloop confusion: file that its tables are written to
    std::string tree;                  ///< a diagnosis tree of one's own
    bool treeNames = false;            ///< kloop tree: what a tree's data may name
    int repeat = 1;                    ///< kloop launch: times
};

} // namespace kl
