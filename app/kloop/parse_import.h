// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// analyze, import and export.
void addImportCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
