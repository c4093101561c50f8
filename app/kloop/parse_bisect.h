// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds `bisect`.
void addBisect(CLI::App& app, Parsed& parsed);

} // namespace kl
