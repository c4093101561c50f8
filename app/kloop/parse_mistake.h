// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

namespace CLI {
class App;
}

namespace kl {

/// What is wrong with a command line that CLI11 refused, of `argc` words with the program's name first. A word that is no command and an
/// option that the command does not have are named, with what may have been meant; else it is `problem`, CLI11's sentence, which tells only
/// what is missing. Code usage.
Error mistakeIn(const CLI::App& app, int argc, const char* const* argv, const char* problem);

} // namespace kl
