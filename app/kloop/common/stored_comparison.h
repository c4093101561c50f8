// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "core/model/comparison.h"

#include <string>
#include <vector>

namespace kl::cli {

/// Which two stored runs are compared, and how.
struct ComparisonOptions {
    std::string a; ///< "run:ID", the start of one, or an address for its newest run
    std::string b;
    std::vector<std::string> problems; ///< of the newest runs
    std::string waive;                 ///< why runs of different devices, drivers or clocks are compared; empty: they are not
};

/// Two runs of the database, compared.
struct StoredComparison {
    RunId a;
    RunId b;
    Comparison comparison;
};

/// Errors: notFound, badInput, usage for several problems.
Result<StoredComparison> compareStored(Program& program, const ComparisonOptions& options);

} // namespace kl::cli
