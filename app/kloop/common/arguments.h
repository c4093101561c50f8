// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

// What commands read their arguments with: CLI11, and the arguments and checks that several commands share.
namespace kl::cli {

/// --problem, once for each size.
CLI::Option* addProblems(CLI::App& app, std::vector<std::string>& problems,
                         const char* help = "Sizes, e.g. M=4096,N=4096; may be given several times");

/// --session: a name, an id, or the start of an id.
CLI::Option* addSessionOption(CLI::App& app, std::string& session,
                              const char* help = "Name or id of the session (default: the latest open one)");

/// --kernel: a regular expression (KernelPattern) that selects kernels of files or programs. `chosen`: what the help says is selected.
CLI::Option* addKernelFilter(CLI::App& app, std::string& expression, const char* chosen = "Only kernels");

/// An option that may be given several times, with one value each time.
CLI::Option* addRepeated(CLI::App& app, const char* name, std::vector<std::string>& values, const std::string& help);

/// Checks for CLI11: empty, or what is wrong with the text.
std::string notBlank(const std::string& text);
std::string positiveNumber(const std::string& text);
/// Beside CLI::Range, which takes "nan" for a number of any range.
std::string finiteNumber(const std::string& text);

} // namespace kl::cli
