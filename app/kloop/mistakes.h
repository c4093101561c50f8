// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <optional>

namespace CLI {
class App;
}

namespace kl {

/// The word that stands where a command should and is none, with those that may have been meant; nothing where there is no such word. Asked
/// of a command line for help too, which CLI11 answers whatever stands in it. Code usage.
std::optional<Error> unknownCommandIn(const CLI::App& app, int argc, const char* const* argv);

/// What is wrong with a command line that CLI11 refused, of `argc` words with the program's name first. A word that is no command and an
/// option that the command does not have are named, with what may have been meant; else it is `problem`, CLI11's sentence, which tells only
/// what is missing. Code usage.
Error mistakeIn(const CLI::App& app, int argc, const char* const* argv, const char* problem);

} // namespace kl
