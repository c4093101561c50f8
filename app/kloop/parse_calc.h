// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds smem, occupancy and advise, which write into `parsed`.
void addCalculators(CLI::App& app, Parsed& parsed);

} // namespace kl
