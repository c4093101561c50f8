// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"

namespace CLI {
class App;
}

namespace kl {

/// Adds report (also below session), prompt, quickref and review, which write into `parsed`. The session commands are there already.
void addReportCommands(CLI::App& app, Parsed& parsed);

} // namespace kl
