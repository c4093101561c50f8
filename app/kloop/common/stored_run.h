// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"

#include <string>

namespace kl {

enum class WhichRuns { all, profiles };

/// "run:ID" or the start of one, or an address for its newest run (or profile), on the problem where one is given. Errors: notFound with
/// what to do, badInput.
Result<RunId> resolveRun(Program& program, const std::string& text, const Params& problem, WhichRuns which = WhichRuns::all);

} // namespace kl
