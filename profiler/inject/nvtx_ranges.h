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

/// Which entry of each of these ranges it is, numbered over the whole process, outermost first.
std::vector<std::uint32_t> openEntries();

/// Calls `entered` after a thread has entered a range of this name, and `leaving` before it leaves it: the outermost such entry of the
/// thread. For one name, once, before the program's first range. They must not throw.
void watch(std::string name, std::function<void()> entered, std::function<void()> leaving);

/// Names of a stack.
std::vector<std::string> findStack(int stack);

/// Hands over the host time spent in each stack's innermost range since the last call.
void drainTimes(const std::function<void(int stack, std::int64_t count, double hostNs)>& take);

} // namespace kl::inject::nvtx
