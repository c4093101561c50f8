// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds space, compile, search and cache, which write into `parsed`.
void addSpaceCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
