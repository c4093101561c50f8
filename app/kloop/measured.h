// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"
#include "core/model/run.h"

#include <vector>

namespace kl {

/// The variants that are named, or with --all every one of the catalogue. Error usage when none is; else as Program::kernel.
Result<std::vector<Address>> kernelsOf(Program& program, const Options& options);

/// Every --problem, or the default one alone. Error usage names the one that is no problem.
Result<std::vector<Params>> problemsOf(const Options& options);

/// Prints runs as one answer, of several a list of results under `schema`. Exit 1 when one failed or is wrong.
Result<int> printRuns(Program& program, const char* schema, const std::vector<RunRecord>& runs);

} // namespace kl
