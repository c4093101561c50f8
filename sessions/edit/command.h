// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline edit {

/// The result of a program.
struct CommandAnswer {
    int code = -1; ///< exit status; −1 when a signal ended it
    std::string output;
    std::string errors;
};

/// Runs a program of PATH to its end, with `input` on its standard input. Errors: notFound when PATH has none; environment when it cannot
/// be started, or has not finished after ten minutes.
Result<CommandAnswer> runCommand(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = {});

} // namespace kl::inline edit
