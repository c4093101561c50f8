// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace kl::cli {

class Program;

/// What a command does once its command line is read: prints its answer and returns the exit code.
using Runner = std::function<Result<int>(Program& program)>;

/// A command of kloop, or one below another: `kloop cost`, and `price` of `kloop cost price`.
struct Command {
    const char* name;
    const char* help;                         ///< one line
    std::function<Runner(CLI::App& app)> add; ///< adds its arguments and options to `app`
    const char* group = "";                   ///< heading of `kloop --help`; empty below other commands
};

/// Adds `commands` below `app`; options of the program itself may follow them. The runner runs the one that the command line names. Where
/// it names none, it runs `bare`; without `bare`, one is required. A command gets its arguments and options when the command line names
/// it: those of all take longer than most commands.
Runner addCommands(CLI::App& app, const std::vector<Command>& commands, Runner bare = {});

/// Adds those of all commands below `app`, for what lists them.
void addEveryOption(CLI::App& app);

} // namespace kl::cli
