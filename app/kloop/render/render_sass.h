// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "core/sass/code_diff.h"

#include <string>

namespace kl::cli {

/// Every instruction of a run's code with its counters, in address order; findCode(run) is not empty.
std::string renderCode(const RunRecord& run, const std::string& name);

/// The instructions that two builds do not share, with their surroundings, and what differs in total.
std::string renderCodeDiff(const RunRecord& a, const RunRecord& b, const CodeDiff& diff, const std::string& nameA,
                           const std::string& nameB);

} // namespace kl::cli
