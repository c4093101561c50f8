// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds profile, metrics and launch, which write into `parsed`.
void addProfileCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
