// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds `baselines`, and the options of `run` that choose what the kernel is measured against.
void addBaselineCommands(CLI::App& app, Parsed& parsed, CLI::App& run);

} // namespace kl
