// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/command_line.h"
#include "core/base/error.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kl {

/// Adds to `profile` the options that are about a program after "--".
void addProgramOptions(CLI::App* profile, Parsed& parsed);

/// Takes the words after a lone "--" ("said": whether there was one). Error usage when the command runs no program, when none is named, or
/// when options that are about a program come without one.
std::optional<Error> takeProgram(Parsed& parsed, bool said, std::vector<std::string> words);

} // namespace kl
