// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"

#include <optional>

namespace kl {

/// What the command line asks for.
struct Parsed {
    std::optional<int> exit;   ///< help was printed, or the usage is wrong and was explained
    Command command = nullptr; ///< to run otherwise
    Options options;
};

/// A CLI11 check: why a text that people should write is none; empty when it is one.
std::string notBlank(const std::string& text);

/// Reads argv up to a lone `--`; what follows it is somebody else's command line and is not looked at.
Parsed parseCommandLine(int argc, const char* const* argv);

} // namespace kl
