// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"
#include "app/kloop/common/global_options.h"

#include <optional>

namespace kl::cli {

/// A command line that was read.
struct CommandLine {
    std::optional<int> exit; ///< help was printed, or wrong usage was explained
    Runner run;              ///< otherwise: what the command does
    GlobalOptions options;
};

/// Whether argv has --json before a lone `--`: for what fails before or outside of a command.
bool asksForJson(int argc, const char* const* argv);

/// Reads argv up to a lone `--`; what follows it is another program's command line and is passed on unread.
CommandLine readCommandLine(int argc, const char* const* argv);

} // namespace kl::cli
