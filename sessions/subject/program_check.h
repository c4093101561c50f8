// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/subject/program_runner.h"

#include <vector>

namespace kl::inline subjects {

/// What a check of one size found.
struct CheckedSize {
    SuiteRow row;
    bool ran = true; ///< false: the program itself failed
};

/// Checks one size as the target says: by a command, or the program's outputs against its reference's. A result that is incorrect is a row
/// that does not pass, and so is a program that fails. Errors: the runner's; badInput for a reference that fails.
Result<CheckedSize> checkSize(const TargetSpec& spec, const ProgramRunner& runner, const Params& problem, std::uint64_t seed);

/// Checks the record's problem and further sizes, smallest first, into the record: correctness, status and reason.
Status checkSizes(const TargetSpec& spec, const ProgramRunner& runner, const std::vector<Params>& suite, std::uint64_t seed,
                  RunRecord& record);

} // namespace kl::inline subjects
