// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// A verb below `parent` whose words, once read, choose `run`. Options of the program itself may follow it.
CLI::App* addVerb(CLI::App& parent, Parsed& parsed, const char* name, const char* help, Command run);

} // namespace kl
