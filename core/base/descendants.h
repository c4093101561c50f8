// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <sys/types.h>
#include <vector>

namespace kl {

/// Every process that this one has started, directly or through others that are still alive. Read from /proc, so that no code that
/// starts a program has to register it.
std::vector<pid_t> descendants();

/// Ends them and their process groups: SIGTERM, and SIGKILL for what is left after `patience`.
void endDescendants(std::chrono::milliseconds patience);

} // namespace kl
