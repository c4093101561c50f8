// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds patterns, learn, cost and roadmap, which write into `parsed`.
void addLearningCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
