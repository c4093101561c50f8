// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kl::inject::nvtx {

using GetExportTable = const void* (*)(unsigned id);

/// Installs our functions in the table of the NVTX headers of a library of the program: push, pop, start and end of ranges,
/// in every domain. False for an unknown table layout.
bool attach(GetExportTable exportTable);

/// Ranges open on the calling thread, outermost first, as a number that stays the same for the same names; −1 for none.
int openStack();

/// Names of a stack.
std::vector<std::string> stackOf(int stack);

/// Hands over the host time spent in each stack's innermost range since the last call.
void drainTimes(const std::function<void(int stack, std::int64_t count, double hostNs)>& take);

} // namespace kl::inject::nvtx
