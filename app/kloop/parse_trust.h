// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// The option --trust and the verbs of `kloop trust`.
void addTrust(CLI::App& app, Parsed& parsed);

} // namespace kl
