// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds completion, which prints a script for bash or zsh that completes every command and option of `app`, the values of an option that
/// has a list of them, and the addresses of the carried kernels. Anything else is completed as a file.
void addCompletion(CLI::App& app, Parsed& parsed);

} // namespace kl
