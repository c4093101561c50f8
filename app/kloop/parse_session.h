// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds `kloop session …`, all but its report.
void addSessionCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
