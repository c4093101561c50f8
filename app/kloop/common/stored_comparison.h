// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "core/model/comparison.h"

#include <string>

namespace kl {

/// Two runs of the database, compared.
struct StoredComparison {
    RunId a;
    RunId b;
    Comparison comparison;
};

/// Each side is "run:ID", the start of one, or an address for its newest run (on --problem where one is said). Errors: notFound, badInput.
Result<StoredComparison> compareStored(Program& program, const Options& options, const std::string& first, const std::string& second);

} // namespace kl
