// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <optional>

namespace CLI {
class App;
}

namespace kl::cli {

/// The first word in a command's place that is not a command, with the nearest commands; empty where there is none, or where an unknown
/// option comes first, whose value the word may be. Also asked when help is wanted, which CLI11 prints whatever else the command line
/// holds. Code usage.
std::optional<Error> unknownCommandIn(const CLI::App& app, int argc, const char* const* argv);

/// What is wrong with a command line that CLI11 refused, of `argc` words with the program's name first. An unknown command or option is
/// named, with the nearest ones; otherwise the message is `problem`, CLI11's sentence, reworded where it is hard to read. Code usage.
Error mistakeIn(const CLI::App& app, int argc, const char* const* argv, const char* problem);

} // namespace kl::cli
