// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds kernels, new-kernel and watch, which write into `parsed`.
void addKernelCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
