// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"

namespace kl::cli {

class Program;

/// Prints a comparison; the exit code is 1 where B is slower than A, a regression, and 3 where there is no verdict.
int answerComparison(Program& program, const Comparison& comparison);

} // namespace kl::cli
