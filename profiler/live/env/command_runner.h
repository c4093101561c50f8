// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/original_environment.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline live {

struct Command {
    std::vector<std::string> arguments; ///< the program first, looked up on PATH
    std::string folder;                 ///< working folder; empty: the current one
    std::vector<std::string> settings;  ///< "NAME=VALUE", over `environment`
    double seconds = 60;                ///< then it is killed with all its children
    std::string logFile;                ///< its output is appended here; empty: discarded
    std::vector<std::string> environment = originalEnvironment();
};

struct CommandResult {
    int exitCode = 0; ///< 128 + signal for one that was killed
    bool timedOut = false;
    double seconds = 0;
    std::string output; ///< standard output and error together, the last 64 KiB
};

/// Runs a command in a process group of its own, its input empty, and waits for its end. Error environment: it cannot be started.
Result<CommandResult> runCommand(const Command& command);

} // namespace kl::inline live
